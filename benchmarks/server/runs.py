"""One measurement: servers started, players let loose on them, what it cost and what they saw."""

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

from benchmarks.server.generator import Options, Told
from benchmarks.server.history import fill
from benchmarks.server.nodes import ROOT, Node, crowds, nodes
from benchmarks.server.postgres import postgres
from benchmarks.server.tally import percentile
from chouine.cli.serve import database_url
from chouine.server.migrations import upgrade
from tests.server.redis import redis_server


@dataclass(frozen=True)
class Plan:
    """What is played on what."""

    name: str
    matches: int
    seconds: float
    pace: float = 4.0
    """0: as fast as the answers come."""
    database: str = "sqlite"
    nodes: int = 1
    redis: bool = False
    """Whether the nodes hear of each other's moves by a Redis of their own."""
    finished: int = 0
    """Matches that are over, there before."""
    asking: float | None = None
    crowds: int = 1
    """Processes of players."""
    settle: float = 3.0
    """Seconds between the last table being set and the counting."""
    terms: dict[str, str] = field(
        default_factory=lambda: {"format": "5x2", "chair-0": "me", "chair-1": "friend"}
    )


@dataclass(frozen=True)
class Figures:
    """What one run gave. Times in milliseconds."""

    plan: Plan
    moves: float
    """A second."""
    median: float
    p99: float
    seen: float
    seen99: float
    """Until another at the table is told."""
    processor: float
    """The nodes' processor time a move."""
    busy: float
    """Processors that the nodes kept busy."""
    memory: float
    """MiB of all nodes at the end."""
    counts: dict[str, int]


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """An empty database in its newest shape: of its own kind, or the one at an address."""
    if kind == "postgresql":
        with postgres() as server:
            yield server.url
    elif kind == "sqlite":
        yield f"sqlite:///{folder / 'chouine.db'}"
    else:
        yield kind


def run(plan: Plan) -> Figures:
    """Measure it once."""
    with TemporaryDirectory() as told, database(plan.database, Path(told)) as address:
        if plan.finished:
            upgrade(database_url(address))
            fill(database_url(address), plan.finished)
        with (
            hints(plan) as environment,
            nodes(address, Path(told), plan.nodes, environment) as servers,
        ):
            return measured(plan, servers, Path(told))


@contextmanager
def hints(plan: Plan) -> Iterator[dict[str, str]]:
    """What the nodes are told of Redis, where the plan wants one."""
    if plan.redis:
        with redis_server() as server:
            yield {"CHOUINE_REDIS_URL": server.url}
    else:
        yield {}


def against(plan: Plan, addresses: list[str], folder: Path) -> list[Told]:
    """Only the players, against servers that others run."""
    with crowds(options(plan, addresses), folder) as playing:
        return [crowd.outputs() for crowd in playing]


def options(plan: Plan, addresses: list[str]) -> list[Options]:
    """What each process plays."""
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


def measured(plan: Plan, servers: list[Node], folder: Path) -> Figures:
    """Of the time after the ramp: the same seconds for players and processors."""
    with crowds(options(plan, [server.url for server in servers]), folder) as playing:
        sleep(plan.settle)
        before = sum(server.processor for server in servers)
        sleep(plan.seconds)
        used = sum(server.processor for server in servers) - before
        memory = sum(server.memory for server in servers)
        return figures(plan, [crowd.outputs() for crowd in playing], used, memory)


def figures(plan: Plan, told: list[Told], used: float, memory: int) -> Figures:
    """All processes' players together."""
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
    """What those cost who only look on."""

    streams: int
    lost: int
    kib: float
    """Memory of the server for each stream."""
    busy: float
    """Processors kept busy while nothing happens."""


def idle(streams: int, seconds: float = 20.0) -> Idle:
    """Streams of a table where nothing happens."""
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
