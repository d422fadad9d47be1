"""Visitors of the deal of the day: `python -m benchmarks.server.day_visitors ADDRESS A_SECOND SECONDS FIRST`.

They come at a steady rate, however slow the server is. Each opens the page, begins the first partie, plays one act and
goes. `FIRST` is the number of the first. Prints a JSON line of `VisitReport`.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import Counter
from contextlib import suppress
from random import Random
from time import perf_counter

import msgspec
import uvloop

from benchmarks.arguments import read_arguments
from benchmarks.server import pages
from benchmarks.server.http import Browser, Network
from benchmarks.server.player import TROUBLE, Manner, Player
from benchmarks.server.tally import Echoes, Tally

BEGIN = re.compile(r'action="(/daily/[0-9-]+)"')
THINKS = 1.0
"""Seconds of thinking before the act."""
LONGEST = 60.0
"""Seconds after which a visitor who could not act goes."""
STEP = 0.05


class VisitReport(msgspec.Struct, frozen=True):
    """What the visitors met; times in seconds."""

    came: int
    page: list[float]
    begun: list[float]
    """From the tap to the answer that leads to the table."""
    acted: list[float]
    """From the act being due to its answer."""
    counts: dict[str, int]


async def visit(browser: Browser, number: int, seen: VisitReport, counts: Counter[str]) -> None:
    """One visitor, from the page to the first act."""
    began = perf_counter()
    shown = (await browser.get("/daily")).text
    seen.page.append(perf_counter() - began)
    began, form = perf_counter(), {"csrf": pages.first(pages.CSRF, shown), "partie": "1"}
    opened = await browser.post(pages.first(BEGIN, shown), form)
    if opened.status != 303:
        counts[f"not begun: {opened.status}"] += 1
        return
    seen.begun.append(perf_counter() - began)
    tally = Tally(counting=True)
    player = Player(browser, 0, Manner(THINKS, None), tally, Random(number))
    table_id = opened.location.removeprefix("/table/")
    playing = asyncio.create_task(player.play(table_id, Echoes(tally)))
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST):
            await wait_for_act(tally)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    seen.acted.extend(tally.answered[:1])
    counts.update(tally.counts, **({} if tally.answered else {"did not act": 1}))


async def wait_for_act(tally: Tally) -> None:
    """Wait for a first act."""
    while not tally.answered:  # noqa: ASYNC110  # players set no event
        await asyncio.sleep(STEP)


async def send_visitors(address: str, a_second: float, seconds: float, first: int) -> VisitReport:
    """All visitors, one after another at the rate, each on a way of their own."""
    network, counts = Network([address], patience=LONGEST), Counter[str]()
    seen = VisitReport(round(a_second * seconds), [], [], [], {})

    async def one(nth: int) -> None:
        await asyncio.sleep(nth / a_second)
        try:
            await visit(Browser(network, first + nth), nth, seen, counts)
        except TROUBLE as error:
            counts[type(error).__name__] += 1

    await asyncio.gather(*map(one, range(seen.came)))
    network.close()
    return msgspec.structs.replace(seen, counts=dict(counts))


def main() -> None:
    seen = uvloop.run(
        send_visitors(*read_arguments(__doc__, address=str, a_second=float, seconds=float, first=int))
    )
    sys.stdout.buffer.write(msgspec.json.encode(seen))


if __name__ == "__main__":
    main()
