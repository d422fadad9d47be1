"""What lessons and guide say is read against the cards, points and counts that stand beside it, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest

from chouine.cards import PACK, Card, Suit
from chouine.phrases import Language
from chouine.rules import rule_table_of
from chouine.school.exercises import (
    ActExercise,
    Choice,
    CountExercise,
    Explanation,
    Legal,
    LessonBoard,
    LessonStep,
    Takes,
    Text,
)
from chouine.school.guide import guide
from chouine.school.lessons import lessons

RANKS = {
    "en": ("seven", "eight", "nine", "jack", "queen", "king", "ten", "ace"),
    "fr": ("Sept", "Huit", "Neuf", "Valet", "Dame", "Roi", "Dix", "As"),
}
SUITS = {"en": ("spades", "hearts", "diamonds", "clubs"), "fr": ("pique", "cœur", "carreau", "trèfle")}
RANK = {language: rf"\b(?:{'|'.join(names)})\b" for language, names in RANKS.items()}
NAMED = {
    "en": re.compile(
        rf"({RANK['en']}(?:(?:, and |, | and | or )(?:the )?{RANK['en']})*) of ({'|'.join(SUITS['en'])})",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        rf"({RANK['fr']}(?:(?:, | et | ou )(?:le |la |l[’'])?{RANK['fr']})*) de ({'|'.join(SUITS['fr'])})",
        re.IGNORECASE,
    ),
}
"""Cards as sentences name them: one, or several of a suit."""
LANGUAGES: tuple[Language, ...] = ("fr", "en")


def cards_named(text: str, language: Language) -> list[Card]:
    """The cards named in a text, in order."""
    ranks = [rank.lower() for rank in RANKS[language]]
    return [
        Card(8 * SUITS[language].index(found[2].lower()) + ranks.index(word.lower()))
        for found in NAMED[language].finditer(text)
        for word in re.findall(RANK[language], found[1], re.IGNORECASE)
    ]


class SaidText(NamedTuple):
    """A sentence or two of a step, and where."""

    where: str
    step: LessonStep
    text: Text
    asks: bool
    """Whether it describes the position, rather than answering."""


def lesson_texts() -> Iterator[SaidText]:
    """All texts of all lessons."""
    for lesson in lessons():
        for number, step in enumerate(lesson.steps, 1):
            where = f"{lesson.name}-{number}"
            yield SaidText(where, step, step.text, asks=True)
            if isinstance(step, ActExercise):
                yield SaidText(f"{where}-right", step, step.praise, asks=False)
                yield from (
                    SaidText(f"{where}-{act}", step, text, asks=False) for act, text in step.wrong.items()
                )
            if isinstance(step, Choice):
                for nth, option in enumerate(step.options):
                    yield SaidText(f"{where}-option-{nth}", step, option.text, asks=False)
                    yield SaidText(f"{where}-reply-{nth}", step, option.reply, asks=False)


EVERY = {
    lesson.name: [one for one in lesson_texts() if one.where.startswith(f"{lesson.name}-")]
    for lesson in lessons()
}
"""The texts of each lesson."""
LESSONS = pytest.mark.parametrize("lesson", EVERY)


def board_of(step: LessonStep) -> LessonBoard | None:
    return step.board if isinstance(step, Legal | ActExercise) else None


def cards_beside(step: LessonStep) -> set[Card]:
    """The cards that a step shows."""
    match step:
        case Legal(board=board) | ActExercise(board=board):
            turned = [] if board.turnup is None else [board.turnup]
            return {*board.hand, *board.trick, *turned, *(board.other or ())}
        case Takes(trick=trick):
            return set(trick)
        case CountExercise(cards=cards) | Choice(cards=cards) | Explanation(cards=cards):
            return set(cards)
    return set()


@LESSONS
def test_both_languages_name_the_same_cards(lesson: str) -> None:
    for one in EVERY[lesson]:
        assert set(cards_named(one.text["fr"], "fr")) == set(cards_named(one.text["en"], "en")), one.where


@LESSONS
def test_a_card_spoken_of_lies_there(lesson: str) -> None:
    """Of an exercise with a board: in a hand, the trick, the turnup, or said to have fallen."""
    for one in EVERY[lesson]:
        for language in LANGUAGES if board_of(one.step) else ():
            fallen = re.findall(r"[^.:]*(?:fallen|tombé)[^.]*", one.step.text[language])
            away = {card for sentence in fallen for card in cards_named(sentence, language)}
            spoken = set(cards_named(one.text[language], language))
            assert spoken <= cards_beside(one.step) | away, one.text[language]


SAYS = {
    "trump": {"en": r"(\w+) are trumps", "fr": r"[Aa]tout (\w+)"},
    "plays": {
        "en": r"(?:Lucien|Marthe) (?:plays|led) the [^.,]*",
        "fr": r"(?:Lucien|Marthe) (?:joue|a joué) [^.,]*",
    },
    "other": {
        "en": r"(?:Lucien|he|He) (?:still )?holds ([^.]*)",
        "fr": r"(?:Lucien|il|Il) (?:a|tient|garde|a encore) (?!joué|pris)([^.]*)",
    },
    "mine": {"en": r"You hold ([^.;]*)|Your lead: ([^.;]*)", "fr": r"Vous (?:avez|tenez) ([^.;]*)"},
    "points": {"en": r"(\d+) to (\d+)|(\d+) each", "fr": r"(\d+) à (\d+)|(\d+) partout"},
    "talon": {"en": r"(\w+) cards are left in the talon", "fr": r"(?:reste|Reste) (\w+) cartes au talon"},
}
NUMBERS = {
    "en": {"Eight": 8, "Six": 6, "ten": 10, "Ten": 10},
    "fr": {"huit": 8, "six": 6, "dix": 10},
}


@LESSONS
def test_the_positions_are_as_described(lesson: str) -> None:
    """Trumps, the card led, who holds what, points and talon."""
    for one in EVERY[lesson]:
        for language in LANGUAGES if one.asks else ():
            read_position(one, language)


def read_position(one: SaidText, language: Language) -> None:
    """Hold a description against the position."""
    board, text = board_of(one.step), one.text[language]
    if board is None and not isinstance(one.step, Takes):
        return
    trump = board.trump if board else one.step.trump if isinstance(one.step, Takes) else None
    trick = board.trick if board else one.step.trick if isinstance(one.step, Takes) else ()
    for word in re.findall(SAYS["trump"][language], text):
        if word.lower() in SUITS[language]:
            assert trump == Suit(SUITS[language].index(word.lower())), text
    for clause in re.findall(SAYS["plays"][language], text):
        assert set(cards_named(clause, language)) <= set(trick[:1]), text
    if board is None:
        return
    for clause in re.findall(SAYS["other"][language], text):
        assert set(cards_named(clause, language)) <= set(board.other or ()), text
    for clauses in re.findall(SAYS["mine"][language], text):
        for card in cards_named("".join(clauses), language):
            assert card in board.hand or card in (board.other or ()), text
    for mine, theirs, both in re.findall(SAYS["points"][language], text):
        assert board.points == ((int(both), int(both)) if both else (int(mine), int(theirs))), text
    rule_table = rule_table_of(board.rules)
    for word in re.findall(SAYS["talon"][language], text):
        left = rule_table.seats * (rule_table.drawing - board.tricks)
        assert NUMBERS[language][word] == left, text
    if re.search(
        "talon is (?:empty|used up)|talon (?:est )?(?:vide|épuisé)|[Ll]ast tricks|derniers plis", text
    ):
        assert board.tricks >= rule_table.drawing, text
    if re.search("[Ff]ree play|[Jj]eu libre|left in the talon|au talon", text):
        assert board.tricks < rule_table.drawing, text


@LESSONS
def test_sums_are_right(lesson: str) -> None:
    """`120 − 70 = 50`, and `20 × 2 = 40`."""
    for text in (one.text[language] for one in EVERY[lesson] for language in LANGUAGES):
        plain = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
        for sides in re.findall(r"\d+(?: [+−×] \d+)+(?: = \d+)+", plain):
            assert len({eval_sum(side) for side in sides.split(" = ")}) == 1, sides


def eval_sum(text: str) -> int:
    first, *rest = text.split()
    value = int(first)
    for sign, number in zip(rest[::2], rest[1::2], strict=True):
        value = {"+": value + int(number), "−": value - int(number), "×": value * int(number)}[sign]
    return value


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_values_that_are_taught_are_those_of_the_cards(language: Language) -> None:
    """§1: wherever lessons or guide give a card's points or an order of strength."""
    texts = [one.text[language] for one in lesson_texts()] + [note.text[language] for note in guide().notes]
    names, found = [rank.lower() for rank in RANKS[language]], 0
    for text in texts:
        for rank, value in re.findall(
            rf"({RANK[language]}),? (\d+)(?: points)?(?=[,.);]| \w)", text, re.IGNORECASE
        ):
            points = PACK[names.index(rank.lower())].points
            if int(value) in {card.points for card in PACK}:
                assert int(value) == points, text
                found += 1
        order = re.findall(r"(?:faible|weakest)[^.]*: ([^.]*)\.", text)
        for listed in order:
            ranks = [names.index(each.lower()) for each in re.findall(RANK[language], listed, re.IGNORECASE)]
            assert all(higher > lower for higher, lower in pairwise(ranks)), text
    assert found >= 10
