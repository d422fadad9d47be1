"""The measure of play: the latest parties, their interval, and the levels within it."""

from __future__ import annotations

import pytest

from chouine.school.review.accounts import LATEST, LEAST, Measure, level_costs, levels_alike, measure_of


def test_too_few_parties_measure_nothing() -> None:
    assert measure_of([0.2] * (LEAST - 1)) is None
    assert measure_of([0.2] * LEAST) == pytest.approx(Measure(0.2, 0.2, 0.2, LEAST))


def test_only_the_latest_parties_count() -> None:
    assert measure_of([9.0] * 30 + [0.1, 0.3] * (LATEST // 2)) == measure_of([0.1, 0.3] * (LATEST // 2))


def test_each_levels_own_cost_is_that_level_at_least() -> None:
    costs = level_costs()
    assert [*costs] == [*range(1, 9)]
    for number, cost in costs.items():
        lowest, highest = levels_alike(Measure(cost, cost, cost, LATEST))
        assert lowest <= number <= highest


def test_an_interval_between_two_levels_is_the_nearest() -> None:
    worst = max(level_costs().values())
    assert levels_alike(Measure(9.0, 8.9, 9.1, LATEST)) == (1, 1)
    lowest, highest = levels_alike(Measure(worst, 0.0, worst, LATEST))
    assert (lowest, highest) == (1, 8)
