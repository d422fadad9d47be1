"""One measurement: start servers, apply load, collect costs and results."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from benchmarks.server.generator import Options, ProcessReport
from benchmarks.server.nodes import ROOT, Node, crowds, nodes, postgres
from benchmarks.server.storage import fill
from benchmarks.server.tally import percentile
from chouine.cli.databases import database_url
from chouine.server.migrations import upgrade
from tests.server.redis import redis_server


@dataclass(frozen=True)
class Plan:
    """The load and the servers of a run."""

    name: str
    matches: int
    seconds: float
    pace: float = 4.0
    """Seconds of thinking; 0: at once."""
    database: str = "sqlite"
    nodes: int = 1
    redis: bool = False
    """Whether nodes notify each other through Redis."""
    finished: int = 0
    """Finished matches inserted before."""
    asking: float | None = None
    crowds: int = 1
    """Processes of players."""
    settle: float = 3.0
    """Seconds between opening the last table and the measurement."""
    terms: dict[str, str] = field(
        default_factory=lambda: {"format": "5x2", "chair-0": "me", "chair-1": "friend"}
    )


@dataclass(frozen=True)
class Figures:
    """The results of a run; times in milliseconds."""

    plan: Plan
    moves: float
    """Moves a second."""
    median: float
    p99: float
    seen: float
    seen99: float
    """99th percentile of the time until another player is notified; `seen` is the median."""
    processor: float
    """The nodes' processor time for each move."""
    busy: float
    """Processors used by the nodes."""
    memory: float
    """MiB of all nodes at the end."""
    counts: dict[str, int]


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty, migrated database of this kind; other values are taken as an address."""
    if kind == "postgresql":
        with postgres() as server:
            yield server.url
    elif kind == "sqlite":
        yield f"sqlite:///{folder / 'chouine.db'}"
    else:
        yield kind


def run(plan: Plan) -> Figures:
    """Run a plan once."""
    with TemporaryDirectory() as told, database(plan.database, Path(told)) as address:
        if plan.finished:
            upgrade(database_url(address))
            fill(database_url(address), plan.finished)
        with (
            hints(plan) as environment,
            nodes(address, Path(told), plan.nodes, environment) as servers,
        ):
            return measure_players(plan, servers, Path(told))


@contextmanager
def hints(plan: Plan) -> Iterator[dict[str, str]]:
    """The nodes' environment variables for Redis, if the plan has it."""
    if plan.redis:
        with redis_server() as server:
            yield {"CHOUINE_REDIS_URL": server.url}
    else:
        yield {}


def against(plan: Plan, addresses: list[str], folder: Path) -> list[ProcessReport]:
    """Run only the players, against existing servers."""
    with crowds(options(plan, addresses), folder) as playing:
        return [crowd.outputs() for crowd in playing]


def options(plan: Plan, addresses: list[str]) -> list[Options]:
    """The options of each process of players."""
    each = ceil(plan.matches / plan.crowds)
    return [
        Options(
            addresses=addresses,
            matches=min(each, plan.matches - nth * each),
            first=nth * each,
            seconds=plan.seconds + plan.settle,
            settle=plan.settle,
            pace=plan.pace,
            asking=plan.asking,
            terms=plan.terms,
        )
        for nth in range(plan.crowds)
    ]


def measure_players(plan: Plan, servers: list[Node], folder: Path) -> Figures:
    """Measure players and processors over the same seconds, after the ramp."""
    with crowds(options(plan, [server.url for server in servers]), folder) as playing:
        sleep(plan.settle)
        before = sum(server.processor for server in servers)
        sleep(plan.seconds)
        used = sum(server.processor for server in servers) - before
        memory = sum(server.memory for server in servers)
        return figures(plan, [crowd.outputs() for crowd in playing], used, memory)


def figures(plan: Plan, told: list[ProcessReport], used: float, memory: int) -> Figures:
    """The merged results of all processes."""
    answered = [1000 * time for each in told for time in each.answered]
    seen = [1000 * time for each in told for time in each.seen]
    counts = sum((Counter(each.counts) for each in told), Counter[str]())
    counts["stuck"] = sum(len(each.stuck) for each in told)
    return Figures(
        plan,
        moves=len(answered) / plan.seconds,
        median=percentile(answered, 0.5),
        p99=percentile(answered, 0.99),
        seen=percentile(seen, 0.5),
        seen99=percentile(seen, 0.99),
        processor=1000 * used / max(1, len(answered)),
        busy=used / plan.seconds,
        memory=memory / 2**20,
        counts=dict(+counts),
    )


@dataclass(frozen=True)
class Idle:
    """The cost of idle spectators."""

    streams: int
    lost: int
    kib: float
    """Memory of the server for each stream, in KiB."""
    busy: float
    """Processors used while nothing happens."""


def idle(streams: int, seconds: float = 20.0) -> Idle:
    """Measure the streams of an idle table."""
    with TemporaryDirectory() as told, nodes(f"sqlite:///{told}/chouine.db", Path(told)) as (server,):
        looking = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "benchmarks.server.watchers", server.url, str(streams)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            cwd=ROOT,
        )
        if looking.stdin is None or looking.stdout is None:
            raise RuntimeError("nobody looks on")
        with looking:
            looking.stdout.readline()
            sleep(2)
            empty = server.memory
            looking.stdin.write("\n")
            looking.stdout.readline()
            before = server.processor
            sleep(seconds)
            busy = (server.processor - before) / seconds
            full = server.memory
            looking.stdin.write("\n")
            lost = int(looking.stdout.readline())
    return Idle(streams, lost, (full - empty) / 1024 / streams, busy)
