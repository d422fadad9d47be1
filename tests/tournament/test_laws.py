"""Properties of every format under random acts; `benchmarks/contests.py` checks them on thousands of contests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.contests import RULES, broken_rules, losers_play_the_consolante, wild, winners_go_on
from chouine.tournament import FORMULAS, Contest
from chouine.tournament.plain import kind_of
from tests.tournament.playing import drawn, entered, winner_first


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_small_contests(nth: int) -> None:
    broken, _ = broken_rules(nth, most=12)
    assert not broken


def test_a_place_whose_holder_withdrew_two_rounds_later() -> None:
    """A correction of round 1 is refused if the entry to move was exempt in round 2 and withdrew before round 3."""
    assert not broken_rules(940)[0]


def test_a_swap_exchanges_the_claims_to_places() -> None:
    """After a correction voided a table and a swap changed its players, replaying it removes no other entry."""
    assert not broken_rules(4760)[0]


@pytest.mark.nightly
@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9))
def test_contests_of_any_size(nth: int) -> None:
    broken, _ = broken_rules(nth)
    assert not broken


def test_all_happens_in_them() -> None:
    """The random contests contain late entries, forfeits, swaps, corrections and undone acts, and finish."""
    seen = [wild(nth, most=20)[0] for nth in range(20)]
    kinds = {kind_of(line.act) for contest in seen for line in contest.lines}
    assert {"forfeited", "withdrew", "swapped", "paired", "corrected", "undone", "present"} <= kinds
    assert any(entrant.late for contest in seen for entrant in contest.entrants.values())
    assert all(contest.seed is not None for contest in seen)


@pytest.mark.parametrize("rule", [winners_go_on, losers_play_the_consolante])
def test_a_rule_broken_is_seen(rule: Callable[[Contest], bool]) -> None:
    """Each rule detects a violation: a loser in round 2, and a winner in the consolante."""
    contest = drawn(drawn(winner_first(drawn(entered(FORMULAS["lavardin"], 8)))), "consolante")
    assert rule in RULES
    assert rule(contest)
    swapped = contest.with_rounds("main", (contest.main[0], contest.consolante[0]))
    swapped = swapped.with_rounds("consolante", contest.main[1:])
    assert not rule(swapped)
