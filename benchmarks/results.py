"""The compared figures with the differences between the two sides, as tables and as a plot.

An entry holds every round of each figure; medians, spreads and ratios are computed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from statistics import median
from typing import Any

from chouine.cli import bench

NAMES = bench.MEANINGS | {
    "batch_1000_steps_s": "actions a second in a batch of 1,000 parties",
    "batch_10000_steps_s": "actions a second in a batch of 10,000 parties",
    "batch_100000_steps_s": "actions a second in a batch of 100,000 parties",
    "vector_1000_steps_s": "steps a second of `ChouineVectorEnv`, 1,000 parties",
    "vector_10000_steps_s": "steps a second of `ChouineVectorEnv`, 10,000 parties",
    "vector_100000_steps_s": "steps a second of `ChouineVectorEnv`, 100,000 parties",
    "state_parties_s": "parties a second by `State.play`: each action checked, told and kept as values",
    "pettingzoo_decisions_s": "decisions a second of `chouine_v0.env`, PettingZoo",
    "spiel_decisions_s": "decisions a second of `chouine` in OpenSpiel's `rl_environment`",
    "c_fused": "C yardstick, one party after another",
    "c_step": "C yardstick, action after action",
    "c_tuned": "C yardstick, tuned",
    "c_solve": "C yardstick, endings",
    "openspiel_german_whist_foregame_games_s": "OpenSpiel German whist",
    "openspiel_hearts_games_s": "OpenSpiel hearts",
    "openspiel_euchre_games_s": "OpenSpiel euchre",
    "openspiel_skat_games_s": "OpenSpiel skat",
    "openspiel_german_whist_foregame_ismcts_sims_s": "OpenSpiel ISMCTS, German whist",
    "openspiel_hearts_ismcts_sims_s": "OpenSpiel ISMCTS, hearts",
    "openspiel_euchre_ismcts_sims_s": "OpenSpiel ISMCTS, euchre",
    "openspiel_skat_ismcts_sims_s": "OpenSpiel ISMCTS, skat",
    "dds_solves_s": "DDS through endplay",
    "pgx_bridge_bidding_1000_steps_s": "pgx bridge_bidding, batch of 1,000",
    "pgx_bridge_bidding_10000_steps_s": "pgx bridge_bidding, batch of 10,000",
    "pgx_leduc_holdem_1000_steps_s": "pgx leduc_holdem, batch of 1,000",
    "pgx_leduc_holdem_10000_steps_s": "pgx leduc_holdem, batch of 10,000",
    "schnapsen_games_s": "schnapsen, its two random bots",
    "rlcard_gin-rummy_decisions_s": "RLCard gin rummy",
    "rlcard_doudizhu_decisions_s": "RLCard doudizhu",
    "rlcard_bridge_decisions_s": "RLCard bridge",
    "openspiel_hearts_decisions_s": "OpenSpiel hearts, from Python",
    "openspiel_euchre_decisions_s": "OpenSpiel euchre, from Python",
    "openspiel_python_block_dominoes_decisions_s": "OpenSpiel `python_block_dominoes`",
}
SHORT = {
    "plain_parties_s": "Chouine, plain Python",
    "state_parties_s": "Chouine, `State.play`",
    "compiled_parties_s": "Chouine, compiled",
    "compiled_eager_parties_s": "Chouine, compiled, eager",
    "solves_s": "Chouine, margin",
    "outcome_solves_s": "Chouine, who wins",
    "declaring_solves_s": "Chouine, declarations too",
    "batch_1000_steps_s": "Chouine, actions in 1,000",
    "batch_10000_steps_s": "Chouine, actions in 10,000",
    "batch_100000_steps_s": "Chouine, actions in 100,000",
    "vector_1000_steps_s": "Chouine, environment of 1,000",
    "vector_10000_steps_s": "Chouine, environment of 10,000",
    "vector_100000_steps_s": "Chouine, environment of 100,000",
    "vector_steps_s": "Chouine, environment of 100,000, two threads",
    "ismcts_sims_s": "Chouine, ISMCTS",
    "pettingzoo_decisions_s": "Chouine, PettingZoo",
    "spiel_decisions_s": "Chouine, OpenSpiel",
}
"""Names of our figures in tables and plots that show the unit."""


@dataclass(frozen=True)
class Comparison:
    ours: str
    theirs: str
    differs: str


EAGER = "Same game and choices: whatever can be exchanged or declared is."
CHOOSING = (
    "Same game; Chouine also chooses what to declare and whether to exchange, the C program always does."
)
OTHER_GAME = "Another game, {}; dealing counted on both sides."
IN_PYTHON = "Another game in Python, 20 cards and two seats."
FOUR_HANDS = "Four hands and 20 cards there, two hands and 10 cards here."
STEPS = (
    "Observations, masks and new deals on both sides, drawing on neither; here a step is also the opponent's."
)
TINY = STEPS + " Six cards in all there."
SINGLY = "Other games; what is seen and what is legal at each step, dealing counted, on both sides."
SPIEL = "Other games through the same `rl_environment`."
ITSELF = "Chouine beside itself: what {} costs."
CARDS_ONLY = "Endings of the same kind, cards alone."


def random_play(theirs: str, game: str) -> Comparison:
    return Comparison("compiled_parties_s", f"openspiel_{theirs}_games_s", OTHER_GAME.format(game))


GROUPS = {
    "Random games a second": (
        Comparison("compiled_eager_parties_s", "c_fused", EAGER),
        Comparison("compiled_parties_s", "c_fused", CHOOSING),
        random_play("german_whist_foregame", "two seats and a talon"),
        random_play("hearts", "four seats and 52 cards"),
        random_play("euchre", "four seats and 24 cards"),
        random_play("skat", "three seats and 32 cards"),
        Comparison("plain_parties_s", "schnapsen_games_s", IN_PYTHON),
        Comparison("state_parties_s", "schnapsen_games_s", IN_PYTHON),
    ),
    "Endings of five cards a hand, solved a second": (
        Comparison("solves_s", "c_solve", CARDS_ONLY),
        Comparison("outcome_solves_s", "c_solve", CARDS_ONLY + " Who wins here, the margin there."),
        Comparison("solves_s", "dds_solves_s", FOUR_HANDS),
        Comparison("declaring_solves_s", "dds_solves_s", FOUR_HANDS + " Declarations played out here."),
    ),
    "Steps a second of games in a batch": (
        Comparison("vector_1000_steps_s", "pgx_bridge_bidding_1000_steps_s", STEPS),
        Comparison("vector_10000_steps_s", "pgx_bridge_bidding_10000_steps_s", STEPS),
        Comparison("vector_1000_steps_s", "pgx_leduc_holdem_1000_steps_s", TINY),
        Comparison("vector_10000_steps_s", "pgx_leduc_holdem_10000_steps_s", TINY),
        Comparison("vector_100000_steps_s", "vector_1000_steps_s", ITSELF.format("size")),
        Comparison(
            "vector_steps_s", "vector_100000_steps_s", ITSELF.format("a second thread, by the clock,")
        ),
        Comparison(
            "batch_10000_steps_s", "vector_10000_steps_s", "Chouine without an environment: rules alone."
        ),
    ),
    "Decisions a second, one game at a time from Python": (
        *(
            Comparison("pettingzoo_decisions_s", f"rlcard_{game}_decisions_s", SINGLY)
            for game in ("gin-rummy", "doudizhu", "bridge")
        ),
        Comparison(
            "spiel_decisions_s", "openspiel_python_block_dominoes_decisions_s", SPIEL + " Python too."
        ),
        Comparison("spiel_decisions_s", "openspiel_hearts_decisions_s", SPIEL + " C++ there."),
        Comparison("spiel_decisions_s", "openspiel_euchre_decisions_s", SPIEL + " C++ there."),
    ),
    "ISMCTS simulations a second": tuple(
        Comparison(
            "ismcts_sims_s", f"openspiel_{game}_ismcts_sims_s", "Another game; from the first decision."
        )
        for game in ("german_whist_foregame", "hearts", "euchre", "skat")
    ),
}


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


def results_page(entries: list[Entry]) -> str:
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
    ours, theirs = (
        median_and_range(entry["rounds"].get(name, [])) for name in (comparison.ours, comparison.theirs)
    )
    return [
        SHORT[comparison.ours],
        ours,
        SHORT.get(comparison.theirs, NAMES[comparison.theirs]),
        entry["missing"].get(comparison.theirs) or theirs,
        median_and_range(ratios(entry, comparison)),
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
    return median_and_range(scaled), f"{comparison.differs} {lengths}"


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
        figures = [short_or_nothing(figures.get(name)) for figures in medians]
        rows.append([NAMES.get(name, name.replace("_", " ")), *figures])
    for comparison in (each for group in GROUPS.values() for each in group):
        found = [ratios(entry, comparison) for entry in entries]
        if any(found):
            title = f"{SHORT[comparison.ours]} / {SHORT.get(comparison.theirs, NAMES[comparison.theirs])}"
            rows.append([title, *(short_or_nothing(median(each) if each else None) for each in found)])
    return lines(["", *(entry["commit"] for entry in entries)], rows)


def lines(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, ["---"] * len(heads), *rows))


def median_and_range(figures: list[float]) -> str:
    """The median, with minimum and maximum."""
    if not figures:
        return NOTHING
    return f"{short(median(figures))} ({short(min(figures))}–{short(max(figures))})"


def short_or_nothing(figure: float | None) -> str:
    return NOTHING if figure is None else short(figure)


def short(figure: float) -> str:
    """Three significant digits, with k for thousands and M for millions."""
    figure = float(f"{figure:.3g}")
    for unit, sign in ((1e6, " M"), (1e3, " k")):
        if figure >= unit:
            return f"{figure / unit:.3g}{sign}"
    return f"{figure:.3g}"


WIDTH, NAME, BAR, LINE = 800, 290, 400, 24
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.head{font-weight:600}"
    ".tick{font-size:10px;text-anchor:middle;opacity:.7}.ours{fill:#b3452c}.theirs{fill:#7d8a97}"
    ".spread,.grid{stroke:#222;stroke-width:1}.grid{opacity:.15}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.ours{fill:#e0775c}.spread,.grid{stroke:#ddd}}"
)


def bar_chart(entry: Entry) -> str:
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
