"""Every number of the lessons, the guided partie and the book is a rule's, the book's, or of the example shown."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, reduce
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from chouine.book import estimates
from chouine.book.pages import PLACE, TEXTS
from chouine.cards import PACK
from chouine.cli import main
from chouine.partie import Declaration
from chouine.rules import Rules, rule_table_of
from chouine.rules.play import DIX_DE_DER

ROOT = Path(__file__).parents[2]
CONTENT = files("chouine.school.content")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
IDENTITY = re.compile(r"\d+(?: [+−×-] \d+)+ = \d+")
ODDS = re.compile(
    r"%|\bchances? (?:sur|in)\b|\b(?:sur|in) (?:deux|dix|cent|vingt-six|two|ten|a hundred|twenty-six)\b"
)

FRACTION = re.compile(
    r"\b(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|one|two|three|four|five|six|seven|eight|nine)"
    r"(?: \w+)? (?:sur|in) (?:deux|trois|quatre|cinq|six|dix|douze|quinze|vingt|trente|cent"
    r"|two|three|four|five|six|ten|twelve|fifteen|twenty|thirty|a hundred)\b",
    re.IGNORECASE,
)
"""So many in so many, in words."""

SUIT_POINTS = sum(card.points for card in PACK if card.suit == PACK[0].suit)
BRISQUES = sum(card.points for card in PACK if card.brisque)
VALUES = {Declaration(text).value for text in ("20d", "30d", "40d", "50")}
RULES = {
    *(card.points for card in PACK),
    *VALUES,
    *(2 * value for value in VALUES - {50}),
    2,
    DIX_DE_DER,
    SUIT_POINTS,
    4 * SUIT_POINTS,
    BRISQUES,
    4 * SUIT_POINTS - BRISQUES,
    4 * SUIT_POINTS + DIX_DE_DER,
    (4 * SUIT_POINTS + DIX_DE_DER) // 2,
    sum(card.brisque for card in PACK),
}
"""§1, §9, §12: points of cards, declarations (doubled in trumps) and totals; the eight brisques."""


@cache
def figure_of(table: str, what: str) -> float:
    """A figure of the book's data, both seeds together, in parties of a hundred."""
    with (ROOT / "docs" / "book" / "data" / f"{table}.csv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file)
        value = next(
            row["value"] for row in rows if (row["seed"], row["what"], row["where"]) == ("1+2", what, "all")
        )
    return round(100 * float(value), 1)


def either_comes() -> Fraction:
    """The probability that one of two unseen cards at least comes to a player, at the deal."""
    both = Fraction(10 * 9 + 11 * 10, 2 * 26 * 25)
    return 2 * estimates.chance_to_come(0) - both


COMPUTED: dict[tuple[str, int], set[float]] = {
    ("12-odds.toml", 1): {
        float(26 * estimates.chance_to_come(0)),
        26,
        round(100 * float(estimates.chance_to_come(0)), 1),
    },
    ("12-odds.toml", 3): {5, 2 * 5},
    ("12-odds.toml", 7): {
        round(100 * float(either_comes())),
        round(100 * float(estimates.chance_to_come(0))),
    },
}
"""Numbers of a step that are frequencies, probabilities or averages: a formula, or the book's data."""
WORDED: dict[tuple[str, int], dict[str, tuple[Fraction, float]]] = {
    ("09-hold-back.toml", 1): {
        "garder un mariage coûte environ trois parties sur vingt": (
            Fraction(3, 20),
            -figure_of("holding", "mariage"),
        ),
        "holding a mariage loses about three parties in twenty": (
            Fraction(3, 20),
            -figure_of("holding", "mariage"),
        ),
        "il en rapporte environ une sur quinze": (Fraction(1, 15), figure_of("waiting", "mariage-trump")),
        "it wins about one more in fifteen": (Fraction(1, 15), figure_of("waiting", "mariage-trump")),
    },
    ("12-odds.toml", 1): {
        "40,4 %, quatre sur dix": (Fraction(4, 10), 100 * float(estimates.chance_to_come(0))),
        "40.4%, four in ten": (Fraction(4, 10), 100 * float(estimates.chance_to_come(0))),
    },
}
"""The fractions that a step says in words, each with the measured or computed figure, in parts of a hundred."""
ABOUT = 0.5
"""How far, in parts of a hundred, a fraction in words may be from its figure."""
SHOWN: dict[tuple[str, int], set[int]] = {
    ("02-points.toml", 5): {11 + 10},
    ("02-points.toml", 6): {11 + 10},
    ("06-count.toml", 3): {57, 120 - 57},
    ("06-count.toml", 4): {70, 120 - 70, 120 - 70 + 10},
    ("06-count.toml", 6): {84, 40, 84 - 40, 40 + 36},
    ("06-count.toml", 9): {75},
    ("07-chouine.toml", 7): {90, 20},
    ("09-hold-back.toml", 7): {30},
    ("11-fallen-cards.toml", 3): {8, 4, 2},
    ("11-fallen-cards.toml", 8): {8, 6, 1},
    ("13-match.toml", 3): {3, 2},
    ("13-match.toml", 4): {3, 2, 1, 3 + 2, 1 + 3},
    ("13-match.toml", 7): {3, 0},
}
"""Numbers that an exercise supposes, or counts of its example."""


def texts(data: Any) -> Iterator[str]:
    """All sentences of a step, in both languages."""
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str):
                if re.search(r"(?:^|_)(?:fr|en)$", key):
                    yield value
            else:
                yield from texts(value)
    elif isinstance(data, list):
        for each in data:
            yield from texts(each)


