"""Format the results as tables.

An entry holds every round of each figure; medians, spreads and ratios are computed here.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.comparisons import GROUPS, NAMES, SHORT, Comparison
from chouine.cli import bench

Entry = dict[str, Any]
NOTHING = "–"
COLUMNS = 6
"""Number of commits shown; results.json keeps all."""
PREFACE = """\
# Speed

`make bench` measures all of this in one run and adds it to `results.json`. One core; a figure is the median
(least–most) of the processor time in {rounds} rounds, which measure everything in turn. A ratio is the median of the
rounds' ratios: above 1, Chouine is faster. Games of different lengths are also compared by decision.

Commit {commit}, {when}, {machine}, Python {python}.
"""


def written(entries: list[Entry]) -> str:
    """The newest figures beside others', then ours by commit."""
    newest = entries[-1]
    rounds = max(len(figures) for figures in newest["rounds"].values())
    parts = [PREFACE.format_map(newest | {"rounds": rounds})]
    for title, comparisons in GROUPS.items():
        rows = [row(newest, comparison) for comparison in comparisons]
        heads = ["", "a second", "beside", "a second", "ratio", "by decision", "what differs"]
        parts.append(f"## {title}\n\n{lines(heads, rows)}")
    parts += [f"## Peers\n\n{peers(newest)}", f"## By commit\n\n{by_commit(entries[-COLUMNS:])}"]
    return "\n".join(parts)


def row(entry: Entry, comparison: Comparison) -> list[str]:
    ours, theirs = (spread(entry["rounds"].get(name, [])) for name in (comparison.ours, comparison.theirs))
    return [
        SHORT[comparison.ours],
        ours,
        SHORT.get(comparison.theirs, NAMES[comparison.theirs]),
        entry["missing"].get(comparison.theirs) or theirs,
        spread(ratios(entry, comparison)),
        *by_decision(entry, comparison),
    ]


def ratios(entry: Entry, comparison: Comparison) -> list[float]:
    """Our figure divided by theirs in each round; empty unless both were measured."""
    ours, theirs = (entry["rounds"].get(name, []) for name in (comparison.ours, comparison.theirs))
    return [one / other for one, other in zip(ours, theirs, strict=False)]


def by_decision(entry: Entry, comparison: Comparison) -> tuple[str, str]:
    """Ratios per decision, if decisions were counted for both; and the differences, with mean lengths."""
    ours, theirs = (entry["decisions"].get(name) for name in (comparison.ours, comparison.theirs))
    if not ours or not theirs:
        return NOTHING, comparison.differs
    scaled = [ratio * ours / theirs for ratio in ratios(entry, comparison)]
    lengths = f"{theirs:.1f} decisions a game there, {ours:.1f} here."
    return spread(scaled), f"{comparison.differs} {lengths}"


def peers(entry: Entry) -> str:
    """The other libraries that were measured, and reasons for those that were not."""
    rows = []
    for peer in entry["peers"]:
        start = [NOTHING if peer[name] is None else short(peer[name]) for name in ("ready_s", "memory_mib")]
        rows.append([peer["package"], peer["version"] or NOTHING, *start, peer["why"] or "measured"])
    return lines(["package", "version", "seconds until ready", "MiB then", ""], rows)


def by_commit(entries: list[Entry]) -> str:
    """A column for each commit, a row for each of our figures and then for each ratio."""
    rows = [[title, *(entry[title] for entry in entries)] for title in ("when", "machine", "python")]
    medians: list[dict[str, float]] = [
        {name: median(figures) for name, figures in entry["rounds"].items()} | entry["once"]
        for entry in entries
    ]
    others = {each.theirs for group in GROUPS.values() for each in group} - SHORT.keys()
    names = dict.fromkeys([*bench.MEANINGS, *NAMES, *(name for figures in medians for name in figures)])
    for name in (
        name for name in names if name not in others and any(name in figures for figures in medians)
    ):
        figures = [told(figures.get(name)) for figures in medians]
        rows.append([NAMES.get(name, name.replace("_", " ")), *figures])
    for comparison in (each for group in GROUPS.values() for each in group):
        found = [ratios(entry, comparison) for entry in entries]
        if any(found):
            title = f"{SHORT[comparison.ours]} / {SHORT.get(comparison.theirs, NAMES[comparison.theirs])}"
            rows.append([title, *(told(median(each) if each else None) for each in found)])
    return lines(["", *(entry["commit"] for entry in entries)], rows)


def lines(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, ["---"] * len(heads), *rows))


def spread(figures: list[float]) -> str:
    """The median, with minimum and maximum."""
    if not figures:
        return NOTHING
    return f"{short(median(figures))} ({short(min(figures))}–{short(max(figures))})"


def told(figure: float | None) -> str:
    return NOTHING if figure is None else short(figure)


def short(figure: float) -> str:
    """Three significant digits, with k for thousands and M for millions."""
    figure = float(f"{figure:.3g}")
    for unit, sign in ((1e6, " M"), (1e3, " k")):
        if figure >= unit:
            return f"{figure / unit:.3g}{sign}"
    return f"{figure:.3g}"
