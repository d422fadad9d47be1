"""The lessons, read from `content/lessons/*.toml`: titles, the § they teach, and their steps in order.

A file that cannot be read raises `LessonError` with its name and the number of the step.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from chouine.cards import CardSet, Suit
from chouine.errors import ChouineError
from chouine.notation.lines import parse_rules
from chouine.notation.tokens import read_action, read_declaration
from chouine.phrases.catalogue import CHILD, NAMES, Texts
from chouine.phrases.typography import in_print
from chouine.rules.options import Rules
from chouine.rules.rule_table import rule_table_of
from chouine.school.exercises import (
    ActExercise,
    Choice,
    CountExercise,
    Exercise,
    Explanation,
    Legal,
    LessonBoard,
    LessonStep,
    Option,
    Takes,
    Text,
    cards_of,
)


class LessonError(ValueError):
    """A lesson's file is unusable: which file, which step, what is wrong."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A short lesson: pages to read, exercises, and three more exercises at the end."""

    name: str
    """The lesson's name in addresses."""
    title: Text
    about: Text
    """One sentence for the list of lessons."""
    able: Text
    """What a learner who has finished it can do."""
    minutes: int
    teaches: tuple[str, ...]
    """The § of the rules that it explains."""
    steps: tuple[LessonStep, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of their file names."""
    folder = files("chouine.school") / "content" / "lessons"
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name
    )
    return tuple(read_lesson(file.name, file.read_text(encoding="utf-8")) for file in found)


def read_lesson(file: str, text: str) -> Lesson:
    """A lesson from its file's text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"{file}: {error}") from error
    steps = tuple(read_step(file, number, step) for number, step in enumerate(data.pop("step", ()), 1))
    name = file.removesuffix(".toml").partition("-")[2]
    try:
        return Lesson(
            name=name,
            title=text_of(data, "title_"),
            about=text_of(data, "about_"),
            able=text_of(data, "able_"),
            minutes=int(data["minutes"]),
            teaches=tuple(data["teaches"]),
            steps=steps,
        )
    except KeyError as error:
        raise LessonError(f"{file}: {error.args[0]} is missing") from error


def read_step(file: str, number: int, data: Mapping[str, Any]) -> LessonStep:
    """One `[[step]]`."""
    kind = data.get("kind", "read")
    if kind not in KINDS:
        raise LessonError(
            f"{file}, step {number}: no kind of step is called {kind!r}; there are {', '.join(KINDS)}"
        )
    common = {"practises": tuple(data.get("practises", ())), "exam": bool(data.get("exam", False))}
    try:
        return KINDS[kind](data, {"text": text_of(data), **common})
    except KeyError as error:
        raise LessonError(f"{file}, step {number}: {error.args[0]} is missing") from error
    except (ChouineError, ValueError) as error:
        raise LessonError(f"{file}, step {number}: {error}") from error


def text_of(data: Mapping[str, Any], prefix: str = "") -> Text:
    """A text from the keys `fr`, `en` and so on behind a prefix; only French and English must be there."""
    keys = {language: f"{prefix}{language}" for language in (*NAMES, CHILD)}
    there = {
        language: str(data[key]) for language, key in keys.items() if language in {"fr", "en"} or key in data
    }
    return Texts((language, in_print(text, language)) for language, text in there.items())


def trump_of(data: Mapping[str, Any]) -> Suit | None:
    """The letter of the trump suit, if there is one."""
    letter = data.get("trump")
    return None if letter is None else Suit("shdc".index(letter))


def board_of(data: Mapping[str, Any]) -> LessonBoard:
    """The cards on the table. Without `tricks` the talon is empty, and the hand says how many tricks are left."""
    rules: Rules = parse_rules(data.get("rules", "classic"))
    hand, trick = cards_of(data["hand"]), cards_of(data.get("trick", ""))
    turnup = cards_of(data["turnup"])[0] if "turnup" in data else None
    mine, theirs = data.get("points", (0, 0))
    return LessonBoard(
        rules=rules,
        hand=CardSet(hand),
        trick=trick,
        trump=turnup.suit if turnup is not None else trump_of(data),
        turnup=turnup,
        tricks=int(data.get("tricks", rule_table_of(rules).tricks - len(hand))),
        other=CardSet(cards_of(data["other"])) if "other" in data else None,
        points=(int(mine), int(theirs)),
    )


def options_of(data: Sequence[Mapping[str, Any]]) -> tuple[Option, ...]:
    """The answers on offer."""
    return tuple(Option(text_of(one), text_of(one, "reply_"), bool(one.get("right", False))) for one in data)


KINDS: dict[str, Callable[[Mapping[str, Any], dict[str, Any]], LessonStep]] = {
    "read": lambda data, common: Explanation(cards=cards_of(data.get("cards", "")), **common),
    "takes": lambda data, common: Takes(trick=cards_of(data["trick"]), trump=trump_of(data), **common),
    "legal": lambda data, common: Legal(board=board_of(data), **common),
    "count": lambda data, common: CountExercise(
        cards=cards_of(data["cards"]),
        said=tuple(read_declaration(said) for said in data.get("said", "").split()),
        trump=trump_of(data),
        last=bool(data.get("last", False)),
        brisques=bool(data.get("brisques", False)),
        **common,
    ),
    "act": lambda data, common: ActExercise(
        board=board_of(data),
        best=tuple(read_action(token) for token in data["best"].split()),
        praise=text_of(data, "right_"),
        wrong={token: text_of(reply) for token, reply in data["wrong"].items()},
        **common,
    ),
    "choose": lambda data, common: Choice(
        options=options_of(data["option"]), cards=cards_of(data.get("cards", "")), **common
    ),
}


def exercise_at(lesson: Lesson, number: int) -> Exercise | None:
    """The exercise of a step, counted from 1; None for a page that is only read."""
    step = lesson.steps[number - 1]
    return step if isinstance(step, Exercise) else None
