"""The book as Markdown, in French and English: a text with placeholders, filled here with tables and figures.

`{{worth}}` is a table; `{{results nulle}}` one figure, named by table, what and where; `{{-lead lead all}}` its
negative.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import ceil, inf, log10
from pathlib import Path
from typing import NamedTuple

from chouine.book.estimates import (
    RANGES,
    SAID,
    Source,
    TableFigure,
    chance_dealt,
    chance_to_come,
    dealt_seven,
)
from chouine.book.tallies import FAMILIES
from chouine.cards import Rank
from chouine.phrases import Language
from chouine.plots import Point, curves

TEXTS = Path(__file__).with_name("texts")
PLACE = re.compile(r"\{\{(-?)([a-z][a-z-]*)(?: ([^ }]+))?(?: ([^ }]+))?\}\}")
NO_BREAK = "\N{NO-BREAK SPACE}"
RANKS: dict[Language, str] = {"en": "789JQKTA", "fr": "789VDRXA"}


class Claim(NamedTuple):
    """A claim about the game, tested for each level: true if the figure's whole interval is above or below a bound."""

    key: tuple[str, str, str]
    above: float
    below: float
    texts: Mapping[Language, str]

    def holds(self, figure: TableFigure) -> bool:
        """Whether a figure supports the claim."""
        return figure.low > self.above and figure.high < self.below


@cache
def words(language: Language) -> Mapping[str, str]:
    """Labels that differ from the figures' own names."""
    return dict(json.loads((TEXTS / "words.json").read_text(encoding="utf-8"))[language])


@cache
def claims() -> Sequence[Claim]:
    """The claims tested for each level."""
    entries = json.loads((TEXTS / "claims.json").read_text(encoding="utf-8"))
    return [
        Claim(
            (each["of"][0], each["of"][1], each["of"][2]),
            each.get("above", -inf),
            each.get("below", inf),
            each,
        )
        for each in entries
    ]


class BookVariables(NamedTuple):
    """The values that fill the pages, in one language."""

    language: Language
    figures: Mapping[tuple[str, str, str], TableFigure]
    """Figures of the strongest player, all seeds together, by (table, what, where)."""
    by_player: Mapping[str, Mapping[tuple[str, str, str], TableFigure]]
    sources: Sequence[Source]
    agreement: tuple[int, int]

    def word(self, text: str) -> str:
        return words(self.language).get(text, text)

    def rank(self, letter: str) -> str:
        """A card's rank in the language's letters."""
        shown = RANKS[self.language]["789JQKTA".index(letter)]
        return "10" if shown in "TX" else shown

    def number(self, value: float, digits: int = 0) -> str:
        text = f"{value:,.{digits}f}"
        if self.language == "en":
            return text
        return text.replace(",", NO_BREAK).replace(".", ",")

    def percent(self, value: float, digits: int = 1) -> str:
        return self.number(100 * value, digits).replace("-", "−") + f"{NO_BREAK}%"

    def cell(self, key: tuple[str, str, str]) -> str:
        """A figure with half the width of its interval; empty where there were too few observations."""
        if key not in self.figures:
            return "·"
        each = self.figures[key]
        width = 50 * (each.high - each.low)
        digits = min(4, max(1, ceil(-log10(width)))) if width else 1
        margin = f"{NO_BREAK}±{NO_BREAK}{self.number(width, digits)}"
        return f'{self.percent(each.value, digits)[:-2]}<span class="margin">{margin}</span>'


def table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with numbers aligned to the right."""
    head = list(head)
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def matrix(book: BookVariables, name: str, rows: Sequence[str], ranges: Sequence[str]) -> str:
    """A table with a row for each `what` and a column for each range of tricks, without empty rows."""
    kept = [what for what in rows if any((name, what, where) in book.figures for where in ranges)]
    head = [book.word("what"), *(book.word(where) for where in ranges)]
    return table(
        head, [[book.word(what), *(book.cell((name, what, where)) for where in ranges)] for what in kept]
    )


def exact_table(book: BookVariables) -> str:
    """Exact odds of the deal beside the observed shares."""
    rows = []
    for what in (*FAMILIES, "seven"):
        chance = dealt_seven() if what == "seven" else chance_dealt(what)
        once = 1 / float(chance)
        fraction = f"{chance.numerator}/{chance.denominator}"
        share = book.number(100 * float(chance), 4 if once >= 1_000 else 2)
        seen = book.cell(("dealt", what, ""))
        rows.append([book.word(what), fraction, book.number(once, 0 if once >= 100 else 1), share, seen])
    return table([book.word(head) for head in ("what", "chance", "one-in", "percent", "seen")], rows)


def ranks_table(book: BookVariables, name: str, rows: Sequence[str]) -> str:
    """A table by rank."""
    ranks = [rank.letter for rank in reversed(Rank)]
    head = [book.word("what"), *map(book.rank, ranks)]
    return table(
        head, [[book.word(what), *(book.cell((name, what, rank)) for rank in ranks)] for what in rows]
    )


def counts_table(book: BookVariables) -> str:
    """How often each shortened count names a wrong winner."""
    verdicts = ("agrees", "wrong", "says-nulle", "misses-nulle")
    return matrix(book, "counts", ("short_count", "brisques_alone"), verdicts)


def levels_table(book: BookVariables) -> str:
    """Each claim's figure by level, and the lowest level from which on it holds."""
    players = [f"level:{number}" for number in range(1, 7)] + ["net"]
    rows = []
    for claim in claims():
        found = [book.by_player.get(player, {}).get(claim.key) for player in players]
        first = len(players)
        while first > 0 and (each := found[first - 1]) is not None and claim.holds(each):
            first -= 1
        since = (
            book.word("never")
            if first == len(players)
            else book.word("net")
            if first == 6
            else str(first + 1)
        )
        shares = ["·" if each is None else book.percent(each.value) for each in found]
        rows.append([claim.texts[book.language], *shares, since])
    head = [book.word("claim"), *map(str, range(1, 7)), book.word("net"), book.word("from")]
    return table(head, rows)


