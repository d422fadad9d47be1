"""Finding a partner: the list of those who wait, joining one, blocking and reporting."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.errors import ChouineError
from chouine.names import display_text
from chouine.phrases import say
from chouine.server.forms import name_of, number_of
from chouine.server.pages.partners import (
    MOST_WORDS,
    REASONS,
    partners_list,
    partners_page,
    people_page,
)
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import meeting_of, partners_at
from chouine.table.state import TableState


async def index(request: Request) -> Response:
    """The page on which one waits; a post begins or ends a wait, or joins somebody."""
    context, refused = await Context.of(request), ""
    if request.method == "POST":
        form = await context.form()
        try:
            return await done(context, form)
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    meeting = await meeting_of(context)
    if meeting.own is not None and meeting.own.game:
        return await table(request)
    blocked = await partners_at(context).blocked(context.visitor.guest)
    host = request.url.hostname or ""
    return await context.page(
        partners_page(context.visit, meeting, blocked, refused, host), 422 if refused else 200
    )


async def done(context: Context, form: FormData) -> Response:
    """Carry out the form. Raises `ChouineError`."""
    partners, guest, saved, goal = (
        partners_at(context),
        context.visitor.guest,
        context.visitor.saved,
        "/partners",
    )
    name = name_of(str(form.get("name", ""))) or context.visit.name
    match form.get("what"):
        case "wait":
            context.count("waits")
            await partners.wait(guest, name, context.origin)
            saved = msgspec.structs.replace(saved, name=name)
        case "join":
            context.count("joins")
            which = str(form.get("which", ""))
            may_take = partial(context.limits.takes, scope=context.request.scope)
            game = await partners.join(context.tables, guest, name, which, context.set_by, may_take)
            goal = f"/table/{game}"
        case "leave":
            await partners.leave(guest)
        case "away":
            await partners.away(guest)
            return Response(
                status_code=204
            )  # nothing to go on to: that would be a question, and the wait last on
        case "unblock":
            await partners.unblock(guest, str(form.get("which", "")))
    return await context.sealed(RedirectResponse(goal, 303), saved)


async def listing(request: Request) -> Response:
    """The list alone, as pages reload it."""
    context = await Context.of(request)
    home = "page" not in request.query_params
    return HTMLResponse(partners_list(context.visit, await meeting_of(context), home=home))


async def table(request: Request) -> Response:
    """The table at which a partner joined the visitor; it ends the wait."""
    context = await Context.of(request)
    own = await partners_at(context).own(context.visitor.guest)
    if own is None or not own.game:
        return await context.go("/partners")
    if not context.head:
        await partners_at(context).leave(context.visitor.guest, own.game)
    return await context.go(f"/table/{own.game}")


async def people(request: Request) -> Response:
    """The visitor's past opponents; a POST blocks or reports one."""
    context, said, refused = await Context.of(request), "", ""
    game, room = await context.room()
    partners, guest = partners_at(context), context.visitor.guest
    others = others_of(room, guest)
    if not others:
        raise HTTPException(404, "no-such-seat")
    if request.method == "POST":
        form = await context.form()
        said = "report" if form.get("what") == "report" else "block"
        seat = number_of(str(form.get("seat", "")), len(room.holders) - 1)
        if seat not in others:
            raise HTTPException(404, "no-such-seat")
        context.count(f"{said}s")
        try:
            if said == "block":
                await partners.block(guest, others[seat], room.holders[seat].name)
            else:
                await partners.report(guest, game, seat, room.holders[seat].name, *report_of(form))
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    known = {one.other for one in (await partners.blocked(guest)).values()}
    blocked = {seat for seat, other in others.items() if other in known}
    reported = await partners.reported(guest, game)
    html = people_page(context.visit, game, room, others, blocked, reported, said, refused)
    return await context.page(html, 422 if refused else 200)


def report_of(form: FormData) -> tuple[str, str]:
    """The reason and the text of a report."""
    reason = next((one for one in REASONS if one == form.get("reason")), "other")
    return reason, display_text(str(form.get("words", "")), MOST_WORDS)


def others_of(room: TableState, guest: str) -> dict[int, str]:
    """The other people at a guest's table, by seat; empty if the guest does not sit there."""
    if not room.held_by(guest):
        return {}
    sitting = ((seat, room.holders[seat].guest) for seat in sorted(room.people))
    return {seat: other for seat, other in sitting if other is not None and other != guest}
