"""Glicko-2: the example of the paper, what must hold of any rating, and simulated players of known strength."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.ratings import figure, order_kept, simulate
from chouine.server.standing.glicko import (
    NARROWEST,
    PERIOD,
    WIDEST,
    Rating,
    chance,
    rate_match,
    rate_table,
    update,
    widen,
)

RATINGS = st.builds(Rating, st.floats(500, 2500), st.floats(NARROWEST, WIDEST), st.floats(0.03, 0.1))


def test_the_example_of_the_paper() -> None:
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = update(Rating(1500, 200, 0.06), results)
    assert after.mean == pytest.approx(1464.06, abs=0.02)
    assert after.spread == pytest.approx(151.52, abs=0.01)
    assert after.wander == pytest.approx(0.05999, abs=0.00001)


@given(RATINGS, RATINGS, st.sampled_from([(1, 2), (2, 1), (1, 1)]))
def test_who_wins_rises_and_who_loses_falls(one: Rating, other: Rating, places: tuple[int, int]) -> None:
    first, second = rate_match(places, [one, other])
    if places[0] != places[1]:
        assert (first.mean > one.mean) == (places[0] < places[1]) == (second.mean < other.mean)
    assert first.spread >= NARROWEST
    assert second.spread >= NARROWEST
    assert chance(one, other) + chance(other, one) == pytest.approx(1)


@given(RATINGS, st.floats(0, 100 * PERIOD))
def test_time_alone_makes_a_rating_less_certain_and_never_less_than_a_newcomers(
    one: Rating, seconds: float
) -> None:
    after = widen(one, seconds)
    assert after.mean == one.mean
    assert one.spread <= after.spread + 1e-9 <= WIDEST + 1e-6


def test_at_a_table_of_three_the_order_of_places_is_that_of_the_changes() -> None:
    after = rate_table([2, 1, 3], [Rating()] * 3)
    assert after[1].mean > after[0].mean > after[2].mean
    assert all(each.spread < WIDEST for each in after)
    tied = rate_table([1, 1, 1], [Rating()] * 3)
    assert {round(each.mean) for each in tied} == {1500}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_order_and_bands(seats: int) -> None:
    """Of simulated players the order and the bands are right."""
    found = simulate(16, 800, seats)
    assert order_kept(found) > 0.85
    assert sum(one.held for one in found) >= 14
    assert figure(found).count("<circle") == 16
