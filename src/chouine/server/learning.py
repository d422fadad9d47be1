"""The lessons' addresses: a page or a redirect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from chouine.errors import ChouineError
from chouine.notation.tokens import PASS, read_action
from chouine.partie.actions import check
from chouine.phrases import Language, say
from chouine.phrases.catalogue import CHILD
from chouine.school.exercises import AnswerVerdict, Exercise, UnreadableAnswer
from chouine.school.guide import LEARNER, UnreadableActs, moment, warning_about
from chouine.school.lessons import Lesson, exercise_at, lessons
from chouine.school.trainer import SEEDS, pile
from chouine.server.counting import SHOWN, Records, kind_of, put_record, record_of
from chouine.server.forms import number_of
from chouine.server.pages.prints import PRINTS, print_page
from chouine.server.pages.school import (
    end_page,
    guide_address,
    guide_page,
    lesson_page,
    lessons_page,
    memo_page,
    trainer_page,
)
from chouine.server.pages.visit import Visit

MOST_ACTS = 64
"""More acts than a partie of two can have."""


class NoLesson(LookupError):
    """There is no lesson at this address."""


class LessonProgress(NamedTuple):
    """A learner's progress, as far as lessons need it."""

    done: tuple[str, ...]
    """Names of the finished lessons."""
    course: tuple[str, ...]
    """Acts of the guided partie so far."""
    counting: Records
    """Records of the counting trainer."""


class Learnt(NamedTuple):
    """The response, and the learner's progress after it."""

    known: LessonProgress
    page: str = ""
    onward: str = ""
    """Redirect address; empty for a page."""


class Question(NamedTuple):
    """A request under `/learn`."""

    visit: Visit
    path: Sequence[str]
    """The path's parts after `/learn`."""
    query: Mapping[str, str]
    answers: Sequence[str] | None
    """The form's answers; None for a request without a form."""
    sure: bool = False
    """Whether the learner has confirmed a warning."""


def learn(asked: Question, known: LessonProgress, lot: Callable[[int], int]) -> Learnt:
    """Answer a request. `lot(n)` draws a number below n. Raises `NoLesson`."""
    child = asked.visit.settings.child and is_for_children(asked.path)
    asked = asked._replace(visit=replace(asked.visit, child=child))
    match asked.path:
        case []:
            return Learnt(
                known,
                lessons_page(asked.visit, known.done, guide_address(known.course)),
            )
        case ["partie"]:
            return learn_guide(asked, known)
        case ["sheet"]:
            return Learnt(known, memo_page(asked.visit))
        case ["print", name] if name in PRINTS:
            return Learnt(known, print_page(asked.visit, name))
        case ["count"]:
            return learn_count(asked, known, lot)
        case [name, "end"]:
            lesson = lesson_of(name)
            done = tuple(dict.fromkeys((*known.done, lesson.name)))
            return Learnt(known._replace(done=done), end_page(asked.visit, lesson, done))
        case [name, number]:
            return learn_step(asked, known, lesson_of(name), number_of(number, 999) or 0)
        case _:
            raise NoLesson


def is_for_children(path: Sequence[str]) -> bool:
    """Whether a page exists in the edition for children: the later lessons and the rules to print do not."""
    first = path[0] if path else ""
    if first in {"", "partie", "count"} or list(path) == ["print", "exercises"]:
        return True
    return any(lesson.name == first and CHILD in lesson.able for lesson in lessons())


def lesson_of(name: str) -> Lesson:
    """The lesson of a name. Raises `NoLesson`."""
    for lesson in lessons():
        if lesson.name == name:
            return lesson
    raise NoLesson


def learn_step(asked: Question, known: LessonProgress, lesson: Lesson, number: int) -> Learnt:
    """A step of a lesson, with the verdict if it was answered."""
    if not 1 <= number <= len(lesson.steps):
        raise NoLesson
    if asked.answers is None:
        return Learnt(known, lesson_page(asked.visit, lesson, number))
    exercise = exercise_at(lesson, number)
    if exercise is None:
        return Learnt(known, onward=f"/learn/{lesson.name}/{number}")
    verdict = verdict_on(exercise, asked.answers, asked.visit.edition)
    return Learnt(known, lesson_page(asked.visit, lesson, number, verdict, asked.answers))


def learn_count(asked: Question, known: LessonProgress, lot: Callable[[int], int]) -> Learnt:
    """The counting trainer; the answer is a count of points."""
    clock = asked.query.get("clock", "")
    if clock not in SHOWN:
        clock = ""
    seed = number_of(asked.query.get("pile", ""), SEEDS - 1)
    if seed is None:
        wish = ("&full=1" if "full" in asked.query else "") + (f"&clock={clock}" if clock else "")
        return Learnt(known, onward=f"/learn/count?pile={lot(SEEDS)}{wish}")
    shown = pile(seed, brisques="full" not in asked.query)
    if asked.answers is None:
        return Learnt(known, trainer_page(asked.visit, shown, clock, known.counting))
    kind = kind_of(shown.brisques, clock)
    try:
        verdict = shown.exercise.check(asked.answers, asked.visit.edition)
    except UnreadableAnswer as error:
        why = say(error.code, asked.visit.edition, **error.data)
        return Learnt(known, trainer_page(asked.visit, shown, clock, known.counting, refused=why))
    before = record_of(known.counting, kind)
    record = before.after(shown.seed, right=verdict.right)
    known = known._replace(counting=put_record(known.counting, record))
    page = trainer_page(asked.visit, shown, clock, known.counting, verdict, before)
    return Learnt(known, page)


def learn_guide(asked: Question, known: LessonProgress) -> Learnt:
    """The guided partie; the answer is the learner's act."""
    begun, visit = asked.query.get("acts"), asked.visit
    try:
        now = moment(begun.split(",")[:MOST_ACTS] if begun else [])
    except UnreadableActs as error:
        raise NoLesson from error
    if asked.answers is None:
        course = () if now.view.result else now.acts
        return Learnt(known._replace(course=course) if begun else known, guide_page(visit, now))
    text = (*asked.answers, "")[0]
    if text == PASS and now.view.turn != LEARNER:
        return Learnt(known, onward=guide_address((*now.acts, PASS)))
    try:
        act = read_action(text)
        check(now.view.rule_table, now.view.position, LEARNER, act)
    except ChouineError as error:
        return Learnt(known, guide_page(visit, now, refused=say(error.code, visit.edition, **error.data)))
    warning = warning_about(now.view, act)
    if warning and not asked.sure:
        return Learnt(known, guide_page(visit, now, warned=say(warning, visit.edition), act=text))
    return Learnt(known, onward=guide_address((*now.acts, text)))


def verdict_on(exercise: Exercise, answer: Sequence[str], language: Language) -> AnswerVerdict:
    """The exercise's verdict. An unreadable answer is wrong, and the verdict says why."""
    try:
        return exercise.check(answer, language)
    except UnreadableAnswer as error:
        return AnswerVerdict(right=False, text=say(error.code, language, **error.data))
