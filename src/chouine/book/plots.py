"""Figures by trick as an SVG picture: a line for each series, its interval behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from chouine.book.estimates import TableFigure

WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT = 720, 320, 56, 36, 190
COLOURS = ("#b3452c", "#2b5f8a", "#3f7d4e", "#8a5a9e")
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.axis{stroke:#222;opacity:.2}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.axis{stroke:#ddd}}"
)


def drawn(
    title: str, across: str, series: Mapping[str, Sequence[TableFigure]], label: Callable[[float], str]
) -> str:
    """The SVG text. `across` labels the axis of tricks, `label` formats a value."""
    points = [each for line in series.values() for each in line]
    low, high = min(0.0, *(each.low for each in points)), max(0.0, *(each.high for each in points))
    steps = next(step for step in (0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / step <= 8)
    tricks = [int(each.where) for each in points]
    first, last = min(tricks), max(tricks)

    def x(each: TableFigure) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (int(each.where) - first) / max(1, last - first)

    def y(value: float) -> float:
        return 16 + (HEIGHT - BOTTOM - 16) * (high - value) / (high - low)

    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    parts = [f"{head}<title>{escape(title)}</title><style>{STYLE}</style>"]
    for nth in range(int(low / steps) - 1, int(high / steps) + 2):
        value = nth * steps
        if low <= value <= high:
            parts.append(
                f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
                f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{label(value)}</text>'
            )
    parts += [
        f'<text x="{LEFT + (WIDTH - LEFT - RIGHT) * (trick - first) / max(1, last - first):.1f}" '
        f'y="{HEIGHT - 18}" text-anchor="middle">{trick}</text>'
        for trick in range(first, last + 1)
    ]
    parts.append(
        f'<text x="{(WIDTH + LEFT - RIGHT) / 2}" y="{HEIGHT - 2}" text-anchor="middle">{escape(across)}</text>'
    )
    for nth, (name, line) in enumerate(series.items()):
        colour = COLOURS[nth]
        edge = [f"{x(each):.1f},{y(each.high):.1f}" for each in line]
        edge += [f"{x(each):.1f},{y(each.low):.1f}" for each in reversed(line)]
        middle = " ".join(f"{x(each):.1f},{y(each.value):.1f}" for each in line)
        parts.append(
            f'<polygon points="{" ".join(edge)}" fill="{colour}" opacity=".2"/>'
            f'<polyline points="{middle}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{WIDTH - RIGHT + 10}" y="{36 + 22 * nth}" style="fill:{colour}">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])
