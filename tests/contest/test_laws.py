"""Properties of every format under random acts; `benchmarks/contests.py` checks them on thousands of contests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.contests import RULES, broken_rules, events, losers_play_the_consolante, winners_go_on
from benchmarks.wild import wild
from chouine.contest import FORMULAS, Contest
from chouine.contest.log import KINDS
from tests.contest.playing import contest_with_entries, draw_round, winner_first


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_small_contests(nth: int) -> None:
    broken, _ = broken_rules(nth, most=12)
    assert not broken


@pytest.mark.nightly
@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9))
def test_contests_of_any_size(nth: int) -> None:
    broken, _ = broken_rules(nth)
    assert not broken


def test_all_happens_in_them() -> None:
    """Every kind of act occurs in the random contests, and is undone where it can be."""
    seen = {event for nth in range(300) for event in events(wild(nth, most=16)[0])}
    never = {"opened", "undone", "erased"}
    wanted = {*KINDS} | {f"undone {kind}" for kind in KINDS if kind not in never}
    wanted |= {"merged", "skipped", "absent before the draw", "latecomer given a table"}
    wanted |= {
        f"{kind} after {when}" for kind in ("entered", "changed") for when in ("a draw", "several draws")
    }
    assert sorted(wanted - seen) == []


@pytest.mark.parametrize("rule", [winners_go_on, losers_play_the_consolante])
def test_a_rule_broken_is_seen(rule: Callable[[Contest], bool]) -> None:
    """Each rule detects a violation: a loser in round 2, and a winner in the consolante."""
    contest = draw_round(
        draw_round(winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 8)))), "consolante"
    )
    assert rule in RULES
    assert rule(contest)
    swapped = contest.with_rounds("main", (contest.main[0], contest.consolante[0]))
    swapped = swapped.with_rounds("consolante", contest.main[1:])
    assert not rule(swapped)
