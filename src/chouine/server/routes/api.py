"""The API for programs (`/api/1/…`): tokens instead of cookies, JSON instead of pages, for the same tables."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cache
from hmac import compare_digest
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chouine.errors import ChouineError
from chouine.notation.tokens import PASS
from chouine.partie.deal import SEATS
from chouine.phrases import say
from chouine.server.api import shapes
from chouine.server.api.document import Caller, Endpoint, document_of
from chouine.server.api.seat_view import match_of
from chouine.server.database import Superseded
from chouine.server.forms import name_of, opened_by, waits_for_nobody
from chouine.server.pages.visit import PACES
from chouine.server.records import record_text
from chouine.server.routes.api_events import FOLLOWED, Events, seen_by
from chouine.server.routes.context import Context
from chouine.server.routes.failures import PROGRAMS, tell_program
from chouine.server.saved import SavedState
from chouine.server.sent_json import decode_sent
from chouine.server.services import services_of
from chouine.server.site import Closed
from chouine.server.store import Conflict
from chouine.server.tokens import Tokens
from chouine.server.visitors import Visitor, language_of
from chouine.table import Phase, TableState
from chouine.table import commands as ask

LINK = re.compile(r"/join/([A-Za-z0-9_-]{1,32})/([0-3])/([0-9a-f]{32})/?$")
"""The end of a link to a seat: table, seat, secret."""
SITS = {"me": "me", "open": "friend"}
"""What the API calls a seat, and what forms call it."""


async def caller_of(request: Request, scope: str) -> Caller:
    """Whom a request's token stands for. Raises 401 without a token that holds, 403 without the scope, 429."""
    services = services_of(request)
    tables, limits = services.tables, services.limits
    if tables.superseded:
        raise Superseded
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    asks = {"WWW-Authenticate": "Bearer"}
    if kind.lower() != "bearer" or not token:
        raise HTTPException(401, "no-token", asks)
    limits.check("api", request.scope)
    holder = await Tokens(tables.store, tables.clock).holder(token.strip())
    if holder is None:
        limits.of_address("api", request.scope)
        raise HTTPException(401, "unknown-token", asks)
    visitor = Visitor("", holder.guest, SavedState(name=holder.bot), new=False, read=False)
    context = Context(request, tables, services.secrets, visitor, holder.bot)
    await context.count("api")
    if scope and scope not in holder.scopes:
        raise HTTPException(403, "scope")
    return Caller(context, holder, token.strip())


