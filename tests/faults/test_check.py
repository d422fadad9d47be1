"""The checker detects every kind of fault in a log, and acknowledgements that are not in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.server.check import Line, check, faults_of
from benchmarks.server.storage import fill
from chouine.server.migrations import upgrade
from chouine.table import entries as log
from tests.server.matches import Table, is_over, opening

GUESTS = {0: "guest-0", 1: "guest-1"}


def finished_log(seed: int = 0) -> list[Line]:
    """The log of a finished match."""
    table = Table.set(opening(), seed).until(is_over)
    return [Line(n, at, f"c{n}", told) for n, (told, at) in enumerate(table.log, 1)]


def renumber(lines: list[Line]) -> list[Line]:
    """Renumber the entries without gaps."""
    return [Line(n, line.at, line.command, line.entry) for n, line in enumerate(lines, 1)]


def places(lines: list[Line], kind: type[log.LogEntry]) -> list[int]:
    return [place for place, line in enumerate(lines) if isinstance(line.entry, kind)]


def change_entry(lines: list[Line], place: int, **fields: Any) -> list[Line]:
    line = lines[place]
    other = Line(line.n, line.at, line.command, replace(line.entry, **fields))
    return [*lines[:place], other, *lines[place + 1 :]]


@pytest.mark.parametrize("seed", range(5))
def test_a_sound_log_is_sound(seed: int) -> None:
    assert faults_of(finished_log(seed), over=True, seats=GUESTS) == []


def test_what_is_lost_is_seen() -> None:
    """Each missing entry is detected, whether or not the others are renumbered."""
    lines = finished_log()
    for place in range(len(lines)):
        left = lines[:place] + lines[place + 1 :]
        assert faults_of(renumber(left), over=True, seats=GUESTS)
        assert faults_of(left, over=True, seats=GUESTS)


def test_what_is_doubled_is_seen() -> None:
    lines = finished_log()
    for place in range(len(lines)):
        assert faults_of(renumber([*lines[: place + 1], *lines[place:]]), over=True, seats=GUESTS)


def test_what_is_out_of_order_is_seen() -> None:
    """Consecutive cards of two seats in the wrong order are detected."""
    lines = finished_log()
    for one, other in pairwise(places(lines, log.Acted)):
        first, second = lines[one].entry, lines[other].entry
        if isinstance(first, log.Acted) and isinstance(second, log.Acted) and first.seat != second.seat:
            swapped = list(lines)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            assert "7x" in (first.token, second.token) or faults_of(
                renumber(swapped), over=True, seats=GUESTS
            )


def test_what_is_not_legal_is_seen() -> None:
    lines = finished_log()
    acts, shuffled = places(lines, log.Acted), places(lines, log.Shuffled)
    act, others = acts[0], lines[acts[1]].entry
    assert isinstance(others, log.Acted)
    assert faults_of(change_entry(lines, act, seat=7), over=True, seats=GUESTS)
    assert faults_of(change_entry(lines, act, token=others.token), over=True, seats=GUESTS)
    assert faults_of(change_entry(lines, shuffled[-1], pack="As" * 32), over=True, seats=GUESTS)
    assert faults_of(change_entry(lines, places(lines, log.Cut)[0], at=1), over=True, seats=GUESTS)


def test_what_is_kept_beside_the_log_is_held_against_it() -> None:
    assert faults_of(finished_log(), over=False, seats=GUESTS)
    assert faults_of(finished_log(), over=True, seats={0: "guest-0"})


def test_what_was_acknowledged_is_looked_for(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'chouine.db'}"
    upgrade(database)
    fill(database, 3)
    with closing(sqlite3.connect(tmp_path / "chouine.db")) as store:
        true = store.execute("select game, command, n from entry where n = 9").fetchall()
        store.execute("update seat set guest = 'guest-' || seat")
        store.commit()
    assert len(true) == 3
    ledger = tmp_path / "ledger"
    for told, lost in ((true, 0), ([(true[0][0], "never", 9)], 1), ([(*true[0][:2], 10_000)], 1)):
        ledger.write_bytes(b"".join(msgspec.json.encode((*line, 0.0)) + b"\n" for line in told))
        report = check(database, [ledger])
        assert (report.tables, report.acknowledged, report.lost) == (3, len(told), lost)
        assert (report.doubled, len(report.faults)) == (0, lost)
