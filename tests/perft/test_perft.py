"""Perft (`counts.perft`): the numbers of action sequences, a fingerprint of the rules, equal the referee's."""

from __future__ import annotations

from copy import deepcopy
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

from chouine.partie import State
from chouine.partie.deal import drawing_order
from chouine.rules import PRESETS
from chouine.rules.perft import perft
from tests.lines import read, write
from tests.referee import Referee


class PerftLine(NamedTuple):
    """A line of the file: counts at depth 1, 2, 3 …, and the partie line."""

    counts: list[int]
    line: str


def read_counts() -> list[PerftLine]:
    text = (Path(__file__).parent / "counts.perft").read_text(encoding="utf-8")
    rows = [row.split(maxsplit=1) for row in text.splitlines() if not row.startswith("#")]
    return [PerftLine([int(count) for count in counts.split(",")], line) for counts, line in rows]


COUNTED = read_counts()
EACH = pytest.mark.parametrize(
    "counted", COUNTED, ids=[f"{n}-{c.line.split()[0]}" for n, c in enumerate(COUNTED)]
)


@EACH
def test_counts(counted: PerftLine) -> None:
    """§5-§12, §17: The counts equal the recorded ones; any change to legality changes some count."""
    state = read(counted.line)
    talon = drawing_order(state.deal.talon)
    depths = range(1, len(counted.counts) + 1)
    assert [perft(state.rule_table, talon, state.position, depth) for depth in depths] == counted.counts


@EACH
def test_the_referee_counts_the_same(counted: PerftLine) -> None:
    """§5-§12, §17: The referee gives the same counts, up to 150 sequences."""
    shallow = list(takewhile(lambda count: count <= 150, counted.counts))
    assert [referee_count(referee_after(counted.line), depth + 1) for depth in range(len(shallow))] == shallow


@pytest.mark.nightly
@EACH
def test_the_referee_counts_all_the_same(counted: PerftLine) -> None:
    """§5-§12, §17: The referee gives the same counts to the full depth."""
    depths = range(1, len(counted.counts) + 1)
    assert [referee_count(referee_after(counted.line), depth) for depth in depths] == counted.counts


def referee_after(line: str) -> Referee:
    head, _, actions = line.partition(" :")
    referee = Referee(head)
    for token in actions.split():
        referee.play(token)
    return referee


def referee_count(referee: Referee, depth: int) -> int:
    """The referee's count."""
    if depth == 0:
        return 1
    count = 0
    for token in referee.legal():
        after = deepcopy(referee)
        after.play(token)
        count += referee_count(after, depth - 1)
    return count


def test_depth_nothing_is_one_sequence() -> None:
    """§5: At depth 0 there is one empty sequence."""
    state = read(COUNTED[0].line)
    assert perft(state.rule_table, (), state.position, 0) == 1


def test_the_file_covers_presets_figures_and_exchanges() -> None:
    """§9, §11: The file contains every preset, combinations, exchanges and canonical lines."""
    states: list[State] = [read(counted.line) for counted in COUNTED]
    assert {state.rules.preset for state in states} == set(PRESETS)
    assert sum("7x" in map(str, state.legal()) for state in states) >= 12
    assert sum(any("+" in str(act) for act in state.legal()) for state in states) >= 40
    assert all(write(state).rstrip() == counted.line for state, counted in zip(states, COUNTED, strict=True))
