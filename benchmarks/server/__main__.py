"""Measure the server: one run with these options, or with `--all` the runs of `benchmarks/server.md`."""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.__main__ import processor
from benchmarks.server.nodes import Unable
from benchmarks.server.player import ASKING
from benchmarks.server.runs import Figures, Idle, Plan, against, figures, idle, run

WRITTEN = Path(__file__).parents[1] / "server.md"
HEAD = ("what", "live matches", "moves/s", "median, ms", "p99, ms", "others notified, median, ms", "p99, ms",
        "server, ms of processor a move", "processors busy", "memory, MiB", "notes")  # fmt: skip
PACED = [
    Plan("10 matches, a move every 4 s", 10, 30),
    Plan("200 matches, 100 finished before", 200, 30, finished=100),
    Plan("200 matches, 10,000 finished before", 200, 30, finished=10_000),
    Plan("20 matches without streams, asking every half second", 20, 20, asking=ASKING),
]
CEILINGS = [
    Plan(f"as fast as it goes, {name}, {many} node{'s' * (many > 1)}", 150, 20, 0.0, kind, many)
    for kind, name in (("sqlite", "SQLite"), ("postgresql", "PostgreSQL"))
    for many in (1, 2)
]
HINTED = Plan("as fast as it goes, PostgreSQL and Redis, 2 nodes", 150, 20, 0.0, "postgresql", 2, redis=True)
FULL = Plan("2,000 matches, a move every 4 s", 2000, 60, settle=15.0)
STREAMS = 2000


def main() -> None:
    args = read()
    if args.all:
        everything()
        return
    plan = Plan(
        name=args.name,
        matches=args.matches,
        seconds=args.seconds,
        pace=0.0 if args.ceiling else args.pace,
        database=args.database,
        nodes=args.nodes,
        redis=args.redis,
        finished=args.finished,
        asking=ASKING if args.streams == "poll" else None,
        crowds=args.crowds,
        settle=args.settle,
    )
    print(heading())
    print(table([elsewhere(plan, args.address) if args.address else run(plan)]), end="")


def everything() -> None:
    """Run all plans and write each result at once: a run that fails is reported too.

    The sections of the file, from its first heading on, are kept.
    """
    _, heading_mark, sections = WRITTEN.read_text().partition("\n## ")
    told = f"{heading()}\n{idle_told(idle(STREAMS))}\n{table([])}"
    print(told, end="", flush=True)
    for plan in (*PACED, *CEILINGS, HINTED, FULL):
        try:
            line = join_cells(row(run(plan)))
        except Unable:
            line = join_cells(
                (plan.name, f"{plan.matches:,}", *["–"] * (len(HEAD) - 3), "not everybody could sit down")
            )
        print(line, end="", flush=True)
        told += line
        WRITTEN.write_text(f"{told}{heading_mark}{sections}")


def elsewhere(plan: Plan, addresses: list[str]) -> Figures:
    """Measure servers that are already running; their processor time and memory are unknown."""
    with tempfile.TemporaryDirectory() as folder:
        return figures(plan, against(plan, addresses, Path(folder)), float("nan"), 0)


def read() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument(
        "--all", action="store_true", help="measure everything, and write benchmarks/server.md"
    )
    parser.add_argument("--name", default="one run")
    parser.add_argument("--matches", type=int, default=200, help="played at once")
    parser.add_argument("--pace", type=float, default=4.0, help="seconds a player thinks")
    parser.add_argument("--ceiling", action="store_true", help="nobody thinks: as fast as it goes")
    parser.add_argument("--seconds", type=float, default=20.0, help="measured, once all play")
    parser.add_argument("--streams", choices=("sse", "poll"), default="sse", help="how players hear of moves")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or an empty one's address")
    parser.add_argument("--nodes", type=int, default=1, help="servers to start")
    parser.add_argument("--redis", action="store_true", help="nodes hear of each other's moves by Redis")
    parser.add_argument("--finished", type=int, default=0, help="matches that are over, there before")
    parser.add_argument("--crowds", type=int, default=1, help="processes of players")
    parser.add_argument(
        "--settle", type=float, default=3.0, help="seconds from the last table set to counting"
    )
    parser.add_argument("--address", nargs="+", help="servers that run already, instead of any started here")
    return parser.parse_args()


def heading() -> str:
    """The title with commit, time and machine."""
    describe = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(describe, capture_output=True, text=True, check=False, cwd=WRITTEN.parent)  # noqa: S603
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    machine = f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} when it began"
    return (
        f"# The server under load\n\n{when}, commit {commit.stdout.strip() or 'unknown'}, {machine}; written by "
        "`make bench-server`.\n\n"
        "A separate process on the same machine simulates browsers: two players a match, a stream each, commands over\n"
        "connections kept open as by a proxy. Times are from a move being due to its answer, including the players'\n"
        "own delay and retries. Injected faults, and the check of all logs by the rules afterwards:\n"
        "`pytest -m '' tests/faults`; hostile clients: `pytest -m '' tests/attack`.\n"
    )


def table(rows: Iterable[Figures]) -> str:
    return "".join(map(join_cells, [HEAD, ("---", *["---:"] * (len(HEAD) - 2), "---"), *map(row, rows)]))


def join_cells(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def row(told: Figures) -> tuple[str, ...]:
    numbers = (
        told.moves,
        told.median,
        told.p99,
        told.seen,
        told.seen99,
        told.processor,
        told.busy,
        told.memory,
    )
    load = f"load {os.getloadavg()[0]:.0f}"
    places = (1, 1, 1, 1, 1, 2, 2, 0)
    rest = ", ".join([*(f"{what}: {times}" for what, times in sorted(told.counts.items())), load])
    shown = (f"{number:,.{place}f}" for number, place in zip(numbers, places, strict=True))
    return (told.plan.name, f"{told.plan.matches:,}", *shown, rest)


def idle_told(told: Idle) -> str:
    return (
        f"{told.streams:,} idle streams: {told.kib:.1f} KiB of the server's memory each, "
        f"{told.busy:.3f} processors busy, {told.lost} lost.\n"
    )


if __name__ == "__main__":
    main()
