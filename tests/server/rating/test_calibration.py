"""Ratings of simulated players of known strength: the order and the bands are right."""

from __future__ import annotations

import pytest

from benchmarks.ratings import figure, order_kept, simulate


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_order_and_bands(seats: int) -> None:
    found = simulate(16, 800, seats)
    assert order_kept(found) > 0.85
    assert sum(one.held for one in found) >= 14
    assert figure(found).count("<circle") == 16
