"""The lessons: coverage of the rules, right answers, and an explanation for every wrong one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from random import Random

import pytest

from chouine.ai.endgame import solve
from chouine.cards import PACK, Card, Suit
from chouine.partie.actions import Play
from chouine.phrases import Language, capitalize, in_words, say
from chouine.school.exercises import (
    ActExercise,
    Choice,
    CountExercise,
    Exercise,
    Legal,
    Takes,
    UnreadableAnswer,
)
from chouine.school.lessons import Lesson, LessonError, lessons, read_lesson

EXAMS = 3
"""Number of new positions at the end of each lesson."""
SECTIONS = {f"§{number}" for number in range(1, 18)}
LANGUAGES: tuple[Language, ...] = ("fr", "en")


def exercises(lesson: Lesson) -> list[Exercise]:
    return [step for step in lesson.steps if isinstance(step, Exercise)]


EVERY = [
    pytest.param(lesson, number, step, id=f"{lesson.name}-{number}")
    for lesson in lessons()
    for number, step in enumerate(lesson.steps, 1)
    if isinstance(step, Exercise)
]


def test_every_section_is_taught_and_exercised() -> None:
    """§1 to §17: Each section needed is explained in one lesson and practised in one."""
    assert set(chain.from_iterable(lesson.teaches for lesson in lessons())) == SECTIONS
    practised = {section for lesson in lessons() for step in lesson.steps for section in step.practises}
    assert practised == SECTIONS


def test_there_are_twelve_to_twenty_short_lessons() -> None:
    assert 12 <= len(lessons()) <= 20
    assert all(2 <= lesson.minutes <= 5 for lesson in lessons())
    assert not [name for name, many in Counter(lesson.name for lesson in lessons()).items() if many > 1]


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_a_lesson_ends_in_three_positions_not_seen_before(lesson: Lesson) -> None:
    assert [step.exam for step in lesson.steps][-EXAMS:] == [True] * EXAMS
    assert sum(step.exam for step in lesson.steps) == EXAMS
    positions = [without_words(step) for step in exercises(lesson)]
    assert len(set(positions)) == len(positions)


def without_words(step: Exercise) -> object:
    """The exercise without its texts."""
    match step:
        case Takes(trick=trick, trump=trump):
            return trick, trump
        case Legal(board=board) | ActExercise(board=board):
            return str(board)
        case CountExercise(cards=cards, said=said, trump=trump, last=last):
            return cards, said, trump, last
        case Choice(options=options, text=text):
            return tuple(option.text["en"] for option in options), text["en"]


@pytest.mark.parametrize(("lesson", "number", "step"), EVERY)
def test_the_right_answer_is_right_and_every_other_is_answered(
    lesson: Lesson, number: int, step: Exercise
) -> None:
    for language in LANGUAGES:
        verdicts = {answer: step.check(answer, language) for answer in answers(step)}
        right = {answer for answer, verdict in verdicts.items() if verdict.right}
        assert right == right_answers(step)
        assert len(right) < len(verdicts)
        assert all(verdict.text for verdict in verdicts.values())


def answers(step: Exercise) -> list[tuple[str, ...]]:
    """Right and wrong answers of a step: all of them, or a selection."""
    match step:
        case Takes(trick=trick):
            return [(str(place),) for place in range(len(trick))]
        case Choice(options=options):
            return [(str(place),) for place in range(len(options))]
        case CountExercise(right=right):
            return [(str(right),), (str(right + 1),), ("0",)]
        case Legal(board=board):
            hand = [str(card) for card in board.hand]
            return [
                (),
                tuple(hand),
                tuple(sorted(map(str, step.right))),
                (hand[0],),
                ("As",) if "As" in hand else (),
            ]
        case ActExercise(board=board):
            cards = {(str(Play(card)),) for card in board.hand}
            return [*{(str(act),) for act in board.acts} | cards]


def right_answers(step: Exercise) -> set[tuple[str, ...]]:
    """The right ones of `answers`."""
    match step:
        case Takes(right=right):
            return {(str(right),)}
        case Choice(options=options):
            return {(str(place),) for place, option in enumerate(options) if option.right}
        case CountExercise(right=right):
            return {(str(right),)}
        case Legal(right=right):
            whole = set(map(str, right))
            return {answer for answer in answers(step) if set(answer) == whole}
        case ActExercise(best=best):
            return {(str(act),) for act in best}


@pytest.mark.parametrize(("lesson", "number", "step"), EVERY)
def test_a_choice_has_one_right_answer(lesson: Lesson, number: int, step: Exercise) -> None:
    if isinstance(step, Choice):
        assert sum(option.right for option in step.options) == 1
        assert all({"fr", "en"} <= set(option.reply) for option in step.options)


@pytest.mark.parametrize(("lesson", "number", "step"), EVERY)
def test_what_a_teacher_says_of_an_act_is_about_a_legal_one(
    lesson: Lesson, number: int, step: Exercise
) -> None:
    if isinstance(step, ActExercise):
        legal = {str(act) for act in step.board.acts}
        assert {str(act) for act in step.best} <= legal
        assert set(step.wrong) - {"*"} <= legal - {str(act) for act in step.best}


@pytest.mark.parametrize(("lesson", "number", "step"), EVERY)
def test_with_all_cards_open_the_best_acts_are_those_that_win(
    lesson: Lesson, number: int, step: Exercise
) -> None:
    """With open cards the acts called best are exactly those that win when solved."""
    if isinstance(step, ActExercise) and step.board.other:
        solved = solve(step.board.rules, step.board.position)
        assert {value.action for value in solved.values if value.outcome == "win"} == set(step.best)


@pytest.mark.parametrize(("lesson", "number", "step"), EVERY)
def test_all_cards_left_out_are_named_or_the_rule(lesson: Lesson, number: int, step: Exercise) -> None:
    """Whoever marks one card of several is not told of one other alone, as if that were all."""
    if not isinstance(step, Legal):
        return
    for chosen in step.right:
        for language in LANGUAGES:
            told = step.check((str(chosen),), language).text
            if step.right == set(step.board.hand):
                assert told == say("lesson/any-allowed", language)
            elif len(step.right) > 1:
                left = [card for card in step.right if card != chosen]
                assert all(in_words(card, language) in told for card in left)


@pytest.mark.parametrize(
    "answer", [(), ("0", "1"), ("9",), ("x",), ("²",), ("-1",), ("Qd+20h+50",), ("1" * 5000,)]
)
@pytest.mark.parametrize("kind", [Takes, Legal, CountExercise, ActExercise, Choice])
def test_an_answer_that_cannot_be_read_is_refused(kind: type[Exercise], answer: tuple[str, ...]) -> None:
    step = next(step for lesson in lessons() for step in lesson.steps if isinstance(step, kind))
    try:
        assert not step.check(answer, "fr").right
    except UnreadableAnswer as error:
        assert str(error)  # noqa: PT017  # either is right: parsable answers get a verdict


LESSON = """
minutes = 3
teaches = ["§1"]
title_fr = "T"
title_en = "T"
about_fr = "A"
about_en = "A"
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("minutes = ", "01-x.toml"),
        ("minutes = 3", "title_fr"),
        (LESSON + '[[step]]\nkind = "dance"\nfr = ""\nen = ""', "step 1: no kind of step is called 'dance'"),
        (LESSON + '[[step]]\nfr = ""', "step 1: en is missing"),
        (LESSON + '[[step]]\nfr = ""\nen = ""\ncards = "1x"', "step 1: "),
        (LESSON + '[[step]]\nkind = "takes"\nfr = ""\nen = ""\ntrick = "As"\ntrump = "z"', "step 1: "),
    ],
)
def test_a_file_with_a_mistake_says_where(text: str, told: str) -> None:
    with pytest.raises(LessonError) as raised:
        read_lesson("01-x.toml", text)
    assert "01-x.toml" in str(raised.value)
    assert told in str(raised.value)


