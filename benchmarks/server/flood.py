"""Response times of level 1 while one address floods the server: `python -m benchmarks.server.flood`.

One address opens tables of level 8 against itself; persons at other addresses play level 1, before and during that.
Response times are from the log: from the entry before to the computer's act.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import time

import msgspec

from benchmarks.server.generator import Match
from benchmarks.server.http import Browser, Network
from benchmarks.server.nodes import nodes
from benchmarks.server.player import Manner
from benchmarks.server.tally import Tally, percentile

PERSON = {"format": "5x2", "chair-0": "me", "chair-1": "level:1"}
COMPUTERS = {"format": "5x1", "chair-0": "level:8", "chair-1": "level:8"}
ATTACKER = 1_000_000
EACH = 4
"""Tables of computers alone that a visitor may open in ten minutes."""
PROXIED = {"CHOUINE_TRUSTED_PROXIES": "127.0.0.1"}
"""Lets each browser have its own address."""


class Entry(msgspec.Struct):
    """The fields of a log entry that identify the actor."""

    kind: str
    seat: int | None = None


async def play_through_attack(address: str, args: argparse.Namespace) -> tuple[float, float]:
    """Play without and then with the attack; return the times of its start and of its steady state."""
    network, manner, tally = Network([address]), Manner(args.pace, None), Tally()
    people = [Match(network, nth, manner, tally, PERSON) for nth in range(args.people)]
    attack = [Match(network, ATTACKER + nth, manner, tally, COMPUTERS) for nth in range(args.tables)]
    visitors = [Browser(network, ATTACKER) for _ in range(0, args.tables, EACH)]
    for nth, match in enumerate(attack):
        match.players[0].browser = visitors[nth // EACH]
    async with asyncio.TaskGroup() as everybody:
        tasks = [everybody.create_task(match.run()) for match in people]
        await asyncio.sleep(args.seconds)
        begun = time()
        tasks += [everybody.create_task(match.run()) for match in attack]
        for match in attack:
            await match.seated.wait()
        settled = time()
        await asyncio.sleep(args.seconds)
        for task in tasks:
            task.cancel()
    network.close()
    return begun, settled


def answers(database: Path, seat: int, kinds: tuple[str, str]) -> Iterator[tuple[float, float]]:
    """Times and response times of computers at this seat, at tables with these kinds of players."""
    with closing(sqlite3.connect(database)) as connection:
        logs: dict[str, list[tuple[str, float]]] = {}
        for table_id, body, at in connection.execute("SELECT game, body, at FROM entry ORDER BY game, n"):
            logs.setdefault(table_id, []).append((body, at))
    for log in logs.values():
        if all(f'"{kind}"' in str(log[0][0]) for kind in kinds):
            for (_, before), (body, at) in pairwise(log):
                entry = msgspec.json.decode(body, type=Entry)
                if entry.kind == "acted" and entry.seat == seat:
                    yield at, at - before


def describe_times(name: str, seconds: list[float]) -> str:
    if not seconds:
        return f"{name}: no answers"
    return (
        f"{name}: {len(seconds)} answers, median {median(seconds):.2f} s, nine in ten within"
        f" {percentile(seconds, 0.9):.2f} s, longest {max(seconds):.2f} s"
    )


def main() -> None:
    args = read()
    with TemporaryDirectory() as folder:
        database = Path(folder) / "chouine.db"
        with nodes(f"sqlite:///{database}", Path(folder), 1, PROXIED) as (server,):
            begun, settled = asyncio.run(play_through_attack(server.url, args))
        found = [*answers(database, 1, ("person", "level:1"))]
        print(describe_times("level 1, nobody else", [seconds for at, seconds in found if at < begun]))
        print(
            describe_times(
                f"level 1, {args.tables} tables of level 8", [s for at, s in found if at > settled]
            )
        )
        attackers = [*answers(database, 1, ("level:8", "level:8"))]
        print(describe_times("level 8 there", [seconds for at, seconds in attackers if at > settled]))


def read() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.flood", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="of level 8 against level 8, from one address")
    parser.add_argument("--people", type=int, default=3, help="who play against level 1")
    parser.add_argument("--seconds", type=float, default=60.0, help="without the attack, and with it")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds a person thinks")
    return parser.parse_args()


if __name__ == "__main__":
    main()
