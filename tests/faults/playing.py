"""A crowd that plays while something breaks, and what must hold of it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep

import pytest

from benchmarks.server.check import check
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
        fault()
        sleep(size.after)
        told = crowd.stop()
    report = check(database_url(servers[0].database), [ledger])
    assert report.faults == ()
    assert report.acknowledged > size.matches
    assert told.stuck == []
    return told
