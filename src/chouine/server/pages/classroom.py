"""The pages of a class: joining it, and where its pupils are in the lessons."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from chouine.cards import Card
from chouine.days import day_of
from chouine.phrases import date_in_words
from chouine.school.lessons import lessons
from chouine.server.classroom import Classroom
from chouine.server.pages.cards import face
from chouine.server.pages.env import render
from chouine.server.pages.school import STAGES, parts
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of


def join_page(
    visit: Visit, name: str, own: Sequence[Classroom], given: tuple[str, str] = ("", ""), refused: str = ""
) -> str:
    """The form to join, or the class joined as `name`; the visitor's `own` classes, and what was `given` before."""
    return render(
        visit,
        "school/join_class.html",
        here="/class",
        name=name,
        own=[(one.code, one.secret) for one in own],
        code=given[0],
        first_name=given[1],
        refused=refused,
    )


class PupilProgress(NamedTuple):
    """Where a pupil is in the lessons."""

    name: str
    number: int
    """How many lessons are finished."""
    following: str
    """The title of the next one; empty after the last."""
    stage: str
    """The stage of that one; empty after the last."""
    medals: tuple[Card, ...]


def class_page(visit: Visit, found: Classroom) -> str:
    """The page of a class, which prints as a list."""
    last = datetime.fromtimestamp(found.until, UTC) - timedelta(hours=12)
    return render(
        visit,
        "school/class.html",
        here=f"/class/{found.secret}",
        code=found.code,
        secret=found.secret,
        until=date_in_words(day_of(last, visit.zone), visit.language),
        places=[place_of(visit, pupil.name, pupil.done) for pupil in found.pupils],
        number=len(lessons()),
        words=words_of(visit),
        face=face,
    )


def place_of(visit: Visit, name: str, done: Collection[str]) -> PupilProgress:
    """Where a pupil is who has finished these lessons."""
    stages = [(title, medal, part) for (title, medal), part in zip(STAGES, parts(), strict=True)]
    left = [(lesson, title) for title, _, part in stages for lesson in part if lesson.name not in done]
    return PupilProgress(
        name,
        len(lessons()) - len(left),
        left[0][0].title[visit.language] if left else "",
        left[0][1] if left else "",
        tuple(medal for _, medal, part in stages if all(one.name in done for one in part)),
    )
