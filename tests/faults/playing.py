"""Play by simulated browsers during a fault, and checks of the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep

import pytest

from benchmarks.server.check import Acknowledged, Report, check, read
from benchmarks.server.generator import Options, ProcessReport
from benchmarks.server.nodes import Node, crowds
from chouine.cli.databases import database_url
from tests.patience import PATIENCE

FRIENDS = {"format": "5x2", "chair-0": "me", "chair-1": "friend"}
COMPUTER = {"format": "5x2", "chair-0": "me", "chair-1": "heuristic"}
CLOCKED = FRIENDS | {"move": "15", "reserve": "0"}
"""Fifteen seconds a move, without a reserve."""


@dataclass(frozen=True)
class Size:
    """The amount of play around a fault."""

    matches: int
    pace: float
    before: float
    """Seconds of play before the fault."""
    after: float
    """Seconds of play after the recovery; then each match must still move."""


SHORT = Size(30, 0.5, 2, 10)
LONG = pytest.param(Size(1000, 4.0, 20, 60), id="long", marks=[pytest.mark.nightly, pytest.mark.timeout(600)])
SIZES = [pytest.param(SHORT, id="short"), LONG]


def play_through(
    servers: list[Node],
    folder: Path,
    size: Size,
    fault: Callable[[], None],
    terms: dict[str, str] | None = None,
) -> ProcessReport:
    """Play while `fault` breaks and restores something, then check all logs by the rules."""
    ledger = folder / "ledger"
    options = Options(
        addresses=[server.url for server in servers],
        matches=size.matches,
        pace=size.pace,
        seconds=600,
        ramp=size.pace,
        answer=PATIENCE
        / 3,  # whoever asks anew after seconds keeps a slow machine busy with answers to nobody
        patience=PATIENCE,
        seated=5 * PATIENCE,
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
    """The effect of a fault on play, in seconds."""

    broken: float
    """From the fault to the recovery."""
    silent: float
    """The longest time without an acknowledged move after the fault."""
    first: float
    """From the recovery to the first acknowledged move."""
    every: float
    """From the recovery until every match has had a move."""

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


def account(size: Size, told: ProcessReport, report: Report, went: Went) -> str:
    """A table row for `benchmarks/server.md`; `pytest -rP` shows it."""
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
