"""Plots as SVG with the look of the book: curves and bars with their intervals, legible on light and dark pages.

    plot = bars("Parties won", {"greedy": Bar(0.32, 0.30, 0.34)}, percent, even=0.5)
    plot.save("won.svg")                # in a notebook the plot draws itself

Nothing has to be installed for it. `PairScore.plot()`, `DuelRun.plot()` and `RoundRobin.plot()` draw measurements,
`learning_curve` the points that a training has written.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count
from math import ceil, floor
from numbers import Real
from pathlib import Path, PurePath
from sys import float_info
from typing import NamedTuple, cast

from chouine.errors import check_each, check_type
from chouine.files import read_whole, write_whole
from chouine.phrases import Language
from chouine.phrases.catalogue import check_language
from chouine.plaintext import escape_controls, parse_json, repr_of, split_lines

WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT = 720, 320, 56, 36, 190
NAME, BAR, LINE = 170, 440, 26
COLOURS = ("#b3452c", "#2b5f8a", "#3f7d4e", "#8a5a9e", "#a0741f", "#5b6770")
STYLE = (
    ".chouine-plot text{font:13px system-ui,sans-serif;fill:#222}.chouine-plot .axis{stroke:#222;opacity:.2}"
    "@media(prefers-color-scheme:dark){.chouine-plot text{fill:#ddd}.chouine-plot .axis{stroke:#ddd}}"
)
"""For plots alone: the style of a drawing that stands in a page, as in a notebook, holds for the whole page."""
BARS = (
    ".chouine-plot .bar{fill:#b3452c}.chouine-plot .spread{stroke:#222;stroke-width:1}"
    "@media(prefers-color-scheme:dark){.chouine-plot .bar{fill:#e0775c}.chouine-plot .spread{stroke:#ddd}}"
)
MOST_TICKS = 8
Label = Callable[[float], str]


class Point(NamedTuple):
    """A point of a curve; `low` and `high` are its interval."""

    x: float
    value: float
    low: float
    high: float


class Bar(NamedTuple):
    """The length of a bar, with its interval."""

    value: float
    low: float
    high: float


class Plot(NamedTuple):
    """A drawing: one SVG element without other files."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        check_type("path", path, (str, PurePath), "a file's name")
        write_whole(Path(path), self.svg)


def percent(value: float, language: Language = "en") -> str:
    """A share as a label: `32%`, and `32 %` in French."""
    check_language(language)
    return f"{100 * value:.3g}{chr(0xA0) if language == 'fr' else ''}%".replace(
        ".", "," if language == "fr" else "."
    )


def ticks(low: float, high: float) -> list[float]:
    """Round values between two: multiples of 1, 2 or 5 times a power of ten, at most `MOST_TICKS` steps of them."""
    steps = (unit * 10**power for power in count(-6) for unit in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= MOST_TICKS)
    first = ceil(low / step - 1e-9)
    return [nth * step for nth in range(first, floor(high / step + 1e-9) + 1)]


def curves(
    title: str,
    across: str,
    series: Mapping[str, Iterable[Point]],
    label: Label = percent,
    at: Iterable[float] | None = None,
    base: float = 0.0,
) -> Plot:
    """Curves, each with the band of its interval.

    `across` names the horizontal axis, which is marked at `at`, else at round values; `label` formats a value of the
    vertical one, which has `base` on it. Raises `ValueError` if there is no point.
    """
    check_type("series", series, Mapping, "names with their Points")
    for line in series.values():
        check_type("a curve", line, Iterable, "Points")
    lines = {name: [*line] for name, line in series.items()}
    points = [each for line in lines.values() for each in line]
    check_type("at", at, (Iterable, type(None)), "numbers or None")
    check_words(label, title, across, *lines)
    at = None if at is None else [*at]
    check_values("a curve's points", points, Point, (base, *(at or ())))
    if not points:
        raise ValueError("there is no point to draw")
    low, high = min(base, *(each.low for each in points)), max(base, *(each.high for each in points))
    high += (high == low) * 1e-9
    first, last = min(each.x for each in points), max(each.x for each in points)
    end = WIDTH - RIGHT

    def x(value: float) -> float:
        return LEFT + (end - LEFT) * (value - first) / ((last - first) or 1)

    def y(value: float) -> float:
        return 16 + (HEIGHT - BOTTOM - 16) * (high - value) / (high - low)

    parts = [
        f'<line class="axis" x1="{LEFT}" x2="{end}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{label(value)}</text>'
        for value in ticks(low, high)
    ]
    parts += [
        f'<text x="{x(value):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{value:,.10g}</text>'
        for value in (ticks(first, last) if at is None else at)
    ]
    parts.append(
        f'<text x="{(LEFT + end) / 2}" y="{HEIGHT - 2}" text-anchor="middle">{escape(across)}</text>'
    )
    for nth, (name, curve) in enumerate(lines.items()):
        colour = COLOURS[nth % len(COLOURS)]
        edge = [f"{x(each.x):.1f},{y(each.high):.1f}" for each in curve]
        edge += [f"{x(each.x):.1f},{y(each.low):.1f}" for each in reversed(curve)]
        middle = " ".join(f"{x(each.x):.1f},{y(each.value):.1f}" for each in curve)
        parts.append(
            f'<polygon points="{" ".join(edge)}" fill="{colour}" opacity=".2"/>'
            f'<polyline points="{middle}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{end + 10}" y="{36 + 22 * nth}" style="fill:{colour}">{escape(name)}</text>'
        )
    return draw_frame(title, HEIGHT, STYLE, parts)


