"""All of one's tables, the evening reminder, holidays, and acts prepared at slow tables."""

from __future__ import annotations

from datetime import UTC, date, datetime

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.server.forms import number_of
from chouine.server.pages.tables import SlowChoices, beside_table, prepare_page, tables_list, tables_page
from chouine.server.routes.context import Context
from chouine.server.routes.request_context import NAME
from chouine.server.services import services_of
from chouine.server.slow.holidays import HolidayRefused
from chouine.server.slow.listing import Listed, listed_tables, waiting_tables
from chouine.server.slow.prepared import Condition
from chouine.server.slow.reminders import HOURS
from chouine.server.slow.rounds import SlowMatches
from chouine.table.state import TableState


def slow_at(context: Context) -> SlowMatches:
    return services_of(context.request).slow


async def index(request: Request) -> Response:
    """The visitor's tables; a post chooses the hour of the reminder, or begins or ends a holiday."""
    context, refused = await Context.of(request), ""
    if request.method == "POST":
        form = await context.form()
        await context.count("slow")
        try:
            await carry_out(context, form)
            return await context.go("/tables")
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    now = context.tables.clock()
    page = tables_page(context.visit, await own_tables(context), now, await own_choices(context), refused)
    return await context.page(page, 422 if refused else 200)


async def own_tables(context: Context, *, going: bool = False) -> list[Listed]:
    """The visitor's tables; nothing is read of who has no cookie."""
    if context.visitor.new:
        return []
    return await listed_tables(context.tables, context.visitor.guest, going=going)


async def own_choices(context: Context) -> SlowChoices:
    """What the visitor has chosen for slow matches."""
    slow, guest, services = slow_at(context), context.visitor.guest, services_of(context.request)
    today = day_of(datetime.fromtimestamp(context.tables.clock(), UTC), context.visit.zone)
    reaches = bool(services.turns and await services.turns.browsers(guest))
    if not reaches and services.letters:
        mailbox = await services.letters.of(guest)
        reaches = mailbox is not None and mailbox.confirmed
    return SlowChoices(
        hour=await slow.reminders.hour_of(guest),
        holiday=await slow.holidays.next_of(guest),
        days_left=await slow.holidays.days_left(guest, today.year),
        today=today,
        reaches=reaches,
    )


async def carry_out(context: Context, form: FormData) -> None:
    """Do what a form on the page asks for. Raises `ChouineError`."""
    slow, guest, zone = slow_at(context), context.visitor.guest, context.visit.zone
    match form.get("what"):
        case "remind":
            hour = number_of(str(form.get("hour", "")), max(HOURS))
            await slow.reminders.choose(guest, hour if hour in HOURS else None, zone or UTC)
        case "holiday":
            await context.count("holidays")
            await slow.holidays.take(guest, day_in(form, "first"), day_in(form, "last"), zone)
        case "back":
            await slow.holidays.end(guest, zone)
        case _:
            raise HTTPException(400, "unreadable")


def day_in(form: FormData, name: str) -> date:
    """A day in a form. Raises `HolidayRefused` for anything else."""
    try:
        return date.fromisoformat(str(form.get(name, "")))
    except ValueError as error:
        raise HolidayRefused("holiday/day") from error


async def listing(request: Request) -> Response:
    """The list alone, as the page reloads it."""
    context = await Context.of(request)
    return HTMLResponse(tables_list(context.visit, await own_tables(context), context.tables.clock()))


async def show_beside(request: Request) -> Response:
    """What stands beside a slow table, as its page reloads it."""
    context = await Context.of(request)
    table_id = request.query_params.get("table", "")
    table = await context.tables.table(table_id) if NAME.fullmatch(table_id) else None
    if table is None:
        raise HTTPException(404, "no-such-table")
    return HTMLResponse(await beside_of(context, table_id, table) or '<div class="beside"></div>')


async def beside_of(context: Context, table_id: str, table: TableState) -> str:
    """What stands beside a table for a visitor who sits there; empty at tables that are not slow."""
    guest = context.visitor.guest
    held = table.held_by(guest)
    if not table.slow or not held:
        return ""
    waiting = waiting_tables(await own_tables(context, going=True), guest, but=table_id)
    prepared = await slow_at(context).prepared.of(table_id, guest)
    seat = held[0] if len(held) == 1 else None
    return beside_table(context.visit, table_id, table, seat, waiting, prepared)


async def prepare(request: Request) -> Response:
    """The page on which the one who sits at a slow table prepares an act; a post prepares or withdraws one."""
    context, refused = await Context.of(request), ""
    table_id, table = await context.table()
    held, prepared = table.held_by(context.visitor.guest), slow_at(context).prepared
    if len(held) != 1:
        raise HTTPException(403, "not-your-seat")
    if request.method == "POST":
        form = await context.form()
        await context.count("slow")
        card, token = (str(form.get(name, ""))[:20] for name in ("card", "token"))
        try:
            if form.get("what") == "withdraw":
                await prepared.withdraw(table_id, context.visitor.guest, card)
            else:
                await prepared.prepare(table_id, table, held[0], Condition(card, token))
            return await context.go(f"/tables/prepare/{table_id}")
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    own = await prepared.of(table_id, context.visitor.guest)
    page = prepare_page(context.visit, table_id, table, held[0], own, refused)
    return await context.page(page, 422 if refused else 200)