TAKES: dict[str, Callable[[tuple[Card, ...], Card, Card, Suit | None], bool]] = {
    "lesson/takes-trump": lambda trick, best, card, trump: (
        card == best == max(each for each in trick if each.suit == trump)
    ),
    "lesson/takes-suit": lambda trick, best, card, trump: (
        card == best == max(each for each in trick if each.suit == trick[0].suit)
        and not any(each.suit == trump for each in trick)
    ),
    "lesson/lower": lambda _trick, best, card, _trump: card.suit == best.suit and card < best,
    "lesson/trump-takes": lambda _trick, best, card, trump: best.suit == trump != card.suit,
    "lesson/other-suit": lambda trick, _best, card, trump: card.suit not in (trick[0].suit, trump),
}
"""What each answer on a trick claims."""


def test_why_a_card_takes_is_true_of_any_trick() -> None:
    """§6: two to four cards, with trumps and without."""
    for seed in range(300):
        hold_reasons(Random(seed))


def hold_reasons(rng: Random) -> None:
    """Hold what is said of each card of a random trick against it."""
    trick, trump = tuple(rng.sample(PACK, rng.randint(2, 4))), rng.choice([None, *Suit])
    step = Takes(text={}, trick=trick, trump=trump)
    for place, card in enumerate(trick):
        told, best = step.check((str(place),), "en").text, trick[step.right]
        values = {"best": best, "card": card, "suit": trick[0].suit}
        [code] = [each for each in TAKES if told == capitalize(say(each, "en", **values))]
        assert TAKES[code](trick, best, card, trump), told
        assert step.check((str(place),), "en").right == (card == best)
