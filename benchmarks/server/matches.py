"""The players of a table: they open it, sit down, play, and open the next one after the match."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter

from benchmarks.server import pages
from benchmarks.server.http import Browser, Network
from benchmarks.server.player import TROUBLE, Manner, Player
from benchmarks.server.tally import Echoes, Tally


class Refused(ConnectionError):
    """The server refused to open a table."""


class Match:
    """Successive tables with the same players."""

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
        """Unique names: a node can cache nothing of one for another."""
        self.table_id = ""
        self.seated = asyncio.Event()

    async def run(self) -> None:
        """Play until cancelled; a table that cannot be opened is tried again."""
        while True:
            try:
                self.table_id = await self.set()
            except (*TROUBLE, Refused):
                self.tally.count("tables not set")
                await asyncio.sleep(self.rng.uniform(0.5, 2.0))
                continue
            self.seated.set()
            echoes = Echoes(self.tally)
            async with asyncio.TaskGroup() as everybody:
                for player in self.players:
                    everybody.create_task(player.play(self.table_id, echoes))
            self.tally.count("matches finished")

    async def set(self) -> str:
        """Open a table and seat everybody; return its id."""
        host, *friends = [player.browser for player in self.players]
        csrf = pages.first(pages.CSRF, (await host.get("/")).text)
        opened = await host.post("/new", {"csrf": csrf, **self.terms})
        if opened.status != 303:
            raise Refused(f"no table: {opened.status}")
        table_id = opened.location.removeprefix("/table/")
        if friends:
            shown = (await host.get(f"/table/{table_id}/links")).text
            links = {int(seat): path for path, seat in pages.LINK.findall(shown)}
            for seat, friend in enumerate(friends, 1):
                await self.sit(friend, links[seat])
        return table_id

    async def sit(self, friend: Browser, link: str) -> None:
        """Sit down by the host's link."""
        page = await friend.get(link)
        csrf = pages.first(pages.CSRF, page.text)
        taken = await friend.post(link, {"csrf": csrf, "name": self.friend})
        if taken.status != 303:
            raise Refused(f"no chair: {taken.status}")

    @property
    def silent(self) -> float:
        """Seconds since the last event that a player received."""
        return perf_counter() - max(player.told_at for player in self.players)
