"""Plot `learning.json`, the output of `examples/ppo.py 3`, as `docs/learning.svg`: `python -m benchmarks.learning`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

FIGURES = Path(__file__).with_name("learning.json")
DRAWING = Path(__file__).parents[1] / "docs" / "learning.svg"
WIDTH, HEIGHT, LEFT, BOTTOM = 720, 300, 60, 40
TITLE = "PPO against greedy: parties won while learning, per cent of those decided, by decisions"
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.head{font-weight:600}.tick{font-size:11px}"
    ".curve{fill:none;stroke:#b3452c;stroke-width:2.5}.even{stroke:#222;opacity:.4;stroke-dasharray:3 3}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.curve{stroke:#e0775c}.even{stroke:#ddd}}"
)


class Point(NamedTuple):
    """A point of the learning curve."""

    decisions: int
    minutes: float
    """Processor time in minutes."""
    rate: float
    """Win rate of the parties since the point before."""


def measured() -> list[Point]:
    return [Point(*line) for line in json.loads(FIGURES.read_text())]


def drawn(points: list[Point]) -> str:
    most = points[-1].decisions

    def across(decisions: float) -> float:
        return LEFT + (WIDTH - LEFT - 20) * decisions / most

    def up(rate: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 40) * rate / 0.7

    curve = " ".join(f"{across(each.decisions):.1f},{up(each.rate):.1f}" for each in points)
    parts = [f'<text class="head" x="8" y="20">{TITLE}</text>\n']
    for percent in (0, 25, 50):
        y = up(percent / 100)
        parts.append(
            f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{percent}</text>\n'
        )
    for each in points[::3]:
        told = f"{each.decisions / 1e6:.1f} M, {each.minutes:.1f} min"
        x = across(each.decisions)
        parts.append(f'<text class="tick" x="{x:.0f}" y="{HEIGHT - 20}" text-anchor="middle">{told}</text>\n')
    parts.append(
        f'<line class="even" x1="{LEFT}" x2="{WIDTH - 20}" y1="{up(0.5):.1f}" y2="{up(0.5):.1f}"/>\n'
    )
    parts.append(f'<polyline class="curve" points="{curve}"/>\n')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{TITLE}</title><style>{STYLE}</style>\n{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    DRAWING.write_text(drawn(measured()), encoding="utf-8")
