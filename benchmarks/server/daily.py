"""Moves at tables while many open the deal of the day: `python -m benchmarks.server.daily`.

One node with SQLite. Tables of two people play all the time; in turn nobody else comes, and visitors of the day come at
the rate of 10,000 in ten minutes, to a day that as many have finished already. Printed are the moves' times with and
without them, their ratio, and what the visitors met, with the server's memory and the rows they leave.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time
from urllib.request import urlopen

import msgspec
import sqlalchemy as sa

from benchmarks.server import pages
from benchmarks.server.day_visitors import BEGIN, Seen
from benchmarks.server.flood import PROXIED
from benchmarks.server.generator import Options
from benchmarks.server.nodes import ROOT, Node, crowds, nodes
from benchmarks.server.tally import percentile
from chouine.daily import PARTIES
from chouine.server.schema import daily_listing, daily_play

TEN_MINUTES, VISITORS = 600, 10_000
FRIENDS = {"format": "5x2", "chair-0": "me", "chair-1": "friend"}
FIRST = 1_000_000
"""The number of the first visitor of the day: all other browsers have lower ones."""
ACTS = ("Ks", "Qh", "7d", "Ac")
SETTLE = 3.0
"""Seconds from the last table set to counting."""


@dataclass
class Turns:
    """The moves of all turns without the visitors, or with them."""

    answered: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    """Processors used by the server, in each turn."""


def play(server: Node, folder: Path, args: argparse.Namespace, turn: int, seen: list[Seen] | None) -> Turns:
    """One turn; `seen`: where the visitors' times go, None without visitors."""
    options = Options(
        addresses=[server.url],
        matches=args.matches,
        first=turn * args.matches,
        seconds=args.seconds + SETTLE,
        settle=SETTLE,
        pace=args.pace,
        terms=FRIENDS,
    )
    with crowds([options], folder) as (crowd,):
        before = server.processor
        with visitors(server, args, turn) if seen is not None else no_visitors() as coming:
            told = crowd.outputs()
            if coming is not None and seen is not None:
                seen.append(msgspec.json.decode(coming.communicate()[0], type=Seen))
        busy = (server.processor - before) / (args.seconds + SETTLE)
    return Turns([1000 * time for time in told.answered], [busy])


@contextmanager
def visitors(server: Node, args: argparse.Namespace, turn: int) -> Iterator[subprocess.Popen[bytes] | None]:
    """A process of visitors; killed at the end."""
    first = FIRST + turn * round(args.rate * (args.seconds + SETTLE))
    said = (server.url, str(args.rate), str(args.seconds + SETTLE), str(first))
    command = [sys.executable, "-m", "benchmarks.server.day_visitors", *said]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as coming:  # noqa: S603
        try:
            yield coming
        finally:
            coming.kill()  # which does nothing to one that has ended


@contextmanager
def no_visitors() -> Iterator[None]:
    yield None


def today(server: Node) -> str:
    """The present day of the server."""
    with urlopen(f"{server.url}/daily") as page:  # noqa: S310  # our own server
        return pages.first(BEGIN, page.read().decode()).rpartition("/")[2]


def fill(database: Path, day: str, players: int) -> None:
    """Add players who have finished the day, each with other results and acts; one in ten is listed by name."""
    rng, now = Random(1), time()
    own = {"day": day, "begun": now, "ended": now, "counts": True}
    played = [
        own
        | {"guest": f"{guest:032}", "nth": nth, "table_id": f"{guest:031}{nth}", "mark": rng.choice((0, 2))}
        | {"gain": rng.randrange(1, 90), "acts": " ".join(rng.choices(ACTS, k=16))}
        for guest in range(players)
        for nth in range(PARTIES)
    ]
    listed = [
        {"guest": f"{guest:032}", "name": f"Joueur {guest}", "at": now} for guest in range(0, players, 10)
    ]
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        for table, added in ((daily_play, played), (daily_listing, listed)):
            if added:
                connection.execute(table.insert(), added)
    engine.dispose()


def rows(database: Path) -> dict[str, int]:
    """The number of rows of each table of a database."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
            for (name,) in found
        }


def row(name: str, turns: Turns) -> str:
    times = turns.answered
    shown = f"{len(times):,} | {percentile(times, 0.5):.1f} | {percentile(times, 0.99):.1f}"
    return f"| {name} | {shown} | {sum(turns.busy) / len(turns.busy):.2f} |"


def times_line(name: str, times: Sequence[float]) -> str:
    return f"{name}: {len(times):,}, median {percentile([*times], 0.5):.2f} s, p99 {percentile([*times], 0.99):.2f} s"


def main() -> None:
    args = read()
    alone, among, seen = Turns(), Turns(), list[Seen]()
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "chouine.db"
        with nodes(f"sqlite:///{database}", folder, 1, PROXIED) as (server,):
            fill(database, today(server), args.finished)
            before = rows(database)
            for turn in range(0, 2 * args.rounds, 2):
                for turns, met in ((alone, None), (among, seen)):
                    done = play(server, folder, args, turn + (met is not None), met)
                    turns.answered += done.answered
                    turns.busy += done.busy
                    print(row("visitors" if met is not None else "nobody", done), flush=True)
            memory, after = server.memory / 2**20, rows(database)
    print(
        "| who comes | moves | median, ms | p99, ms | processors busy |\n| --- | ---: | ---: | ---: | ---: |"
    )
    print(row("nobody", alone))
    print(row(f"{args.rate:.1f} visitors of the day a second", among))
    ratio = percentile(among.answered, 0.99) / percentile(alone.answered, 0.99)
    print(f"\np99 of moves: × {ratio:.2f}; memory of the server at the end: {memory:.0f} MiB")
    for what, times in (
        ("pages", [each for one in seen for each in one.page]),
        ("parties begun", [each for one in seen for each in one.begun]),
        ("first acts", [each for one in seen for each in one.acted]),
    ):
        print(times_line(what, times))
    came, counts = sum(one.came for one in seen), [one.counts for one in seen]
    grown = {name: after[name] - count for name, count in before.items() if after[name] != count}
    print(f"{came:,} visitors, {counts}; rows added by all: {grown}")


def read() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.daily", description=__doc__)
    parser.add_argument("--finished", type=int, default=VISITORS, help="who have played the day already")
    parser.add_argument("--matches", type=int, default=100, help="tables of two people")
    parser.add_argument("--pace", type=float, default=4.0, help="seconds a player thinks")
    parser.add_argument("--rate", type=float, default=VISITORS / TEN_MINUTES, help="visitors a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each turn")
    parser.add_argument("--rounds", type=int, default=2, help="turns without and with visitors")
    return parser.parse_args()


if __name__ == "__main__":
    main()
