"""A visitor's progress: its page, export, import and deletion."""

from __future__ import annotations

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.days import day_of
from chouine.phrases import say
from chouine.school.lessons import lessons
from chouine.server.pages.progress import progress_page
from chouine.server.progress import UnreadableProgress, export_progress, import_progress
from chouine.server.routes.context import Context
from chouine.server.routes.problems import by_id
from chouine.server.saved import Schooling

HERE = "/learn/progress"


async def page(request: Request) -> Response:
    """The page of progress; a post imports a file."""
    context = await Context.of(request)
    saved, now = context.visitor.saved, context.now
    if request.method == "GET":
        done = "done" in request.query_params
        return await context.page(progress_page(context.visit, saved.school, now, done=done))
    try:
        file = await context.file("file")
        school = import_progress(file, saved.school, {lesson.name for lesson in lessons()}, by_id())
    except UnreadableProgress as error:
        why = say(error.code, context.visit.language, **error.data)
        return await context.page(progress_page(context.visit, saved.school, now, refused=why), 422)
    return await context.seal(RedirectResponse(f"{HERE}?done", 303), replace(saved, school=school))


async def download(request: Request) -> Response:
    """Export progress as a file."""
    context = await Context.of(request)
    name = f"chouine-{day_of(context.now, context.visit.zone)}.json"
    return Response(
        export_progress(context.visitor.saved.school),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def erase(request: Request) -> Response:
    """Delete all progress."""
    context = await Context.of(request)
    await context.form()
    saved = replace(context.visitor.saved, school=Schooling())
    return await context.seal(RedirectResponse(f"{HERE}?done", 303), saved)
