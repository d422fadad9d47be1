"""Latency from a result sent by the desk to the spectators' pages and the room's screen.

`python -m benchmarks.spectators`: a contest of 200 in round 1, with its desk in a separate process. 20 phones show the
spectators' page and one the room's screen; each has a stream and reloads its page at every act, as `static/js/live.js`
does. The results of 100 tables are sent one after the other, at a volunteer's typing speed.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from chouine.contest import Contest
from tests.browser.hall import Hall


class Watcher:
    """A phone; records when each act first appeared on its page."""

    def __init__(self, url: str, page: str) -> None:
        self.http = httpx.AsyncClient(base_url=url, headers={"Accept-Language": "fr"}, timeout=30)
        self.page = page
        self.seen: dict[int, float] = {}

    async def watch(self) -> None:
        async with self.http.stream("GET", "/stream") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    (await self.http.get(self.page)).raise_for_status()
                    self.seen[int(line.removeprefix("data: "))] = time.perf_counter()

    def latency(self, act: int, sent: float) -> float | None:
        """Seconds from sending an act to the first page with it; None if it has not appeared."""
        return min((at - sent for n, at in self.seen.items() if n >= act), default=None)


async def send_results(hall: Hall, contest: Contest, pause: float) -> dict[int, float]:
    """Send the result of each table; return the times by log number."""
    sent: dict[int, float] = {}
    n = contest.head.n
    async with httpx.AsyncClient(base_url=hall.url, follow_redirects=True, timeout=30) as desk:
        await desk.get(hall.opening)
        form = (await desk.get("/results")).text
        (token,) = set(re.findall(r'name="csrf" value="(\w+)"', form))
        for nth, table in enumerate(contest.main[0].open):
            began = time.perf_counter()
            fields = {"csrf": token, "table": str(table.number), "score": "21" if nth % 2 else "02"}
            (await desk.post("/results", data=fields)).raise_for_status()
            n += 1
            sent[n] = began
            await asyncio.sleep(pause)
    return sent


async def measure(hall: Hall, phones: int, pause: float) -> list[float]:
    """Latencies in seconds from each act to each screen, sorted."""
    contest = hall.contest
    watchers = [Watcher(hall.url, "/public") for _ in range(phones)] + [Watcher(hall.url, "/screen?page=0")]
    tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    while not all(watcher.seen for watcher in watchers):  # noqa: ASYNC110  # each has its own event
        await asyncio.sleep(0.1)
    sent = await send_results(hall, contest, pause)
    last = max(sent)
    while any(watcher.latency(last, 0) is None for watcher in watchers):  # noqa: ASYNC110  # same
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    found = [watcher.latency(act, began) for act, began in sent.items() for watcher in watchers]
    return sorted(one for one in found if one is not None)


def main() -> int:
    """Measure; return 1 if the 99th percentile exceeds 300 ms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--phones", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two results")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        hall.fill(args.entries, 1, open_tables=args.entries // 2)
        hall.start()
        try:
            found = asyncio.run(measure(hall, args.phones, args.pause))
        finally:
            hall.end()
    p50, p99 = (1000 * found[int(share * (len(found) - 1))] for share in (0.5, 0.99))
    print(
        f"{args.entries} entries, {args.phones} phones and a screen, {len(found)} arrivals: "
        f"median {p50:.0f} ms, p99 {p99:.0f} ms, slowest {1000 * found[-1]:.0f} ms"
    )
    return int(p99 > 300)


if __name__ == "__main__":
    raise SystemExit(main())
