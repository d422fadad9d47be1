"""Commands at a table, for a seat that must be the visitor's own."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.server.forms import MOST, VERBS, NotANumber, number, number_of, seat_seen
from chouine.server.pages.frames import Viewer
from chouine.server.routes.request_context import (
    NAME,
    RequestContext,
    command_context_of,
    context_of,
    wants_json,
)
from chouine.server.table_cache import as_it_was
from chouine.table import commands as ask
from chouine.table.state import Phase, TableState


def observer_of(context: RequestContext, table: TableState) -> int | None:
    """The seat from which a request sees the table; None for a spectator."""
    return seat_seen(table.held_by(context.guest), context.request.query_params.get("as", ""))


async def command(request: Request) -> Response:
    """Carry out a command for a seat, which must be the visitor's own."""
    context = await command_context_of(request)
    await context.count("commands")
    form = await context.form()
    table_id, guest = context.table_id, context.guest
    verb = VERBS.get(request.path_params["verb"])
    if verb is None:
        raise HTTPException(404, "no-such-command")
    try:
        seat = number(form, "seat")
        asked = verb(seat, form)
    except NotANumber as error:
        raise HTTPException(400, "not-a-number") from error
    if isinstance(asked, ask.Revanche):
        await context.count("tables")

    def check_allowed(table: TableState) -> None:
        if seat not in table.held_by(guest):
            raise ask.NotYours("table/not-your-turn")
        for check in checks:
            check(table)

    checks: list[Callable[[TableState], None]] = []
    try:
        if isinstance(asked, ask.Advise):
            asked, unmoved = await advise_command(context, asked)
            checks.append(unmoved)
        after = await context.tables.do(table_id, asked, command_id(form, seat), check_allowed)
        if isinstance(asked, ask.Explain):
            await context.choose(explain=asked.on)
    except LookupError as error:
        raise HTTPException(404, "no-such-table") from error
    except ask.NotYours as error:
        raise HTTPException(403, "not-your-seat") from error
    except ChouineError as error:
        if (n := context.tables.length(table_id)) > (number_of(str(form.get("n", "")), MOST) or n):
            return await overtaken(context, table_id, n, seat)
        return await refusal_response(await context_of(request), table_id, error)
    if wants_json(request):
        return Response(b'{"ok":true,"n":%d}' % after.n, media_type="application/json")
    return await context.go(address_after(context, table_id, after, seat))


async def advise_command(
    context: RequestContext, asked: ask.Advise
) -> tuple[ask.Advise, Callable[[TableState], None]]:
    """The command with computed advice, unless advice already given can be continued.

    Also the check that the decision is still the same when the advice arrives.
    """
    _, table = await context.table()
    unmoved = as_it_was(table)
    may_ask = asked.seat == table.learner and table.held_by(context.guest) == (asked.seat,)
    if not may_ask or asked.seat not in table.awaited or table.phase is not Phase.PLAY or table.state is None:
        return asked, unmoved
    if table.advice is not None:
        return asked, unmoved
    advice = await context.advise(table.state.view(asked.seat))
    return ask.Advise(asked.seat, advice), unmoved


def command_id(form: FormData, seat: int) -> str | None:
    """The command's id, equal when it is sent again; each seat has its own."""
    given = str(form.get("id", ""))
    return f"{seat}-{given}" if NAME.fullmatch(given) else None


def address_after(context: RequestContext, table_id: str, table: TableState, seat: int) -> str:
    """The address to which a seat returns: the table, or the curtain if several people share the device."""
    several = len(table.held_by(context.guest)) > 1
    keep = several and context.request.query_params.get("as") == str(seat)
    return f"/table/{table_id}?as={seat}" if keep else f"/table/{table_id}"


async def overtaken(context: RequestContext, table_id: str, n: int, seat: int) -> Response:
    """The response to a command for a state that has passed: no error, since its news is on its way."""
    if wants_json(context.request):
        return JSONResponse({"ok": False, "code": "table/stale", "n": n}, 409)
    _, table = await context.table()
    return await context.go(address_after(context, table_id, table, seat))


async def refusal_response(context: RequestContext, table_id: str, error: ChouineError) -> Response:
    """The response to a refused command, with its §. Nothing has changed, and no further hand is shown."""
    message = say(error.code, context.visit.language, **error.data)
    if wants_json(context.request):
        return JSONResponse({"ok": False, "code": error.code, "message": message}, 422)
    _, table = await context.table()
    viewer = Viewer(context.visit, table_id, observer_of(context, table))
    return await context.page(viewer.page(table, message), 422)
