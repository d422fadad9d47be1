"""Properties of random seasons; `benchmarks/seasons.py` checks them on thousands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.seasons import broken_rules
from chouine.season import state
from chouine.season.acts import Points
from chouine.season.state import Season

RANKING = import_module("chouine.season.ranking")
"""The module, whose name in the package is its function."""


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_random_seasons(nth: int) -> None:
    broken, _ = broken_rules(nth)
    assert not broken


def test_all_happens_in_them() -> None:
    done = sum((broken_rules(nth)[1] for nth in range(30)), Counter[str]())
    assert {"EveningAdded", "Merged", "Undone", "Ruled", "Erased", "season/both-played"} <= done.keys()


def any_broken() -> set[str]:
    return {rule for nth in range(30) for rule in broken_rules(nth)[0]}


def merge_anybody(season: Season, kept: int, other: int) -> Season:
    """A merge that does not look at who played the same evening."""
    low, high = sorted((season.number_of(kept), season.number_of(other)))
    return season if low == high else season.with_player(high, replace(season.players[high], kept=low))


@pytest.mark.parametrize(
    ("owner", "name", "wrong", "rule"),
    [
        (RANKING, "key_of", lambda points, best: (sum(points[: best or None]),), "the_order_is_total"),
        (RANKING, "sum", max, "sums_are_of_the_best"),
        (state, "merge_players", merge_anybody, "each_plays_once"),
    ],
)
def test_a_rule_broken_is_seen(
    owner: object, name: str, wrong: Callable[..., object], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, wrong, raising=False)
    assert rule in any_broken()


def test_points_are_those_of_the_place_the_wins_and_the_presence() -> None:
    points = Points((10, 6), 2, 1)
    assert [points.of(rank, wins) for rank, wins in ((1, 3), (2, 0), (3, 1))] == [17, 7, 3]
