"""A measure of play without opponents: what the mistakes of one's latest parties cost, beside those of the levels.

The levels' own costs are in `levels.json`: each playing itself by the classic rules, judged by the same review. They
are measured by `python -m benchmarks.play`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

LATEST, LEAST = 50, 10
"""Parties that the measure is of, at most and at least: with fewer the interval would say nothing."""
WIDTH = 2.0
"""Standard errors on either side: an interval of 95 %."""


class Measure(NamedTuple):
    """The mean cost of a partie's mistakes, in shares of a partie, with its interval, and the number of parties."""

    cost: float
    low: float
    high: float
    parties: int


def measure_of(costs: Sequence[float]) -> Measure | None:
    """The measure of these parties, oldest first; None if they are too few.

    >>> measure_of([0.1, 0.3] * 5)
    Measure(cost=0.2, low=0.133..., high=0.266..., parties=10)
    """
    latest = costs[-LATEST:]
    if len(latest) < LEAST:
        return None
    cost, error = fmean(latest), stdev(latest) / sqrt(len(latest))
    return Measure(cost, max(0.0, cost - WIDTH * error), cost + WIDTH * error, len(latest))


@cache
def level_costs() -> dict[int, float]:
    """The mean cost of the mistakes of each level."""
    found = json.loads((files("chouine.school.review") / "levels.json").read_text(encoding="utf-8"))
    return {int(number): row["cost"] for number, row in found.items()}


def levels_alike(measure: Measure) -> tuple[int, int]:
    """The lowest and the highest level whose cost lies in the interval; twice the nearest if there is none."""
    costs = level_costs()
    alike = [number for number, cost in costs.items() if measure.low <= cost <= measure.high]
    if not alike:
        alike = [min(costs, key=lambda number: abs(costs[number] - measure.cost))]
    return min(alike), max(alike)
