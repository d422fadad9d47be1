"""Learning: the lessons, the guided partie, the counting trainer, the sheet to print."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.errors import ChouineError
from chouine.notation.tokens import PASS, read_action
from chouine.partie.actions import check
from chouine.phrases import Language, say
from chouine.phrases.catalogue import CHILD
from chouine.school.exercises import AnswerVerdict, Exercise, UnreadableAnswer
from chouine.school.guide import LEARNER, UnreadableActs, moment, warning_about
from chouine.school.lessons import Lesson, exercise_at, lessons
from chouine.school.trainer import SEEDS, pile
from chouine.server.counting import SHOWN, kind_of, put_record, record_of
from chouine.server.forms import number_of
from chouine.server.pages.school import (
    PRINTS,
    end_page,
    guide_address,
    guide_page,
    lesson_page,
    lessons_page,
    memo_page,
    print_page,
    trainer_page,
)
from chouine.server.pages.visit import Visit
from chouine.server.routes.request_context import context_of, lot
from chouine.server.saved import Schooling

MOST_ACTS = 64
"""More acts than a partie of two can have."""


class Learnt(NamedTuple):
    """The response, and the learner's progress after it."""

    known: Schooling
    page: str = ""
    onward: str = ""
    """Redirect address; empty for a page."""
    status: int = 200
    """422 for an answer that cannot be read, which the page then keeps."""


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


def learn(asked: Question, known: Schooling, lot: Callable[[int], int]) -> Learnt:
    """Answer a request. `lot(n)` draws a number below n. Raises 404 for an address where nothing is."""
    child = asked.visit.settings.child and is_for_children(asked.path)
    asked = asked._replace(visit=dataclasses.replace(asked.visit, child=child))
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
            return Learnt(replace(known, done=done), end_page(asked.visit, lesson, done))
        case [name, number]:
            return learn_step(asked, known, lesson_of(name), number_of(number, 999) or 0)
        case _:
            raise HTTPException(404, "no-such-page")


def is_for_children(path: Sequence[str]) -> bool:
    """Whether a page exists in the edition for children: the later lessons and the rules to print do not."""
    first = path[0] if path else ""
    if first in {"", "partie", "count"} or list(path) == ["print", "exercises"]:
        return True
    return any(lesson.name == first and CHILD in lesson.able for lesson in lessons())


def lesson_of(name: str) -> Lesson:
    """The lesson of a name. Raises 404 if there is none."""
    for lesson in lessons():
        if lesson.name == name:
            return lesson
    raise HTTPException(404, "no-such-page")


def learn_step(asked: Question, known: Schooling, lesson: Lesson, number: int) -> Learnt:
    """A step of a lesson, with the verdict if it was answered."""
    if not 1 <= number <= len(lesson.steps):
        raise HTTPException(404, "no-such-page")
    if asked.answers is None:
        return Learnt(known, lesson_page(asked.visit, lesson, number))
    exercise = exercise_at(lesson, number)
    if exercise is None:
        return Learnt(known, onward=f"/learn/{lesson.name}/{number}")
    verdict = verdict_on(exercise, asked.answers, asked.visit.edition)
    return Learnt(known, lesson_page(asked.visit, lesson, number, verdict, asked.answers))


def learn_count(asked: Question, known: Schooling, lot: Callable[[int], int]) -> Learnt:
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
        return Learnt(known, trainer_page(asked.visit, shown, clock, known.counting, refused=why), status=422)
    before = record_of(known.counting, kind)
    record = before.after(shown.seed, right=verdict.right)
    known = replace(known, counting=put_record(known.counting, record))
    page = trainer_page(asked.visit, shown, clock, known.counting, verdict, before)
    return Learnt(known, page)


def learn_guide(asked: Question, known: Schooling) -> Learnt:
    """The guided partie; the answer is the learner's act."""
    begun, visit = asked.query.get("acts"), asked.visit
    try:
        now = moment(begun.split(",")[:MOST_ACTS] if begun else [])
    except UnreadableActs as error:
        raise HTTPException(404, "no-such-page") from error
    if asked.answers is None:
        course = () if now.view.result else now.acts
        return Learnt(replace(known, course=course) if begun else known, guide_page(visit, now))
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


async def page(request: Request) -> Response:
    """A page under `/learn`; a post is an answer, `sure` confirms a warning."""
    context = await context_of(request)
    form = await context.form() if request.method == "POST" else None
    answers = [str(answer) for answer in form.getlist("answer")] if form is not None else None
    path = request.url.path.strip("/").split("/")[1:]
    sure = form is not None and "sure" in form
    saved = context.saved
    found = learn(Question(context.visit, path, request.query_params, answers, sure), saved.school, lot)
    if found.onward:
        return await context.go(found.onward)
    if found.status != 200:
        return await context.page(found.page, found.status)
    return await context.seal(HTMLResponse(found.page), replace(saved, school=found.known))
