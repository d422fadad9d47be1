"""Learning: the lessons, the counting trainer, the sheet to print."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.errors import ChouineError
from chouine.notation.tokens import PASS, read_action
from chouine.partie.actions import check
from chouine.phrases import Language, say
from chouine.school.exercises import Exercise, UnreadableAnswer, Verdict
from chouine.school.guide import LEARNER, UnreadableCourse, moment, slip
from chouine.school.lessons import Lesson, exercise_at, lessons
from chouine.school.trainer import SEEDS, pile
from chouine.server.forms import number_of
from chouine.server.pages.school import (
    end_page,
    guide_address,
    guide_page,
    lesson_page,
    lessons_page,
    sheet_page,
    trainer_page,
)
from chouine.server.routes.context import Context, lot

MOST_ACTS = 64
"""Acts of a partie of two at most, with room to spare."""


async def index(request: Request) -> Response:
    """The list of lessons."""
    context = await Context.of(request)
    learned = context.visitor.saved.school
    return await context.page(lessons_page(context.visit, learned.done, guide_address(learned.course)))


async def step(request: Request) -> Response:
    """One step of a lesson; a post is an answer to it."""
    context = await Context.of(request)
    lesson, number = lesson_of(request), int(request.path_params["number"])
    if not 1 <= number <= len(lesson.steps):
        raise HTTPException(404, "no-such-page")
    if request.method == "GET":
        return await context.page(lesson_page(context.visit, lesson, number))
    answer = answer_of(await context.form())
    exercise = exercise_at(lesson, number)
    if exercise is None:
        return await context.go(f"/learn/{lesson.name}/{number}")
    verdict = verdict_on(exercise, answer, context.visit.language)
    return await context.page(lesson_page(context.visit, lesson, number, verdict, answer))


async def end(request: Request) -> Response:
    """A lesson is done, and remembered."""
    context = await Context.of(request)
    lesson, saved = lesson_of(request), context.visitor.saved
    done = tuple(dict.fromkeys((*saved.school.done, lesson.name)))
    page = HTMLResponse(end_page(context.visit, lesson))
    return await context.sealed(page, replace(saved, school=replace(saved.school, done=done)))


async def trainer(request: Request) -> Response:
    """The counting trainer; a post is the count."""
    context = await Context.of(request)
    asked = request.query_params
    seed = number_of(asked.get("pile", ""), SEEDS - 1)
    if seed is None:
        return await context.go(f"/learn/count?pile={lot(SEEDS)}" + ("&full=1" if "full" in asked else ""))
    shown = pile(seed, brisques="full" not in asked)
    verdict = None
    if request.method == "POST":
        verdict = verdict_on(shown.exercise, answer_of(await context.form()), context.visit.language)
    return await context.page(trainer_page(context.visit, shown, verdict))


async def partie(request: Request) -> Response:
    """The guided partie; a post is the learner's act, `sure` when a warning has been read."""
    context = await Context.of(request)
    saved = context.visitor.saved
    begun = request.query_params.get("acts")
    tokens = begun.split(",")[:MOST_ACTS] if begun else []
    try:
        now = moment(tokens)
    except UnreadableCourse as error:
        raise HTTPException(404, "no-such-page") from error
    if request.method == "GET":
        course = replace(saved.school, course=() if now.view.result else now.acts)
        return await context.sealed(
            HTMLResponse(guide_page(context.visit, now)), replace(saved, school=course) if begun else None
        )
    form = await context.form()
    text = str(form.get("answer", ""))
    if text == PASS and now.view.turn != LEARNER:
        return await context.go(guide_address((*now.acts, PASS)))
    try:
        act = read_action(text)
        check(now.view.book, now.view.position, LEARNER, act)
    except ChouineError as error:
        why = say(error.code, context.visit.language, **error.data)
        return await context.page(guide_page(context.visit, now, refused=why))
    warning = slip(now.view, act)
    if warning and "sure" not in form:
        return await context.page(
            guide_page(context.visit, now, warned=say(warning, context.visit.language), act=text)
        )
    return await context.go(guide_address((*now.acts, text)))


async def sheet(request: Request) -> Response:
    """The rules on one A4."""
    context = await Context.of(request)
    return await context.page(sheet_page(context.visit))


def lesson_of(request: Request) -> Lesson:
    """The lesson that the address names; 404 if there is none."""
    name = request.path_params["lesson"]
    for lesson in lessons():
        if lesson.name == name:
            return lesson
    raise HTTPException(404, "no-such-page")


def verdict_on(exercise: Exercise, answer: Sequence[str], language: Language) -> Verdict:
    """The exercise's verdict; an answer that cannot be read is not right, and says why."""
    try:
        return exercise.check(answer, language)
    except UnreadableAnswer as error:
        return Verdict(right=False, text=say(error.code, language, **error.data))


def answer_of(form: FormData) -> list[str]:
    """The answers of a form."""
    return [str(answer) for answer in form.getlist("answer")]
