"""Perft: a declaration and its card count as one action, an exchange as one."""

from __future__ import annotations

from chouine.partie import Exchange, State
from chouine.partie.deal import drawing_order
from chouine.rules.perft import perft
from tests.rules.table import marking_time, partie


def perft_count(state: State, depth: int) -> int:
    return perft(state.rule_table, drawing_order(state.deal.talon), state.position, depth)


def test_two_actions_are_one_after_another() -> None:
    """§9, §11: The count at depth 2 is the sum over first actions, here with a mariage and an exchange."""
    state = partie("classic", "7KQ...|...", "9s")
    assert Exchange() in state.legal()
    assert perft_count(state, 0) == 1
    assert perft_count(state, 1) == len(state.legal())
    assert perft_count(state, 2) == sum(len(state.play(action).legal()) for action in state.legal())


def test_nothing_follows_the_end() -> None:
    """§12: After the end no sequence continues."""
    state = marking_time(partie("classic", "...|...", "9d"), 16)
    assert state.result is not None
    assert (perft_count(state, 0), perft_count(state, 1)) == (1, 0)
