"""The book's figures: odds that need no play, and tables with their 95 % intervals from tallies.

>>> quinte = chance_dealt("quinte")
>>> quinte.numerator, quinte.denominator, round(1 / quinte)
(1, 3596, 3596)
>>> round(1 / chance_dealt("chouine"))
50344
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from io import StringIO
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from chouine.ai.racing import Z
from chouine.book.kernel import DRAWING, HASTENED, HELD, TRICKS, UNLED, UNSAID, UNSWAPPED, UNTURNED
from chouine.book.tallies import FAMILIES, OF_SUIT, SHORT_BINS, Tallies
from chouine.cards import Rank
from chouine.files import write_whole
from chouine.rules.combinations import CHOUINE, MARIAGE, QUARTERON, QUINTE, TIERCE, figures_of_five

HANDS = comb(32, 5)
"""Hands of five cards."""
_SETS = {
    "mariage": 0xF << MARIAGE,
    "tierce": 0xF << TIERCE,
    "quarteron": 0xF << QUARTERON,
    "quinte": 1 << QUINTE,
    "chouine": 0xF << CHOUINE,
}


@cache
def count_hands() -> dict[str, int]:
    """The number of five-card hands that hold each family of figures, counted with the rules' own function (§9)."""
    many = dict.fromkeys(FAMILIES, 0)
    for cards in combinations([1 << card for card in range(32)], 5):
        held = figures_of_five(sum(cards))
        if held:
            for family, members in _SETS.items():
                many[family] += held & members != 0
    return many


def chance_dealt(family: str) -> Fraction:
    """The probability that a player's first five cards hold a figure of the family."""
    return Fraction(count_hands()[family], HANDS)


def dealt_seven() -> Fraction:
    """The probability that a player is dealt the seven of trumps and another card is turned up (§11)."""
    return Fraction(7, 8) * Fraction(5, 31)


def chance_to_come(trick: int) -> Fraction:
    """The probability that an unseen card comes to a player by the end of the talon, from a trick counted from 0.

    It is neither the turnup nor a shown card, and equally likely in each unseen place. Of the two cards of the last
    draw one is the turnup, which loses half a place.
    """
    unseen, places = 26 - 2 * trick, Fraction(21 - 2 * trick, 2)
    return places / unseen


RANGES = {
    "all": range(TRICKS),
    "1-4": range(4),
    "5-8": range(4, 8),
    "9-11": range(8, DRAWING),
    "12-16": range(DRAWING, TRICKS),
}
"""Ranges of tricks, named as players count them, from 1. The last five are played without a talon (§8)."""
SAID = (
    "mariage", "mariage-trump", "tierce", "tierce-trump", "quarteron", "quarteron-trump", "quinte", "chouine",
)  # fmt: skip
FEWEST = 30
"""Figures with fewer observations are left out."""


class Source(NamedTuple):
    """The player, seed and number of parties behind a set of figures."""

    player: str
    seed: str
    parties: int
    commit: str


class TableFigure(NamedTuple):
    """One figure of a table."""

    table: str
    what: str
    where: str
    """The range of tricks, or another condition."""
    n: int
    value: float
    low: float
    high: float


def figure(table: str, what: str, where: str, counted: Any) -> TableFigure | None:
    """A mean with its interval (Wilson's where everything is 0 or 1), from `float64[3]`; None if too few."""
    n, total, squares = (float(part) for part in counted[:3])
    if n < FEWEST:
        return None
    mean = total / n
    if total == squares:
        middle, spread = (mean + Z * Z / (2 * n)), Z * sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
        scale = 1 + Z * Z / n
        return TableFigure(
            table, what, where, int(n), mean, max(0.0, (middle - spread) / scale), (middle + spread) / scale
        )
    error = Z * sqrt(max(0.0, squares / n - mean * mean) / n)
    return TableFigure(table, what, where, int(n), mean, mean - error, mean + error)


def figures_of(tallies: Tallies) -> list[TableFigure]:
    """All figures computed from these tallies."""
    figures = [
        *results(tallies), *estimate_declared(tallies), *worths(tallies), *estimate_keeping_back(tallies),
        *chance_things(tallies),
        *counts(tallies), *last_five(tallies),
    ]  # fmt: skip
    return [each for each in figures if each is not None]


Estimates = Iterator[TableFigure | None]


def results(tallies: Tallies) -> Estimates:
    """Figures on how parties end and what is dealt."""
    for name in ("nulle", "by_chouine", "dealer_wins", "dealer_margin", "declared", "margin", "exchanged"):
        yield figure("results", name, "", tallies[name][0])
    for family, counted in zip(FAMILIES, tallies["dealt"], strict=True):
        yield figure("dealt", family, "", counted)
    yield figure("dealt", "seven", "", tallies["dealt_seven"][0])
    for trick in range(DRAWING):
        yield figure("exchanged", "exchanged", str(trick + 1), tallies["exchanged_at"][trick])
    for rank in Rank:
        (n, won, squares), as_dealer = tallies["turnup"][rank]
        as_leader = n, n - won, n - 2 * won + squares  # the dealer has what the leader has not
        yield figure("turned-up", "dealer", rank.letter, as_dealer + as_leader)