def function_of(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """The function that answers an endpoint's requests; its refusals are JSON."""

    async def answer(request: Request) -> Response:
        caller = await caller_of(request, endpoint.scope)
        body: Any = None
        if endpoint.takes is not None:
            sent = await request.body()
            caller.context.weigh(len(sent))
            try:
                body = decode_sent(sent or b"{}", endpoint.takes)
            except msgspec.ValidationError as error:
                return tell_program(request, 422, "invalid", where=str(error))
            except msgspec.DecodeError as error:
                raise HTTPException(400, "not-json") from error
        try:
            found = await endpoint.answer(caller, body)
        except Closed:
            raise
        except (ChouineError, ValueError) as error:
            if not isinstance(error, ChouineError):
                return tell_program(request, 422, "invalid", where=str(error))
            language = language_of(request, SavedState())
            return tell_program(request, 422, error.code, say(error.code, language, **error.data))
        if isinstance(found, Response):
            return found
        json = msgspec.json.encode(found)
        return Response(json, 201 if endpoint.made else 200, media_type="application/json")

    return answer


async def seat_at(caller: Caller) -> tuple[str, TableState, int]:
    """The table in the address and the caller's seat there. Raises 404 for all other tables, 422 for which seat."""
    context = caller.context
    table_id, table = await context.table()
    own, asked = table.held_by(caller.holder.guest), context.request.query_params.get("seat", "")
    if not own:
        raise HTTPException(404, "no-such-table")
    if asked:
        seat = SEATS.find(asked[:1]) if len(asked) == 1 else -1
        if seat not in own:
            raise HTTPException(403, "no-such-seat")
        return table_id, table, seat
    if len(own) > 1:
        raise ask.Refused("api/which-seat")
    return table_id, table, own[0]


async def account(caller: Caller, _: None) -> shapes.Account:
    """Whom the token stands for."""
    holder = caller.holder
    return shapes.Account(bool(holder.bot), holder.bot, holder.name, sorted(holder.scopes))


async def list_tables(caller: Caller, _: None) -> shapes.Tables:
    """The caller's tables whose match is not over, one for each seat held there."""
    context, guest = caller.context, caller.holder.guest
    found = []
    for table_id in await context.tables.store.playing_ids_of(guest, FOLLOWED):
        table = await context.tables.table(table_id)
        if table is not None:
            found += [seen_by(caller, table_id, table, seat) for seat in table.held_by(guest)]
    return shapes.Tables(found)


async def open_table(caller: Caller, asked: shapes.Open) -> shapes.Table:
    """Open a table; the caller sits at it. Sent again, it gives the table that was opened."""
    context, bot, guest = caller.context, caller.holder.bot, caller.holder.guest
    table_id = context.secrets.table(guest, asked.id) if asked.id else None
    if table_id and (there := await context.tables.table(table_id)) is not None and there.held_by(guest):
        return seen_by(caller, table_id, there, there.held_by(guest)[0])
    form: dict[str, str] = {"rules": asked.rules}
    if asked.format:
        form["format"] = asked.format
    chosen = asked.seats or ["me"]
    if chosen.count("me") != 1:
        raise ask.Refused("api/own-seat")
    await context.count("tables")
    for seat in range(4):
        form[f"chair-{seat}"] = SITS.get(chosen[seat], chosen[seat]) if seat < len(chosen) else "friend"
    mine = chosen.index("me")
    form[f"name-{mine}"] = "" if bot else asked.name
    if asked.clock:
        form |= {"move": str(asked.clock.move), "reserve": str(asked.clock.reserve)}
    if asked.unaided:
        form["unaided"] = "1"
    opened = opened_by(form, guest)
    if mine >= len(opened.chairs):
        raise ask.Refused("api/own-seat")
    holders = tuple(
        replace(holder, name=bot or holder.name) if seat == mine else holder
        for seat, holder in enumerate(opened.chairs)
    )
    opened = replace(opened, chairs=holders, pace=PACES[asked.pace].computers)
    await context.admit(alone=waits_for_nobody(holders))
    try:
        table_id = await context.tables.open(opened, table_id, set_by=context.set_by)
    except Conflict:  # the same was sent twice at once
        if table_id is None:
            raise
    return await present_table(caller, table_id, mine)


async def present_table(caller: Caller, table_id: str, seat: int) -> shapes.Table:
    """The present state of a table that is there."""
    table = await caller.context.tables.table(table_id)
    if table is None:
        raise HTTPException(404, "no-such-table")
    return seen_by(caller, table_id, table, seat)


async def join(caller: Caller, asked: shapes.Join) -> shapes.Table:
    """Take the empty seat of a link."""
    context, guest, bot = caller.context, caller.holder.guest, caller.holder.bot
    found = LINK.search(asked.link)
    if found is None:
        raise ask.Refused("api/link")
    table_id, seat, secret = found[1], int(found[2]), found[3]
    table = await context.tables.table(table_id)
    if table is None or seat >= len(table.holders):
        raise HTTPException(404, "no-seat")
    holder, right = table.holders[seat], context.secrets.empty_seat(table_id, seat)
    if not compare_digest(secret, right) or seat not in table.people or holder.guest not in (None, guest):
        raise HTTPException(404, "no-seat")
    if holder.guest == guest:  # asked again, since the answer was lost
        return seen_by(caller, table_id, table, seat)
    await context.count("joins")
    await services_of(context.request).board.order.check_free(guest, context.origin)
    name = bot or name_of(asked.name) or holder.name
    await context.tables.do(table_id, ask.Sit(seat, guest, name))
    return await present_table(caller, table_id, seat)


async def one_table(caller: Caller, _: None) -> shapes.Table:
    """A table of the caller's."""
    return seen_by(caller, *await seat_at(caller))


def act_of(seat: int, asked: shapes.Act) -> ask.Command:
    """An act of the partie, or the answer `-` at "au sept" (§11)."""
    return ask.Pass(seat) if asked.act == PASS else ask.Act(seat, asked.act)


COMMANDS: Mapping[str, tuple[type[shapes.Command], Callable[[int, Any], ask.Command], str]] = {
    "pick": (shapes.Pick, lambda seat, asked: ask.Pick(seat, asked.place), "Draw a card at the tirage"),
    "cut": (shapes.CutAt, lambda seat, asked: ask.CutAt(seat, asked.at), "Cut the pack"),
    "act": (shapes.Act, act_of, "Lay a card, declare, exchange, or let the seven pass"),
    "go-on": (shapes.Command, lambda seat, _: ask.GoOn(seat), "Go on to the next partie"),
    "concede": (shapes.Command, lambda seat, _: ask.Concede(seat), "Give up the partie"),
    "forfeit": (shapes.Command, lambda seat, _: ask.ForfeitMatch(seat), "Give up the match"),
    "leave": (
        shapes.Command,
        lambda seat, _: ask.Leave(seat),
        "Leave the seat before the match begins",
    ),
    "pause": (shapes.Command, lambda seat, _: ask.Pause(seat), "Ask for a pause"),
    "resume": (shapes.Command, lambda seat, _: ask.Resume(seat), "End the pause"),
    "speak": (shapes.Speak, lambda seat, asked: ask.Speak(seat, asked.phrase), "Say a phrase"),
    "revanche": (shapes.Command, lambda seat, _: ask.Revanche(seat), "Ask for a revanche, or agree to one"),
}
"""What a seat may do: the body, the command, and what it does in a sentence."""


def command_of(verb: str) -> Callable[[Caller, Any], Awaitable[shapes.Table]]:
    """The function that carries out a command and answers with the table after it."""
    make = COMMANDS[verb][1]

    async def carry_out(caller: Caller, asked: shapes.Command) -> shapes.Table:
        context = caller.context
        await context.count("commands")
        table_id, table, seat = await seat_at(caller)
        wanted = make(seat, asked)
        if isinstance(wanted, ask.Leave) and table.phase is not Phase.SEATING:
            raise ask.Refused("api/started")
        if isinstance(wanted, ask.Revanche):
            await context.count("tables")

        def check_own(table: TableState) -> None:
            if seat not in table.held_by(caller.holder.guest):
                raise ask.NotYours("table/not-your-turn")

        command_id = f"{seat}-{asked.id}" if asked.id else None
        after = await context.tables.do(table_id, wanted, command_id, check_own)
        return seen_by(caller, table_id, after, seat)

    return carry_out


async def list_matches(caller: Caller, _: None) -> shapes.Matches:
    """The caller's finished matches."""
    context, guest = caller.context, caller.holder.guest
    found = []
    for table_id, kept in await context.tables.store.table_ids_of(guest, FOLLOWED):
        brief = await context.tables.brief(table_id, kept)
        if brief is not None and brief.phase is Phase.OVER:
            found.append(match_of(table_id, brief, guest))
    return shapes.Matches(found)


async def one_match(caller: Caller, _: None) -> shapes.Record:
    """The records of the finished parties of a match of the caller's."""
    context = caller.context
    table_id, table = await context.table()
    if not table.held_by(caller.holder.guest):
        raise HTTPException(404, "no-such-table")
    return shapes.Record(table_id, record_text(table, services_of(context.request).site.zone))


async def all_events(caller: Caller, _: None) -> Response:
    """The stream of all tables."""
    return Events(caller)


async def events_of_one(caller: Caller, _: None) -> Response:
    """The stream of one table."""
    table_id, _table, _seat = await seat_at(caller)
    return Events(caller, table_id)


ENDPOINTS = (
    Endpoint("GET", "account", "", "Whom the token stands for", shapes.Account, account),
    Endpoint(
        "GET",
        "events",
        "play",
        "The states of all your tables, as they change",
        shapes.Event,
        all_events,
        streams=True,
    ),
    Endpoint("GET", "tables", "play", "Your tables whose match is not over", shapes.Tables, list_tables),
    Endpoint("POST", "tables", "tables", "Open a table", shapes.Table, open_table, shapes.Open, made=True),
    Endpoint("POST", "join", "tables", "Take the seat of a link", shapes.Table, join, shapes.Join),
    Endpoint(
        "GET",
        "tables/{table_id}",
        "play",
        "A table as your seat knows it",
        shapes.Table,
        one_table,
        by_seat=True,
    ),
    Endpoint(
        "GET",
        "tables/{table_id}/events",
        "play",
        "The states of one table, as it changes, until its match is over",
        shapes.Event,
        events_of_one,
        by_seat=True,
        streams=True,
    ),
    *(
        Endpoint(
            "POST",
            f"tables/{{table_id}}/{verb}",
            "play",
            says,
            shapes.Table,
            command_of(verb),
            takes,
            by_seat=True,
        )
        for verb, (takes, _, says) in COMMANDS.items()
    ),
    Endpoint("GET", "matches", "matches", "Your finished matches", shapes.Matches, list_matches),
    Endpoint("GET", "matches/{table_id}", "matches", "Its records", shapes.Record, one_match),
)


@cache
def document() -> bytes:
    """The description of the API as JSON."""
    return msgspec.json.encode(document_of(ENDPOINTS, PROGRAMS))


async def describe(_: Request) -> Response:
    """The description of the API (OpenAPI 3.1)."""
    return Response(document(), media_type="application/json")


routes = [
    Route(f"{PROGRAMS}openapi.json", describe),
    *(
        Route(PROGRAMS + endpoint.path, function_of(endpoint), methods=[endpoint.method])
        for endpoint in ENDPOINTS
    ),
]
