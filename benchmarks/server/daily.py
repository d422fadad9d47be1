"""Moves at tables while many open the deal of the day: `python -m benchmarks.server.daily`.

One node with SQLite. Tables of two people play all the time; in turn nobody else comes, and visitors of the day come at
the rate of 10,000 in ten minutes, to a day that as many have finished already. Printed are the moves' times with and
without them, their ratio, and what the visitors met, with the server's memory and the rows they leave. Visitors and
players need the processors too, so there is a third kind of turn: as many visitors come to another server meanwhile.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time
from typing import NamedTuple
from urllib.request import urlopen

import msgspec
import sqlalchemy as sa

from benchmarks.server import pages
from benchmarks.server.day_visitors import BEGIN, VisitReport
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
SINCE = (120, 36_000)
"""Seconds since those who are there before had finished."""
ACTS = ("Ks", "Qh", "7d", "Ac")
SETTLE = 3.0
"""Seconds from the last table set to counting."""


class Turn(NamedTuple):
    """What was measured in a turn."""

    answered: list[float]
    """Milliseconds of each move."""
    busy: float
    """Processors used by the server of the tables."""
    seen: VisitReport | None


def play(server: Node, visited: Node | None, folder: Path, args: argparse.Namespace, turn: int) -> Turn:
    """One turn; `visited`: the server to which visitors come."""
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
        with visitors(visited, args, turn) if visited is not None else nullcontext() as coming:
            told = crowd.outputs()
            busy = (server.processor - before) / options.seconds
            seen = None if coming is None else msgspec.json.decode(coming.communicate()[0], type=VisitReport)
    return Turn([1000 * time for time in told.answered], busy, seen)


@contextmanager
def visitors(server: Node, args: argparse.Namespace, turn: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process of visitors; killed at the end."""
    first = FIRST + turn * round(args.rate * (args.seconds + SETTLE))
    said = (server.url, str(args.rate), str(args.seconds + SETTLE), str(first))
    command = [sys.executable, "-m", "benchmarks.server.day_visitors", *said]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as coming:  # noqa: S603
        try:
            yield coming
        finally:
            coming.kill()  # which does nothing to one that has ended


def today(server: Node) -> str:
    """The present day of the server."""
    with urlopen(f"{server.url}/daily") as page:  # noqa: S310  # our own server
        return pages.first(BEGIN, page.read().decode()).rpartition("/")[2]


def fill(database: Path, day: str, players: int) -> None:
    """Add players who have finished the day, each with other results and acts; one in ten is listed by name."""
    rng, now = Random(1), time()
    own = {"day": day, "begun": now, "counts": True}
    played = [
        own
        | {"ended": now - rng.uniform(*SINCE)}
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


def row(name: str, turns: Sequence[Turn]) -> str:
    times = [time for turn in turns for time in turn.answered]
    shown = f"{len(times):,} | {percentile(times, 0.5):.1f} | {percentile(times, 0.99):.1f}"
    return f"| {name} | {shown} | {sum(turn.busy for turn in turns) / len(turns):.2f} |"


def times_line(name: str, times: Sequence[float]) -> str:
    return f"{name}: {len(times):,}, median {percentile([*times], 0.5):.2f} s, p99 {percentile([*times], 0.99):.2f} s"


def main() -> None:
    args = read()
    turns: dict[str, list[Turn]] = {"nobody": [], "visitors to another server": [], "visitors": []}
    with TemporaryDirectory() as name:
        folder, other = Path(name), Path(name) / "other"
        other.mkdir()
        database = folder / "chouine.db"
        with (
            nodes(f"sqlite:///{database}", folder, 1, PROXIED) as (server,),
            nodes(f"sqlite:///{other / 'chouine.db'}", other, 1, PROXIED) as (elsewhere,),
        ):
            for node, file in ((server, database), (elsewhere, other / "chouine.db")):
                fill(file, today(node), args.finished)
            before = rows(database)
            for nth in range(args.rounds):
                for at, visited in enumerate((None, elsewhere, server)):
                    kind = [*turns][at]
                    turn = play(server, visited, folder, args, len(turns) * nth + at)
                    turns[kind].append(turn)
                    print(row(kind, [turn]), flush=True)
            memory, after = server.memory / 2**20, rows(database)
    print(
        "\n| who comes | moves | median, ms | p99, ms | processors busy |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for kind, done in turns.items():
        print(row(kind, done))
    seen = [turn.seen for turn in turns["visitors"] if turn.seen]
    print(f"\n{args.rate:.1f} visitors a second; memory of the server at the end: {memory:.0f} MiB")
    print(times_line("pages", [each for one in seen for each in one.page]))
    print(times_line("parties begun", [each for one in seen for each in one.begun]))
    print(times_line("first acts", [each for one in seen for each in one.acted]))
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
