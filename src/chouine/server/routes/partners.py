"""Finding a partner: the list of those who wait, joining one, and blocking a former opponent."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.names import NAME_LENGTH
from chouine.server.forms import name_of, number_of
from chouine.server.pages.env import render
from chouine.server.pages.join import HERE_ONLY
from chouine.server.pages.words import words_of
from chouine.server.partners import calls
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import meeting_of, partners_at
from chouine.server.services import services_of
from chouine.server.waits import LONGEST
from chouine.table.state import TableState

SECONDS = 4
"""Seconds after which the list is fetched again; longer without a script."""


async def index(request: Request) -> Response:
    """The page on which one waits; a post begins or ends a wait, or joins somebody."""
    context = await Context.of(request)
    if request.method == "POST":
        form = await context.form()
        with context.refusals():
            return await carry_out(context, form)
    meeting = await meeting_of(context)
    if meeting.own is not None and meeting.own.table_id:
        return await context.go("/partners/table")
    blocked = await partners_at(context).blocked_guests(context.visitor.guest)
    return await context.show(
        "partners/index.html",
        "/partners",
        meeting=meeting,
        blocked=blocked,
        here_only=(request.url.hostname or "") in HERE_ONLY,
        longest=int(LONGEST / 60),
        seconds=SECONDS,
        name_length=NAME_LENGTH,
    )


async def carry_out(context: Context, form: FormData) -> Response:
    """Carry out the form. Raises `ChouineError`."""
    partners, visitor, goal = partners_at(context), context.visitor, "/partners"
    guest, saved = visitor.guest, visitor.saved
    name = name_of(str(form.get("name", "")) or context.visit.name)
    match form.get("what"):
        case "wait":
            await context.admit("strangers")
            await context.count("waits")
            await partners.wait(guest, name, context.origin, rated=form.get("rated") == "1")
            saved = msgspec.structs.replace(saved, name=name)
        case "join":
            await context.admit("strangers")
            await context.count("joins")
            which = str(form.get("which", ""))
            may_take = partial(context.limits.takes, scope=context.request.scope)
            rated = form.get("rated") == "1"
            table_id = await partners.join(
                context.tables, guest, name, which, context.set_by, may_take, rated=rated
            )
            goal = f"/table/{table_id}"
        case "leave":
            await partners.leave(guest)
        case "away":
            await partners.mark_away(guest)
            # Nothing to go on to: that would be a question, and the wait last on.
            return Response(status_code=204)
        case "unblock":
            await partners.unblock(guest, str(form.get("which", "")))
    return await context.seal(RedirectResponse(goal, 303), saved)


async def listing(request: Request) -> Response:
    """The list alone, as pages reload it."""
    context = await Context.of(request)
    meeting, home = await meeting_of(context), "page" not in request.query_params
    html = render(context.visit, "partners/list.html", meeting=meeting, home=home, name_length=NAME_LENGTH)
    return HTMLResponse(html)


async def table(request: Request) -> Response:
    """The table at which a partner joined the visitor. It ends the wait, but leads there until they have drawn."""
    context = await Context.of(request)
    partners, guest = partners_at(context), context.visitor.guest
    table_id = await partners.found_table(guest)
    if not table_id:
        return await context.go("/partners")
    if not context.head:
        called = await calls(context.tables, table_id, guest)
        await (partners.note_led(guest) if called else partners.leave(guest, table_id))
    return await context.go(f"/table/{table_id}")


async def people(request: Request) -> Response:
    """The visitor's past opponents; a POST blocks one."""
    context, done = await Context.of(request), False
    table_id, table = await context.table()
    partners, guest = partners_at(context), context.visitor.guest
    others = others_of(table, guest)
    if not others:
        raise HTTPException(404, "no-such-seat")
    if request.method == "POST":
        form = await context.form()
        seat = number_of(str(form.get("seat", "")), len(table.holders) - 1)
        if seat not in others:
            raise HTTPException(404, "no-such-seat")
        await context.count("blocks")
        with context.refusals():
            await partners.block(guest, others[seat], table.holders[seat].name)
            done = True
    barred = {one.other for one in (await partners.blocked_guests(guest)).values()}
    blocked = {seat for seat, other in others.items() if other in barred}
    names = {other: table.holders[seat].name for seat, other in others.items()}
    known = await services_of(request).people.ids(names, keep=not context.head)
    ids = {seat: known[other] for seat, other in others.items() if other in known}
    words = words_of(context.visit)
    return await context.show(
        "partners/people.html",
        f"/match/{table_id}/people",
        table_id=table_id,
        others={seat: words.player(table.holders[seat].name, seat) for seat in others},
        blocked=blocked,
        ids=ids,
        done=done,
    )


def others_of(table: TableState, guest: str) -> dict[int, str]:
    """The other people at a guest's table, by seat; empty if the guest does not sit there."""
    if not table.held_by(guest):
        return {}
    sitting = ((seat, table.holders[seat].guest) for seat in sorted(table.people))
    return {seat: other for seat, other in sitting if other and other != guest}
