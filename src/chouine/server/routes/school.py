"""Learning: the lessons, the guided partie, the counting trainer, the sheet to print."""

from __future__ import annotations

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.server.learning import LessonProgress, NoLesson, Question, learn
from chouine.server.routes.request_context import context_of, lot


async def page(request: Request) -> Response:
    """A page under `/learn`; a post is an answer, `sure` confirms a warning."""
    context = await context_of(request)
    form = await context.form() if request.method == "POST" else None
    answers = [str(answer) for answer in form.getlist("answer")] if form is not None else None
    path = request.url.path.strip("/").split("/")[1:]
    sure = form is not None and "sure" in form
    saved = context.saved
    known = LessonProgress(saved.school.done, saved.school.course, saved.school.counting)
    try:
        found = learn(Question(context.visit, path, request.query_params, answers, sure), known, lot)
    except NoLesson as error:
        raise HTTPException(404, "no-such-page") from error
    if found.onward:
        return await context.go(found.onward)
    school = replace(saved.school, **found.known._asdict())
    return await context.seal(HTMLResponse(found.page), replace(saved, school=school))