def estimate_declared(tallies: Tallies) -> Estimates:
    """Figures on what is declared, and how often as soon as possible."""
    for nth, name in enumerate(SAID):
        yield figure("said", name, "", tallies["said"][nth])
        yield figure("won-when-said", name, "", tallies["won_when_said"][nth])
    for nth, family in enumerate(FAMILIES[:3]):
        for trump, suffix in enumerate(("", "-trump")):
            counted = tallies["said_at_once"][nth, trump]
            yield figure("at-once", family + suffix, "all", counted.sum(axis=0))
            for trick in range(DRAWING):
                yield figure("at-once", family + suffix, str(trick + 1), counted[trick])


def by_trick(table: str, what: str, counted: Any) -> Estimates:
    """A figure for each range of tricks and each trick, from `float64[TRICKS, 3]`."""
    for name, tricks in RANGES.items():
        yield figure(table, what, name, counted[tricks.start : tricks.stop].sum(axis=0))
    for trick in range(TRICKS):
        yield figure(table, what, str(trick + 1), counted[trick])


def of_figures(trials: Any, kind: int) -> Iterator[tuple[str, Any]]:
    """The trials of each figure, summed over suits: `float64[TRICKS, 4]`."""
    for family, first in zip(FAMILIES, OF_SUIT, strict=False):
        for trump, suffix in enumerate(("", "-trump")):
            yield family + suffix, trials[kind, first : first + 4, trump].sum(axis=0)
    yield "quinte", trials[kind, QUINTE].sum(axis=0)


def worths(tallies: Tallies) -> Estimates:
    """Figures on what a declaration is worth."""
    for what, counted in of_figures(tallies["trials"], UNSAID):
        yield from by_trick("worth", what, counted)


def estimate_keeping_back(tallies: Tallies) -> Estimates:
    """Figures on keeping a declaration back: its gain, by whether the player would have declared, and its growth."""
    for kind, table in ((HELD, "holding"), (HASTENED, "waiting")):
        for what, counted in of_figures(tallies["trials"], kind):
            yield from by_trick(table, what, counted)
            if kind == HELD:
                grown = counted[:, [0, 3, 3]]
                yield from by_trick("grew", what, grown)


def chance_things(tallies: Tallies) -> Estimates:
    """Figures on the worth of the seven, the lead and the turnup."""
    trials = tallies["trials"]
    yield from by_trick("seven", "seven", trials[UNSWAPPED].sum(axis=(0, 1)))
    for rank in Rank:
        yield figure("seven", "turnup", rank.letter, trials[UNSWAPPED, rank].sum(axis=(0, 1)))
        yield figure("last-draw", "turnup", rank.letter, trials[UNTURNED, rank].sum(axis=(0, 1)))
    yield from by_trick("lead", "lead", trials[UNLED].sum(axis=(0, 1)))


def counts(tallies: Tallies) -> Estimates:
    """Figures on how often a shortened count is wrong."""
    for name in ("short_count", "brisques_alone"):
        many = tallies[name][:, 0]
        for nth, verdict in enumerate(("agrees", "wrong", "says-nulle", "misses-nulle")):
            yield figure("counts", name, verdict, (many.sum(), many[nth], many[nth]))
    ends = [*SHORT_BINS[1:], None]
    for nth, (low, high) in enumerate(zip(SHORT_BINS, ends, strict=True)):
        where = f"{low}+" if high is None else str(low) if high - low == 1 else f"{low}-{high - 1}"
        yield figure("short-count", "errs", where, tallies["short_by_margin"][nth])


def last_five(tallies: Tallies) -> Estimates:
    """Figures on what is kept for the last five tricks, and the win rate with it."""
    for trump, what in enumerate(("plain", "trump")):
        for rank in reversed(Rank):
            yield figure("kept", what, rank.letter, tallies["kept"][trump, rank])
    for many in range(6):
        for leads, what in enumerate(("trumps", "trumps-leading")):
            yield figure("last-five", what, str(many), tallies["last_trumps"][many, leads])
        yield figure("last-five", "brisques", str(many), tallies["last_brisques"][many])


def count_disagreements(one: list[TableFigure], other: list[TableFigure]) -> tuple[int, int]:
    """Compare two seeds: the number of figures both give, and how many differ by more than a 95 % interval."""
    theirs = {each[:3]: each for each in other}
    both = [(each, theirs[each[:3]]) for each in one if each[:3] in theirs]
    apart = sum(
        abs(a.value - b.value) > sqrt((a.high - a.low) ** 2 + (b.high - b.low) ** 2) / 2 for a, b in both
    )
    return len(both), apart


def write_csv(folder: Path, by_source: dict[Source, list[TableFigure]]) -> None:
    """Write one CSV file for each table, with all players and seeds."""
    folder.mkdir(parents=True, exist_ok=True)
    tables: dict[str, list[list[object]]] = {}
    for source, figures in by_source.items():
        for each in figures:
            row = [source.player, source.seed, source.parties, each.what, each.where, each.n]
            row += [f"{part:.6f}" for part in each[4:]]
            tables.setdefault(each.table, []).append([*row, source.commit])
    heads = ["player", "seed", "parties", "what", "where", "n", "value", "low", "high", "commit"]
    for table, rows in tables.items():
        write_rows(folder / f"{table}.csv", [heads, *rows])
    odds = {family: chance_dealt(family) for family in FAMILIES} | {"seven": dealt_seven()}
    exact = [
        [name, chance.numerator, chance.denominator, f"{float(chance):.9f}"] for name, chance in odds.items()
    ]
    write_rows(folder / "exact.csv", [["what", "numerator", "denominator", "value"], *exact])


def write_rows(path: Path, rows: Iterable[Iterable[object]]) -> None:
    """Write a CSV file."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_whole(path, text.getvalue())
