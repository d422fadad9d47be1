"""Plot the newest figures: bars on a logarithmic axis, ours and others', with their spread."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import ceil, floor, log10
from statistics import median

from benchmarks.comparisons import GROUPS, NAMES, SHORT
from benchmarks.table import Entry, short

WIDTH, NAME, BAR, LINE = 800, 290, 400, 24
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.head{font-weight:600}"
    ".tick{font-size:10px;text-anchor:middle;opacity:.7}.ours{fill:#b3452c}.theirs{fill:#7d8a97}"
    ".spread,.grid{stroke:#222;stroke-width:1}.grid{opacity:.15}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.ours{fill:#e0775c}.spread,.grid{stroke:#ddd}}"
)


def drawn(entry: Entry) -> str:
    """Every group with figures both of ours and of others."""
    parts, y = [], 8
    for title, comparisons in GROUPS.items():
        names = dict.fromkeys(name for each in comparisons for name in (each.ours, each.theirs))
        bars = {name: entry["rounds"][name] for name in names if entry["rounds"].get(name)}
        if SHORT.keys() & bars and bars.keys() - SHORT:
            parts.append(group(title, bars, y))
            y += LINE * (len(bars) + 3)
    title = f"Speed of Chouine and others, commit {entry['commit']}, {entry['machine']}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>\n{''.join(parts)}</svg>\n"
    )


def group(title: str, bars: dict[str, list[float]], y: int) -> str:
    """A heading and its bars, fastest first; the axis spans whole powers of ten."""
    low = floor(log10(min(map(min, bars.values()))))
    high = max(low + 1, ceil(log10(max(map(max, bars.values())))))

    def across(figure: float) -> float:
        return NAME + BAR * (log10(figure) - low) / (high - low)

    bottom = y + LINE * (len(bars) + 1) + 4
    parts = [f'<text class="head" x="8" y="{y + 16}">{escape(title)}</text>\n']
    parts += [tick(10**power, across(10**power), y, bottom) for power in range(low, high + 1)]
    for name in sorted(bars, key=lambda name: -median(bars[name])):
        y += LINE
        parts.append(bar(name, bars[name], across, y))
    return "".join(parts)


def tick(figure: float, x: float, top: int, bottom: int) -> str:
    return (
        f'<text class="tick" x="{x:.1f}" y="{bottom + 11}">{short(figure)}</text>'
        f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top + 20}" y2="{bottom}"/>\n'
    )


def bar(name: str, figures: list[float], across: Callable[[float], float], y: int) -> str:
    least, middle, most = (across(at(figures)) for at in (min, median, max))
    kind = "ours" if name in SHORT else "theirs"
    label = SHORT.get(name, NAMES[name]).replace("`", "")
    return (
        f'<text x="{NAME - 8}" y="{y + 13}" text-anchor="end">{escape(label)}</text>'
        f'<rect class="{kind}" x="{NAME}" y="{y + 2}" width="{middle - NAME:.1f}" height="14"/>'
        f'<line class="spread" x1="{least:.1f}" x2="{most:.1f}" y1="{y + 9}" y2="{y + 9}"/>'
        f'<text x="{NAME + BAR + 8}" y="{y + 13}">{short(median(figures))}</text>\n'
    )
