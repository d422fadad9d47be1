"""Duplicate: the same deal for all, IMPs against the datum, and a ranking in which luck of the cards is nobody's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.contest.duplicate import (
    STEPS,
    WHOLE,
    Made,
    deal_digest,
    difference_of,
    duplicate_ranking,
    imps,
    imps_of,
    sealed_deal,
)
from chouine.partie import Result
from chouine.rules.options import PRESETS, Rules

MADE = st.lists(
    st.builds(Made, st.integers(1, 8), st.integers(1, 4), st.integers(0, 1), st.integers(-WHOLE, WHOLE)),
    unique_by=lambda one: (one.entry, one.deal),
    max_size=32,
)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_follows_from_the_seed_alone_and_its_digest_tells_it_from_others(preset: str) -> None:
    rules = Rules.of_preset(preset)
    deals = [sealed_deal(rules, "seed", number) for number in range(1, 9)]
    assert deals == [sealed_deal(rules, "seed", number) for number in range(1, 9)]
    assert {deal.dealer for deal in deals} == {*range(rules.seats)}
    digests = [deal_digest(rules, seed, number) for seed in ("seed", "other") for number in range(1, 9)]
    assert len({*digests}) == 16


@pytest.mark.parametrize(
    ("result", "differences"),
    [
        (Result(0, (61, 59), "points"), (2, -2)),
        (Result(1, (20, 30, 90), "points"), (-70, -60, 60)),
        (Result(None, (60, 60), "nulle"), (0, 0)),
        (Result(1, (80, 10), "chouine"), (-WHOLE, WHOLE)),
        (Result(0, (0, 0), "forfeit"), (WHOLE, -WHOLE)),
        (Result(0, (250, 10), "points"), (WHOLE, -WHOLE)),
    ],
)
def test_differences(result: Result, differences: tuple[int, ...]) -> None:
    assert tuple(difference_of(result, seat) for seat in range(len(differences))) == differences


def test_the_steps() -> None:
    assert [imps(step) for step in STEPS] == [*range(1, len(STEPS) + 1)]
    assert [imps(step - 1) for step in STEPS] == [*range(len(STEPS))]


@given(st.integers(-300, 300))
def test_imps_are_even_handed(surplus: int) -> None:
    assert imps(-surplus) == -imps(surplus)


@given(MADE, st.integers(-50, 50))
def test_a_deal_that_is_better_for_everybody_changes_nothing(made: list[Made], gift: int) -> None:
    """The cards' own worth falls out: only what differs from the others counts."""
    given_more = [
        Made(one.entry, one.deal, one.seat, one.difference + gift * (one.deal == 1)) for one in made
    ]
    assert imps_of(given_more) == imps_of(made)
    assert duplicate_ranking(given_more) == duplicate_ranking(made)


def test_who_makes_more_of_bad_cards_is_ahead_of_who_wins_with_good_ones() -> None:
    """Seat 0 has the good cards: 1 and 3 win with them, 2 and 4 lose; 2 loses by least."""
    made = [Made(1, 1, 0, 10), Made(2, 1, 1, -10), Made(3, 1, 0, 60), Made(4, 1, 1, -60)]
    ranked = duplicate_ranking(made)
    assert [(one.rank, one.entry, one.imps) for one in ranked] == [
        (1, 2, 9),
        (1, 3, 9),
        (3, 1, -9),
        (3, 4, -9),
    ]


def test_alone_at_a_deal_nobody_gains() -> None:
    assert imps_of([Made(1, 1, 0, 90)]) == {(1, 1): 0}
