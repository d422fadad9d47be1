"""A laptop and a stick that hold different acts of one contest: which is ahead, where they part, and taking one."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import ActRefused
from chouine.contest.log import LogLine
from chouine.server.contest.conflicts import act_sentence
from chouine.server.contest.folders import free_path
from chouine.server.contest.request import DeskRequest, desk_name, go
from chouine.server.contest.standing import clock

Row = tuple[int, str, str, str]


async def copies_page(request: Request) -> Response:
    """Both logs from where they part; the desk takes the stick's, or goes on with its own."""
    asked, refused = DeskRequest.of(request, "sign in"), ""
    asked.check("sign in")
    ours: Sequence[LogLine] = ()
    theirs: Sequence[LogLine] = ()
    try:
        ours, theirs = await run_in_threadpool(asked.store.difference)
        if request.method == "POST":
            form = await asked.form()
            await run_in_threadpool(take_one, asked, str(form.get("act")))
            return go("/")
    except ActRefused as error:
        refused = asked.refusal_text(error)
    return asked.page("copies.html", refused=refused, ours=rows(asked, ours), theirs=rows(asked, theirs))


def take_one(asked: DeskRequest, which: str) -> None:
    """Go on with the stick's acts or with this laptop's; neither is lost, the other is kept beside."""
    store = asked.store
    if which == "stick":
        store.take_copy(free_path(store.path.parent, store.path.stem))
    elif which == "laptop" and store.copy is not None:
        store.copy_to(store.copy.parent, apart=True)


def rows(asked: DeskRequest, lines: Sequence[LogLine]) -> list[Row]:
    """Number, time, desk and sentence of each act."""
    language = asked.visit.language
    return [
        (one.n, clock(one.at), desk_name(one.by, language), act_sentence(one.act, asked)) for one in lines
    ]