def bars(title: str, named: Mapping[str, Bar], label: Label = percent, *, even: float = 0.0) -> Plot:
    """A bar for each name, from `even`, with its interval and its value. Raises `ValueError` if there is none."""
    check_type("named", named, Mapping, "names with their Bars")
    check_words(label, title, *named)
    check_values("the bars", [*named.values()], Bar, (even,))
    if not named:
        raise ValueError("there is no bar to draw")
    low = min(even, *(each.low for each in named.values()))
    high = max(even, *(each.high for each in named.values()))
    bottom = 30 + LINE * len(named)

    def x(value: float) -> float:
        return NAME + BAR * (value - low) / ((high - low) or 1)

    parts = [f'<text x="8" y="18" font-weight="600">{escape(title)}</text>']
    parts += [
        f'<line class="axis" x1="{x(value):.1f}" x2="{x(value):.1f}" y1="26" y2="{bottom}"/>'
        f'<text x="{x(value):.1f}" y="{bottom + 15}" text-anchor="middle">{label(value)}</text>'
        for value in ticks(low, high)
    ]
    for nth, (name, each) in enumerate(named.items()):
        top = 30 + LINE * nth
        left, right = sorted((x(even), x(each.value)))
        parts.append(
            f'<text x="{NAME - 8}" y="{top + 15}" text-anchor="end">{escape(name)}</text>'
            f'<rect class="bar" x="{left:.1f}" y="{top + 3}" width="{right - left:.1f}" height="16"/>'
            f'<line class="spread" x1="{x(each.low):.1f}" x2="{x(each.high):.1f}" y1="{top + 11}" y2="{top + 11}"/>'
            f'<text x="{NAME + BAR + 12}" y="{top + 15}">{label(each.value)}</text>'
        )
    return draw_frame(title, bottom + 22, STYLE + BARS, parts)


def check_words(label: object, *texts: object) -> None:
    """Raise `TypeError` unless the titles and names of a plot are texts, and its label makes one of a number."""
    check_each("titles and names", texts, str, "texts")
    if not callable(label):
        raise TypeError(f"label is a function of a number, such as percent, not {repr_of(label)}")


def check_values(name: str, points: object, kind: type[Point | Bar], others: Sequence[object]) -> None:
    """Raise `TypeError` or `ValueError` unless a plot's points are of this kind, and its numbers are finite."""
    check_each(name, points, kind, f"{kind.__name__}s")
    for number in (*chain.from_iterable(cast("Sequence[Point]", points)), *others):
        if not (isinstance(number, Real) and abs(cast("float", number)) <= float_info.max):
            raise ValueError(f"a plot's numbers are finite, not {repr_of(number)}")


def escape(text: str) -> str:
    """A text as SVG has it, in which control characters are not allowed."""
    return html.escape(escape_controls(text))


def draw_frame(title: str, height: int, style: str, parts: Sequence[str]) -> Plot:
    """The parts as one SVG element."""
    opening = 'xmlns="http://www.w3.org/2000/svg" class="chouine-plot"'
    head = f'<svg {opening} viewBox="0 0 {WIDTH} {height}" role="img">'
    return Plot(
        "\n".join([f"{head}<title>{escape(title)}</title><style>{style}</style>", *parts, "</svg>\n"])
    )


def learning_curve(path: str | Path, title: str = "") -> Plot:
    """The rates in the `curve.jsonl` of a training: a curve for each opponent, by minutes of processor time.

    Raises `OSError` if it cannot be read, and `ValueError` for another file.
    """
    check_type("path", path, (str, PurePath), "a file's name")
    text = read_whole(Path(path)).decode(errors="replace")
    opponents = {"rate": "heuristic", "greedy": "greedy"}
    try:
        lines = [parse_json(line) for line in split_lines(text)]
        series = {
            name: [Point(each["minutes"], each[key], each[key], each[key]) for each in lines if key in each]
            for key, name in opponents.items()
        }
    except (TypeError, KeyError, ValueError):
        raise ValueError(f"{path} is not the curve of a training") from None
    return curves(title or str(path), "min", {name: line for name, line in series.items() if line}, base=0.5)
