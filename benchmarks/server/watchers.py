"""Idle spectators: `python -m benchmarks.server.watchers ADDRESS NUMBER` opens streams of one table.

Prints `before` once the table exists, waits for a line, prints `watching` when all streams are open, and keeps them
open until its input ends.
"""

from __future__ import annotations

import asyncio
import sys

import uvloop

from benchmarks.arguments import read_arguments
from benchmarks.server import pages
from benchmarks.server.http import Browser, Connection, Network

AT_ONCE = 50


async def watch(address: str, number: int) -> None:
    network = Network([address])
    host = Browser(network, 1)
    csrf = pages.first(pages.CSRF, (await host.get("/")).text)
    terms = {"csrf": csrf, "format": "1x1", "chair-0": "me", "chair-1": "friend"}
    game = (await host.post("/new", terms)).location
    print("before", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(nth: int) -> Connection:
        async with gate:
            return await Browser(network, nth + 2).stream(f"{game}/stream", lambda _: None)

    streams = await asyncio.gather(*map(one, range(number)))
    print("watching", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    lost = sum(stream.ended for stream in streams)
    print(lost, flush=True)


if __name__ == "__main__":
    uvloop.run(watch(*read_arguments(__doc__, address=str, count=int)))
