"""The costs of the levels in the program and on the page are those that were measured."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from benchmarks.play import SCALE, costs_so_far
from chouine.ai.levels import LEVELS
from chouine.school.review.accounts import level_costs

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"


@pytest.mark.parametrize("number", LEVELS)
def test_the_scale_is_the_mean_of_what_was_measured(number: int) -> None:
    costs = [fmean(costs) for (level, _), costs in costs_so_far().items() if level == number]
    row = json.loads(SCALE.read_text())[str(number)]
    assert level_costs()[number] == row["cost"] == pytest.approx(fmean(costs), abs=1e-4)
    assert row["parties"] == len(costs) >= 10
    line = f"| {number} | {row['cost']:.3f} ± {row['error']:.3f} | {row['parties']} |"
    assert line in PAGE.read_text(encoding="utf-8")


def test_a_higher_level_costs_less() -> None:
    costs = [cost for _, cost in sorted(level_costs().items())]
    assert costs == sorted(costs, reverse=True)
