"""A table's people: they open it, sit down, play, and open the next when the match is over."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter

from benchmarks.server import pages
from benchmarks.server.http import Browser, Network
from benchmarks.server.player import TROUBLE, Manner, Player
from benchmarks.server.tally import Echoes, Tally


class Refused(ConnectionError):
    """A table could not be set, and the server said so."""


class Match:
    """One table after another, in the same company."""

    def __init__(
        self, network: Network, number: int, manner: Manner, tally: Tally, terms: dict[str, str]
    ) -> None:
        seats = 2 if terms["chair-1"] == "friend" else 1
        self.tally, self.terms, self.rng = tally, terms, Random(number)
        self.players = [
            Player(Browser(network, 2 * number + seat), seat, manner, tally, Random(2 * number + seat))
            for seat in range(seats)
        ]
        self.friend = f"Ami {number}"
        """No two are called the same: a node keeps nothing of one that would serve another."""
        self.game = ""
        self.seated = asyncio.Event()

    async def run(self) -> None:
        """Until cancelled. What fails is begun again, as somebody would who finds no table."""
        while True:
            try:
                self.game = await self.set()
            except (*TROUBLE, Refused):
                self.tally.count("tables not set")
                await asyncio.sleep(self.rng.uniform(0.5, 2.0))
                continue
            self.seated.set()
            echoes = Echoes(self.tally)
            async with asyncio.TaskGroup() as everybody:
                for player in self.players:
                    everybody.create_task(player.play(self.game, echoes))
            self.tally.count("matches finished")

    async def set(self) -> str:
        """A table with everybody seated; what it is called."""
        host, *friends = [player.browser for player in self.players]
        csrf = pages.first(pages.CSRF, (await host.get("/")).text)
        opened = await host.post("/new", {"csrf": csrf, **self.terms})
        if opened.status != 303:
            raise Refused(f"no table: {opened.status}")
        game = opened.location.removeprefix("/table/")
        if friends:
            shown = (await host.get(f"/table/{game}/links")).text
            links = {int(seat): path for path, seat in pages.LINK.findall(shown)}
            for seat, friend in enumerate(friends, 1):
                await self.sit(friend, links[seat])
        return game

    async def sit(self, friend: Browser, link: str) -> None:
        """By the link that the host sends."""
        page = await friend.get(link)
        csrf = pages.first(pages.CSRF, page.text)
        taken = await friend.post(link, {"csrf": csrf, "name": self.friend})
        if taken.status != 303:
            raise Refused(f"no chair: {taken.status}")

    @property
    def silent(self) -> float:
        """Seconds since anyone here was told of anything."""
        return perf_counter() - max(player.told_at for player in self.players)