def players_table(book: BookVariables) -> str:
    """Which players played how many parties."""
    rows = [[each.player, each.seed, book.number(each.parties), f"`{each.commit}`"] for each in book.sources]
    return table([book.word(head) for head in ("what", "seed", "n", "commit")], rows)


def said_table(book: BookVariables) -> str:
    """How often each figure is declared in a partie, and how often its declarer wins."""
    rows = [
        [book.word(what), book.cell(("said", what, "")), book.cell(("won-when-said", what, ""))]
        for what in SAID
    ]
    return table([book.word("what"), book.word("said"), book.word("won")], rows)


def last_five_table(book: BookVariables) -> str:
    """Win rate by the number of trumps held when the last five tricks begin."""
    rows = [
        [str(many), *(book.cell(("last-five", what, str(many))) for what in ("trumps-leading", "trumps"))]
        for many in range(6)
    ]
    return table([book.word("trumps"), book.word("leads"), book.word("answers")], rows)


SUITED = SAID[:6]
DRAWN = ("all", "1-4", "5-8", "9-11")
TABLES: dict[str, Callable[[BookVariables], str]] = {
    "exact": exact_table,
    "said": said_table,
    "worth": lambda book: matrix(book, "worth", SAID[:7], tuple(RANGES)),
    "holding": lambda book: matrix(book, "holding", SUITED, DRAWN),
    "grew": lambda book: matrix(book, "grew", SUITED, DRAWN),
    "waiting": lambda book: matrix(book, "waiting", SUITED, DRAWN),
    "at-once": lambda book: matrix(book, "at-once", SUITED, ("all", "1", "4", "8", "10", "11")),
    "seven": lambda book: matrix(book, "seven", ("seven",), DRAWN),
    "seven-ranks": lambda book: ranks_table(book, "seven", ("turnup",)),
    "lead": lambda book: matrix(book, "lead", ("lead",), DRAWN),
    "last-draw": lambda book: ranks_table(book, "last-draw", ("turnup",)),
    "turned-up": lambda book: ranks_table(book, "turned-up", ("dealer",)),
    "counts": counts_table,
    "short-count": lambda book: matrix(
        book, "short-count", ("errs",), ("0", "1-9", "10-19", "20-29", "30-36", "37+")
    ),
    "kept": lambda book: ranks_table(book, "kept", ("trump", "plain")),
    "last-five": last_five_table,
    "levels": levels_table,
    "players": players_table,
}


def fill_page(book: BookVariables) -> str:
    """The page's text with all placeholders filled."""

    def fill(found: re.Match[str]) -> str:
        sign, name, what, where = -1 if found[1] else 1, found[2], found[3], found[4] or ""
        if what is None:
            return TABLES[name](book)
        if name == "agreement":
            return book.number(book.agreement[what == "apart"])
        if name == "odds":
            return book.percent(float(chance_to_come(int(what) - 1)))
        if (name, what, where) not in book.figures:
            return "·"
        each = book.figures[name, what, where]
        if what in ("declared", "margin", "dealer_margin"):
            return book.number(each.value, 1)
        return book.percent(sign * each.value, 1 if abs(each.value) >= 0.01 else 2)

    return PLACE.sub(fill, (TEXTS / f"{book.language}.txt").read_text(encoding="utf-8"))


PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "worth": ("worth", ("mariage", "mariage-trump", "quinte")),
    "lead": ("lead", ("lead",)),
    "seven": ("seven", ("seven",)),
}
"""The plots: each a table and the names of its lines."""


def picture(book: BookVariables, name: str) -> str:
    """A plot by trick."""
    table_name, lines = PICTURES[name]
    series = {
        book.word(what): [
            Point(trick, *book.figures[key][4:])
            for trick in range(1, 17)
            if (key := (table_name, what, str(trick))) in book.figures
        ]
        for what in lines
    }
    tricks = [each.x for line in series.values() for each in line]
    at = range(int(min(tricks)), int(max(tricks)) + 1)
    return curves(name, book.word("trick"), series, lambda value: book.percent(value, 0), at).svg
