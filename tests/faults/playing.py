"""A crowd that plays while something breaks, and what must hold of it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep

import pytest

from benchmarks.server.check import Acknowledged, Report, check, read
from benchmarks.server.generator import Options, Told
from benchmarks.server.nodes import Node, crowds
from chouine.cli.serve import database_url

FRIENDS = {"format": "5x2", "chair-0": "me", "chair-1": "friend"}
COMPUTER = {"format": "5x2", "chair-0": "me", "chair-1": "heuristic"}
CLOCKED = FRIENDS | {"move": "15", "reserve": "0"}
"""Fifteen seconds a move, and nothing beyond."""


@dataclass(frozen=True)
class Size:
    """How much is played around a fault."""

    matches: int
    pace: float
    before: float
    """Seconds of play before the fault."""
    after: float
    """Seconds of play after it is mended."""
    patience: float
    """Seconds after which a match is stuck where nothing happens: a browser asks again every ten at the latest."""


SHORT = Size(30, 0.5, 2, 10, 8)
LONG = pytest.param(
    Size(1000, 4.0, 20, 60, 30), id="long", marks=[pytest.mark.nightly, pytest.mark.timeout(600)]
)
SIZES = [pytest.param(SHORT, id="short"), LONG]
AT_NIGHT = [pytest.param(replace(SHORT, after=25, patience=15), id="short"), LONG]
"""With more patience than a browser waits at most before it tries again."""


def play_through(
    servers: list[Node],
    folder: Path,
    size: Size,
    fault: Callable[[], None],
    terms: dict[str, str] | None = None,
) -> Told:
    """Play; while `fault` breaks something and mends it; then hold all of it against the rules."""
    ledger = folder / "ledger"
    options = Options(
        addresses=[server.url for server in servers],
        matches=size.matches,
        pace=size.pace,
        seconds=600,
        ramp=size.pace,
        patience=size.patience,
        terms=terms or FRIENDS,
        ledger=str(ledger),
    )
    with crowds([options], folder) as (crowd,):
        sleep(size.before)
        broken = monotonic()
        fault()
        mended = monotonic()
        sleep(size.after)
        told = crowd.stop()
    report = check(database_url(servers[0].database), [ledger])
    went = Went.on(read(ledger), broken, mended)
    print(account(size, told, report, went))  # noqa: T201  # what was measured
    assert report.faults == ()
    assert report.acknowledged > size.matches
    assert told.stuck == []
    return told


@dataclass(frozen=True)
class Went:
    """How play went on. All in seconds."""

    broken: float
    """From the fault to its being mended."""
    silent: float
    """The longest in which no move at all was acknowledged, once the fault had come."""
    first: float
    """From its being mended to the first move acknowledged."""
    every: float
    """The same to the moment at which every match had moved."""

    @classmethod
    def on(cls, acknowledged: list[Acknowledged], broken: float, mended: float) -> Went:
        moments = sorted(at for *_, at in acknowledged if at > broken)
        after: dict[str, float] = {}
        for game, _, _, at in acknowledged:
            if at > mended:
                after[game] = min(at, after.get(game, at))
        before = {game for game, _, _, at in acknowledged if at <= broken}
        return cls(
            broken=mended - broken,
            silent=max(later - earlier for earlier, later in pairwise([broken, *moments])),
            first=min(after.values()) - mended,
            every=max(after[game] for game in before if game in after) - mended,
        )


def account(size: Size, told: Told, report: Report, went: Went) -> str:
    """A line for `benchmarks/server.md`; `pytest -rP` shows it."""
    cells = (
        f"{size.matches:,}",
        f"{report.acknowledged:,}",
        str(report.lost),
        str(report.doubled),
        str(len(report.faults)),
        str(len(told.stuck)),
        *(f"{seconds:.1f}" for seconds in (went.broken, went.silent, went.first, went.every)),
        ", ".join(f"{what}: {times:,}" for what, times in sorted(told.counts.items())),
    )
    return f"| {' | '.join(cells)} |"
