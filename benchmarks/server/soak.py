"""A long run: `python -m benchmarks.server.soak`. Prints the server's resources every minute while tables change.

A resource that grows neither with the tables in memory (3,000 at most) nor with the streams is leaking.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from benchmarks.server.generator import Options
from benchmarks.server.nodes import Node, crowds, nodes

FRIENDS = {"format": "1x1", "chair-0": "me", "chair-1": "friend"}
COMPUTER = {"format": "1x1", "chair-0": "me", "chair-1": "level:3"}
PATIENCE = 120.0
"""Timeout in seconds for the server's metrics, long since a soak runs beside other work."""
HEAD = (
    "minutes,server MiB,server descriptors,server threads,thinking MiB,thinking processes,tables,database MiB"
)


def main() -> None:
    args = read()
    with TemporaryDirectory() as told, ExitStack() as stack:
        folder = Path(told)
        (server,) = stack.enter_context(nodes(f"sqlite:///{folder / 'chouine.db'}", folder))
        playing = [
            Options(
                addresses=[server.url],
                matches=matches,
                first=first,
                seconds=args.minutes * 60 + 30,
                pace=args.pace,
                terms=terms,
            )
            for first, matches, terms in ((0, args.friends, FRIENDS), (10_000, args.computers, COMPUTER))
        ]
        people = stack.enter_context(crowds(playing, folder))
        print(HEAD, flush=True)
        begun = monotonic()
        for minute in range(args.minutes + 1):
            sleep(max(0.0, begun + 60 * minute - monotonic()))
            print(f"{minute},{line(server, folder / 'chouine.db')}", flush=True)
        for crowd in people:
            seen = crowd.stop()
            print(f"# {len(seen.answered)} moves, {seen.counts}, {len(seen.stuck)} stuck", flush=True)
        print(
            f"# {len((folder / 'node-0.err').read_text().splitlines())} lines in the server's log", flush=True
        )
        sys.stdout.write((folder / "node-0.err").read_text()[:2000])


def line(server: Node, database: Path) -> str:
    """A row of the table."""
    thinking = server.thinking
    held = sum(memory(pid) for pid in thinking)
    size = sum(file.stat().st_size for file in database.parent.glob(f"{database.name}*"))
    figures = (
        f"{memory(server.pid):.1f}",
        len(list(Path(f"/proc/{server.pid}/fd").iterdir())),
        len(list(Path(f"/proc/{server.pid}/task").iterdir())),
        f"{held:.1f}",
        len(thinking),
        rooms(server),
        f"{size / 2**20:.1f}",
    )
    return ",".join(map(str, figures))


def memory(pid: int) -> float:
    """Resident memory of a process in MiB."""
    found = Path(f"/proc/{pid}/statm")
    return int(found.read_text().split()[1]) * 4096 / 2**20 if found.exists() else 0.0


def rooms(server: Node) -> int:
    """Tables in memory, from the server's metrics."""
    from urllib.request import urlopen

    with urlopen(f"{server.url}/metrics", timeout=PATIENCE) as answer:  # noqa: S310  # our own server
        told = answer.read().decode().splitlines()
    return next(int(float(row.split()[1])) for row in told if row.startswith("chouine_rooms "))


def read() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.soak", description=__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--friends", type=int, default=12, help="matches between friends at a time")
    parser.add_argument("--computers", type=int, default=3, help="matches against a computer at a time")
    parser.add_argument("--pace", type=float, default=0.2, help="seconds a player thinks")
    return parser.parse_args()


if __name__ == "__main__":
    main()
