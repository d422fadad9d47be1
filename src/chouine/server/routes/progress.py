"""A visitor's progress: its page, and the file in which it is taken along, brought back, or erased."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.phrases import thousands_apart
from chouine.school.lessons import lessons
from chouine.school.problems import shipped_problems, streak
from chouine.school.problems.shipped import DAYS, REMEMBERED
from chouine.server.counting import Records, join_records
from chouine.server.difficulty import FAMILIAR, TrialRating
from chouine.server.difficulty import sound as sound_rating
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.repetition import MOST, due_problems, in_utc
from chouine.server.routes.context import Context
from chouine.server.routes.problems import by_id
from chouine.server.routes.request_context import wants_json
from chouine.server.saved import Repetition, Schooling
from chouine.server.sent_json import decode_sent

Name = Annotated[str, Meta(max_length=40)]


class UnreadableProgress(ChouineError):
    """The file does not hold progress; `code` is `school/progress-…`."""


class ProgressFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The exported progress file. Unknown lessons and problems are skipped."""

    chouine_progress: Literal[1]
    lessons: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    solved: Annotated[tuple[Name, ...], Meta(max_length=5000)] = ()
    days: Annotated[tuple[date, ...], Meta(max_length=5000)] = ()
    again: Annotated[tuple[Repetition, ...], Meta(max_length=1000)] = ()
    rated: TrialRating = TrialRating()
    counting: Annotated[Records, Meta(max_length=100)] | UnsetType = UNSET
    """Records of the counting trainer; files of older versions have none."""


def export_progress(school: Schooling) -> bytes:
    """Progress as a file to download."""
    progress_file = ProgressFile(
        1, school.done, school.solved, school.days, school.again, school.rated, school.counting or UNSET
    )
    return msgspec.json.format(msgspec.json.encode(progress_file), indent=1)


def import_progress(
    file: bytes, school: Schooling, lessons: Collection[str], problems: Collection[str]
) -> Schooling:
    """Merge a progress file into the progress stored here. Raises `UnreadableProgress`."""
    try:
        progress_file = decode_sent(file, ProgressFile)
    except msgspec.ValidationError as error:
        place = re.search(r"`\$\.?([^`]*)`$", str(error))
        raise UnreadableProgress("school/progress-shape", place=place[1] if place else "…") from error
    except msgspec.DecodeError as error:
        raise UnreadableProgress("school/progress-unreadable") from error
    if not all(sound(one) for one in progress_file.again):
        raise UnreadableProgress("school/progress-shape", place="again")
    again = [in_utc(one) for one in progress_file.again]
    if not sound_rating(progress_file.rated):
        raise UnreadableProgress("school/progress-shape", place="rated")
    solved = (*progress_file.solved, *school.solved)
    known = {*problems, *(one.problem for one in school.again)}
    waiting = {one.problem: one for one in (*again, *school.again)}
    return replace(
        school,
        done=known_names((*school.done, *progress_file.lessons), lessons),
        solved=known_names(solved, problems)[-REMEMBERED:],
        days=tuple(sorted({*school.days, *progress_file.days}))[-DAYS:],
        again=tuple(one for one in waiting.values() if one.problem in known)[-MOST:],
        rated=max(progress_file.rated, school.rated, key=lambda one: one.tries),
        counting=join_records(school.counting, progress_file.counting or ()),
    )


def sound(one: Repetition) -> bool:
    """Whether stability and difficulty are in the ranges that the scheduler (FSRS) produces, and times in this era."""
    in_era = all(1970 <= at.year < 9000 for at in (one.due, one.last))
    return in_era and 0 < one.stability < math.inf and 1 <= one.difficulty <= 10


def known_names(names: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """The known names in order, without repetitions."""
    return tuple(dict.fromkeys(name for name in names if name in known))


def progress_page(
    visit: Visit, school: Schooling, now: datetime, refused: str = "", *, done: bool = False
) -> str:
    """The page. `refused`: why a file was not accepted; `done`: whether a request was just carried out."""
    return render(
        visit,
        "school/progress.html",
        here="/learn/progress",
        lessons=[
            (lesson.title[visit.language], lesson.name, lesson.name in school.done) for lesson in lessons()
        ],
        solved=len(school.solved),
        every=thousands_apart(len(shipped_problems()), visit.language),
        days=len(school.days),
        row=streak(school.days, day_of(now, visit.zone)),
        again=len(due_problems(school.again, now)),
        waiting=len(school.again),
        level=round(school.rated.mean) if school.rated.tries >= FAMILIAR else None,
        spread=round(school.rated.spread),
        counted=max((record.best for record in school.counting), default=0),
        refused=refused,
        done=done,
    )


HERE = "/learn/progress"


async def page(request: Request) -> Response:
    """The page of progress; a post imports a file, and a script is answered with JSON."""
    context = await Context.of(request)
    saved, now, script = context.visitor.saved, context.now, wants_json(request)
    if request.method == "GET":
        shown = progress_page(context.visit, saved.school, now, done="done" in request.query_params)
        return await context.page(shown)
    with context.refusals():
        file = await context.file("file")
        school = import_progress(file, saved.school, {lesson.name for lesson in lessons()}, by_id())
        done = JSONResponse({"ok": True}) if script else RedirectResponse(f"{HERE}?done", 303)
        return await context.seal(done, replace(saved, school=school))
    if script:
        return JSONResponse({"ok": False, "message": context.refused}, 422)
    return await context.page(progress_page(context.visit, saved.school, now, refused=context.refused))


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
