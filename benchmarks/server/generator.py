"""A process of players: `python -m benchmarks.server.generator OPTIONS`, a JSON object of `Options`.

The players of a table open it, sit down, play, and open the next one after the match. Prints the line `ready` once each
host has made a move; then, after `seconds` or SIGTERM, a JSON line with the results.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from time import perf_counter

import msgspec
import uvloop

from benchmarks.arguments import read_arguments
from benchmarks.server import pages
from benchmarks.server.http import Browser, Network
from benchmarks.server.player import TROUBLE, Manner, Player
from benchmarks.server.tally import Echoes, Tally


class Refused(ConnectionError):
    """The server refused a step towards a table."""


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
        self.trouble = ""
        """Why the last attempt to open a table failed."""
        self.seated = asyncio.Event()

    async def run(self) -> None:
        """Play until cancelled; a table that cannot be opened is tried again."""
        while True:
            try:
                self.table_id = await self.set()
            except (*TROUBLE, Refused) as trouble:
                self.trouble = f"{type(trouble).__name__}: {trouble}"
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
        csrf = pages.first(pages.CSRF, await self.page(host, "/"))
        opened = await host.post("/new", {"csrf": csrf, **self.terms})
        if opened.status != 303:
            raise Refused(f"no table: {opened.status}")
        table_id = opened.location.removeprefix("/table/")
        if friends:
            shown = await self.page(host, f"/table/{table_id}/links")
            links = {int(seat): path for path, seat in pages.LINK.findall(shown)}
            for seat, friend in enumerate(friends, 1):
                await self.sit(friend, links[seat])
        return table_id

    async def sit(self, friend: Browser, link: str) -> None:
        """Sit down by the host's link."""
        csrf = pages.first(pages.CSRF, await self.page(friend, link))
        taken = await friend.post(link, {"csrf": csrf, "name": self.friend})
        if taken.status != 303:
            raise Refused(f"no chair: {taken.status}")

    async def page(self, browser: Browser, path: str) -> str:
        """A page that must be there."""
        answer = await browser.get(path)
        if answer.status != 200:
            raise Refused(f"no page {path}: {answer.status}")
        return answer.text

    @property
    def told_at(self) -> float:
        """Time of the last event that a player received."""
        return max(player.told_at for player in self.players)


AT_ONCE = 16
"""Tables opened concurrently."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The load of one process."""

    addresses: list[str]
    matches: int
    seconds: float
    pace: float = 4.0
    first: int = 0
    """The number of its first match; browsers of different processes are distinct."""
    asking: float | None = None
    answer: float = 8.0
    """Seconds for which a player waits for an answer, as the pages do, before asking again."""
    settle: float = 0.0
    """Seconds at the beginning that are not measured."""
    ramp: float = 0.0
    """Seconds over which the tables are opened."""
    terms: dict[str, str]
    """The form of a new table."""
    patience: float = 30.0
    """Seconds after the measurement without an event in which a match counts as stuck."""
    seated: float = 240.0
    """Seconds until each host must have made a move; a server that takes longer is overloaded."""
    ledger: str = ""
    """A file to which acknowledged commands are written."""


class ProcessReport(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one process."""

    seconds: float
    answered: list[float]
    seen: list[float]
    counts: dict[str, int]
    playing: list[str]
    """Tables in play at the end."""
    stuck: list[str]
    """Of these, the stuck ones."""


async def play(options: Options, tally: Tally) -> ProcessReport:
    """Seat everybody, measure, stop."""
    network = Network(options.addresses, options.answer)
    manner = Manner(options.pace, options.asking)
    matches = [
        Match(network, options.first + nth, manner, tally, options.terms) for nth in range(options.matches)
    ]
    tasks: list[asyncio.Task[None]] = []
    gate = asyncio.Semaphore(AT_ONCE)

    async def begin(match: Match) -> None:
        async with gate:
            task = asyncio.create_task(match.run())
            tasks.append(task)
            seated = asyncio.create_task(match.seated.wait())
            await asyncio.wait((task, seated), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()  # raises its fault
            await asyncio.sleep(options.ramp * AT_ONCE / len(matches))

    try:
        async with asyncio.timeout(options.seated):
            await asyncio.gather(*map(begin, matches))
            await asyncio.gather(*(match.players[0].moved.wait() for match in matches))
    except TimeoutError:
        troubles = Counter(match.trouble for match in matches)
        raise TimeoutError(f"not all play: {troubles.most_common(5)}") from None
    gc.collect()
    gc.disable()  # a collection would pause thousands of players at once, unlike browsers
    print("ready", flush=True)
    await asyncio.sleep(options.settle)
    tally.begin()
    began, enough = perf_counter(), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, enough.set)
    with suppress(TimeoutError):
        await asyncio.wait_for(enough.wait(), options.seconds - options.settle)
    tally.counting, seconds = False, perf_counter() - began
    stuck = await stuck_tables(matches, options.patience)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    network.close()
    return ProcessReport(
        seconds=seconds,
        answered=tally.answered,
        seen=tally.seen,
        counts=dict(tally.counts),
        playing=[match.table_id for match in matches],
        stuck=stuck,
    )


async def stuck_tables(matches: list[Match], patience: float) -> list[str]:
    """The tables at which no event comes within `patience` seconds; returns early if there are none."""
    asked, loop = perf_counter(), asyncio.get_running_loop()
    deadline = loop.time() + patience
    stuck = [match for match in matches if match.told_at < asked]
    while stuck and loop.time() < deadline:
        await asyncio.sleep(0.1)
        stuck = [match for match in stuck if match.told_at < asked]
    return [match.table_id for match in stuck]


async def telling(options: Options, tally: Tally) -> None:
    """Play and print the results within the event loop; afterwards a long line would be cut at a full pipe."""
    told = await play(options, tally)
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.flush()


def main() -> None:
    options = msgspec.json.decode(*read_arguments(__doc__, options=str), type=Options)
    tally = Tally()
    uvloop.run(telling(options, tally))
    if options.ledger:
        lines = [msgspec.json.encode(line) + b"\n" for line in tally.acknowledged]
        Path(options.ledger).write_bytes(b"".join(lines))


if __name__ == "__main__":
    main()