def steps() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Every step of the lessons, counted from 1, and every note of the guided partie."""
    for file in sorted((CONTENT / "lessons").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            found = tomllib.loads(file.read_text("utf-8"))["step"]
            yield from ((file.name, nth, step) for nth, step in enumerate(found, 1))
    notes = tomllib.loads((CONTENT / "guide.toml").read_text("utf-8"))["note"]
    yield from (("guide.toml", nth, note) for nth, note in enumerate(notes, 1))


EVERY = list(steps())


def allowed_numbers(file: str, nth: int, step: dict[str, Any]) -> set[float]:
    """The numbers that a step may name. What a board shows is verified with the engine by `test_lessons`."""
    return {*RULES, *step.get("points", ()), *COMPUTED.get((file, nth), ()), *SHOWN.get((file, nth), ())}


def test_every_number_of_a_lesson_is_of_a_rule_the_book_or_the_example() -> None:
    """§1, §9, §12: a number that fails here has to be computed, or named as the example's."""
    unknown = [
        (file, nth, text, number)
        for file, nth, step in EVERY
        for text in texts(step)
        for number in NUMBER.findall(re.sub(r"\d+x\d+", "", text))
        if float(number.replace(",", ".")) not in allowed_numbers(file, nth, step)
    ]
    assert unknown == []


def test_a_frequency_is_computed() -> None:
    """A per cent, or so many in so many, is in `COMPUTED`, with each of its numbers."""
    for file, nth, step in EVERY:
        for text in texts(step):
            if ODDS.search(text) and NUMBER.search(text):
                numbers = {float(number.replace(",", ".")) for number in NUMBER.findall(text)}
                assert numbers <= COMPUTED.get((file, nth), set()), text


def test_a_fraction_in_words_is_the_figure_rounded() -> None:
    """Whoever measures anew and finds another figure learns which sentence to change."""
    said = {(file, nth): [*texts(step)] for file, nth, step in EVERY}
    for where, fractions in WORDED.items():
        for words, (fraction, figure) in fractions.items():
            assert any(words in text for text in said[where]), words
            assert abs(100 * fraction - figure) <= ABOUT, (words, figure)


def test_no_fraction_is_said_in_words_without_its_figure() -> None:
    """Of several, as "three in twenty": an exercise's own answers, which `test_the_odds_in_words` works out, apart."""
    unchecked = [
        (file, nth, text)
        for file, nth, step in EVERY
        if "option" not in step
        for text in texts(step)
        if FRACTION.search(
            reduce(lambda left, words: left.replace(words, ""), WORDED.get((file, nth), ()), text)
        )
    ]
    assert unchecked == []


def test_nothing_is_classified_that_no_lesson_says() -> None:
    said = {
        (file, nth): {float(n.replace(",", ".")) for text in texts(step) for n in NUMBER.findall(text)}
        for file, nth, step in EVERY
    }
    for where in {*COMPUTED, *SHOWN}:
        assert {*COMPUTED.get(where, ()), *SHOWN.get(where, ())} <= said[where], where


def test_sums_are_right() -> None:
    sums = [found for _, _, step in EVERY for text in texts(step) for found in IDENTITY.findall(text)]
    assert len(sums) > 10
    for each in sums:
        left, right = each.replace("−", "-").replace("×", "*").split(" = ")
        parts = re.split(r" ([+*-]) ", left)
        total = int(parts[0])
        for sign, number in zip(parts[1::2], parts[2::2], strict=True):
            total = {"+": total + int(number), "-": total - int(number), "*": total * int(number)}[sign]
        assert total == int(right), each


def test_the_odds_in_words() -> None:
    """§3, §5: six cards seen, 26 hidden, 5 and 21; half of ten hidden cards; four in ten."""
    rule_table = rule_table_of(Rules())
    assert 32 - 5 - 1 == 26 == 5 + 21
    assert rule_table.drawing == 11
    assert round(10 * estimates.chance_to_come(0)) == 4
    assert Fraction(5, 10) == Fraction(1, 2)


def test_waiting_with_a_mariage_of_trumps_at_the_deal_is_best(capsys: pytest.CaptureFixture[str]) -> None:
    """§9: the exercise of lesson 9 that says to wait, by the adviser."""
    step = next(step for file, nth, step in EVERY if (file, nth) == ("09-hold-back.toml", 2))
    assert step["cards"] == "Kh Qh 9d 8d 8c"
    line = f"classic b .KQ.98.8|?5 9h {'??' * 21} :"
    assert main(["advise", "a", line, "--worlds", "1500", "--json"]) == 0
    wins = {each["action"]: each["win"] for each in json.loads(capsys.readouterr().out)["acts"]}
    assert wins["8c"] > max(wins.values()) - 0.03
    assert wins["8c"] - wins["Kh+20h"] > 0.03
    assert wins["8c"] - wins["Qh"] > 0.1


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_book_is_its_text_filled(language: str) -> None:
    """The page in docs has every word of the text, in order."""
    page = (ROOT / "docs" / "book" / f"{language}.md").read_text("utf-8")
    text = (TEXTS / f"{language}.txt").read_text("utf-8")
    at = 0
    for part in PLACE.sub("\0", text).split("\0"):
        found = page.find(part, at)
        assert found >= at, part
        at = found + len(part)
