"""Plot `learning.json`, the output of `examples/ppo.py 3`, as `docs/learning.svg`: `python -m benchmarks.learning`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from benchmarks.arguments import read_arguments
from chouine import plots

FIGURES = Path(__file__).with_name("learning.json")
DRAWING = Path(__file__).parents[1] / "docs" / "learning.svg"
TITLE = "PPO against greedy: share of the decided parties that it wins while learning"


class Point(NamedTuple):
    """A point of the learning curve."""

    decisions: int
    minutes: float
    """Processor time in minutes."""
    rate: float
    """Win rate of the parties since the point before."""


def read_figures() -> list[Point]:
    return [Point(*line) for line in json.loads(FIGURES.read_text())]


def curve(points: list[Point]) -> str:
    """The curve, with the decisions in millions."""
    line = [plots.Point(each.decisions / 1e6, *[each.rate] * 3) for each in points]
    return plots.curves(TITLE, "million decisions", {"PPO": line}).svg


if __name__ == "__main__":
    read_arguments(__doc__)
    DRAWING.write_text(curve(read_figures()), encoding="utf-8")
