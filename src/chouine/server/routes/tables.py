"""All of one's tables with whose turn it is, the evening reminder, holidays, and acts prepared at slow tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.cards import Card
from chouine.days import day_of
from chouine.notation.tokens import read_action
from chouine.partie import Action, Play, View
from chouine.phrases import say
from chouine.phrases.naming import date_in_words, hour_in_words, join_names
from chouine.server.forms import number_of
from chouine.server.pages.company import on_holiday
from chouine.server.pages.env import render
from chouine.server.pages.home import Summary
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.routes.context import Context
from chouine.server.routes.request_context import NAME
from chouine.server.services import services_of
from chouine.server.slow.holidays import DAYS, HolidayRefused, OwnHoliday
from chouine.server.slow.listing import ListedTable, listed_tables, waiting_tables
from chouine.server.slow.prepared import (
    WHATEVER,
    Condition,
    Preparation,
    cards_of_others,
    may_prepare,
    preparable_acts,
)
from chouine.server.slow.reminders import HOURS
from chouine.server.slow.rounds import SlowMatches
from chouine.table.brief import Brief
from chouine.table.state import Phase, TableState

SECONDS = 20
"""Seconds after which the list is fetched again."""
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600


@dataclass(frozen=True, slots=True)
class Line:
    """A table in the list: whose turn it is, and how long they have, in words."""

    match: Summary
    turn: str
    left: str


@dataclass(frozen=True, slots=True)
class SlowChoices:
    """What a visitor has chosen for slow matches."""

    hour: int | None
    """The hour of the reminder."""
    holiday: OwnHoliday | None
    days_left: int
    """Days of holiday left this year."""
    today: date
    reaches: bool
    """Whether a reminder can reach the visitor: in a browser, or by an e-mail to an address that was confirmed."""


def tables_page(
    visit: Visit, listed: Sequence[ListedTable], now: float, own: SlowChoices, refused: str = ""
) -> str:
    """The page. `refused`: why the last form was refused."""
    words = words_of(visit)
    return render(
        visit,
        "tables/index.html",
        here="/tables",
        seconds=SECONDS,
        refused=refused,
        own=own,
        hours={
            hour: hour_in_words(datetime.combine(own.today, time(hour)), visit.language) for hour in HOURS
        },
        days=DAYS,
        holiday=holiday_in_words(words, own.holiday) if own.holiday else "",
        **list_variables(visit, listed, now),
    )


def tables_list(visit: Visit, listed: Sequence[ListedTable], now: float) -> str:
    """The part of it that pages reload."""
    return render(visit, "tables/list.html", "/tables", **list_variables(visit, listed, now))


def list_variables(visit: Visit, listed: Sequence[ListedTable], now: float) -> dict[str, object]:
    """The tables in their order: one's turn, the most urgent first, then those in progress, then finished ones."""
    words = words_of(visit)
    lines = {one.table_id: line_of(one, visit.guest, words, now) for one in listed}
    waiting = [lines[one.table_id] for one in waiting_tables(listed, visit.guest)]
    going = [line for line in lines.values() if not line.match.over and line not in waiting]
    return {
        "yours": waiting + [line for line in going if line.match.my_turn],
        "going": [line for line in going if not line.match.my_turn],
        "finished": [line for line in lines.values() if line.match.over],
    }


def line_of(one: ListedTable, guest: str, words: Words, now: float) -> Line:
    """A table's line as a guest reads it."""
    match = Summary.of(one.table_id, one.brief, guest, words)
    return Line(match, turn_of(match, one.brief, words), time_left(one.brief, guest, words, now))


def turn_of(match: Summary, brief: Brief, words: Words) -> str:
    """Whose turn it is; empty where the match is over."""
    if match.over:
        return ""
    if match.seating:
        return words.gettext("Somebody is still to come")
    if brief.paused:
        return words.gettext("The table is paused.")
    if match.my_turn:
        return words.gettext("Your turn")
    names = [match.names[seat] for seat in sorted(brief.awaited)]
    return (
        words.gettext("Waiting for %(name)s.") % {"name": join_names(names, words.language)} if names else ""
    )


def time_left(brief: Brief, guest: str, words: Words, now: float) -> str:
    """How long the one has whose time is out first, the guest before others; or that they are on holiday."""
    mine = brief.held_by(guest)
    for seat, at in sorted(brief.times_up, key=lambda one: (one[0] not in mine, one[1])):
        name = words.player(brief.holders[seat].name, seat)
        for away in brief.holidays:
            if away.seat == seat:
                return on_holiday(words, name, away.last, yours=seat in mine)
        return clock_sentence(words, name, max(0.0, at - now), yours=seat in mine)
    return ""


def clock_sentence(words: Words, name: str, seconds: float, *, yours: bool) -> str:
    """How long somebody has until their time is out, rounded down."""
    ngettext = words.ngettext
    days, hours, minutes = (int(seconds // unit) for unit in (DAY, HOUR, MINUTE))
    if days >= 2:
        ways = (
            ngettext("You have %(num)s day left.", "You have %(num)s days left.", days),
            ngettext("%(name)s has %(num)s day left.", "%(name)s has %(num)s days left.", days),
        )
        return ways[not yours] % {"num": days, "name": name}
    if hours:
        ways = (
            ngettext("You have %(num)s hour left.", "You have %(num)s hours left.", hours),
            ngettext("%(name)s has %(num)s hour left.", "%(name)s has %(num)s hours left.", hours),
        )
        return ways[not yours] % {"num": hours, "name": name}
    if minutes:
        ways = (
            ngettext("You have %(num)s minute left.", "You have %(num)s minutes left.", minutes),
            ngettext("%(name)s has %(num)s minute left.", "%(name)s has %(num)s minutes left.", minutes),
        )
        return ways[not yours] % {"num": minutes, "name": name}
    ways = (
        words.gettext("You have less than a minute left."),
        words.gettext("%(name)s has less than a minute left."),
    )
    return ways[not yours] % {"name": name}


def holiday_in_words(words: Words, own: OwnHoliday) -> str:
    """A visitor's own holiday, or the plan of one."""
    first, last = (date_in_words(day, words.language) for day in (own.first, own.last))
    if own.begun:
        return on_holiday(words, "", own.last.isoformat(), yours=True)
    if own.first == own.last:
        return words.gettext("Your holiday is on %(day)s.") % {"day": first}
    return words.gettext("Your holiday begins on %(day)s and ends on %(end)s.") % {
        "day": first,
        "end": last,
    }


def beside_table(
    visit: Visit,
    table_id: str,
    table: TableState,
    seat: int | None,
    waiting: Sequence[ListedTable],
    prepared: Preparation,
) -> str:
    """What stands beside a slow table while one need not play: the next table that waits, and what one prepared.

    Empty on one's turn, but for the news that what was prepared was not done.
    """
    resting = seat is None or seat not in table.awaited or table.phase is Phase.COUNT
    return render(
        visit,
        "tables/beside.html",
        f"/table/{table_id}",
        table_id=table_id,
        next_table=waiting[0].table_id if resting and waiting else "",
        waiting=len(waiting),
        may_prepare=may_prepare(table_id, table, seat),
        prepared=len(prepared.conditions),
        lapsed=prepared.lapsed,
    )


def prepare_page(
    visit: Visit, table_id: str, table: TableState, seat: int, prepared: Preparation, refused: str = ""
) -> str:
    """The page on which an act is prepared. `refused`: why the last form was refused."""
    words, state = words_of(visit), table.state
    open_now = may_prepare(table_id, table, seat) and state is not None
    view: View | None = state.view(seat) if state is not None and open_now else None
    turn = state.turn if state is not None else None
    name = words.player(table.holders[turn].name, turn) if turn is not None else ""
    return render(
        visit,
        "tables/prepare.html",
        here=f"/tables/prepare/{table_id}",
        table_id=table_id,
        refused=refused or ("" if view else say("table/nothing-to-prepare", visit.language)),
        lapsed=prepared.lapsed,
        name=name,
        conditions=[
            (
                one.card,
                condition_in_words(words, one.card, name, alone=len(prepared.conditions) == 1),
                act_in_words(words, read_action(one.token)),
            )
            for one in prepared.conditions
        ],
        whatever=WHATEVER,
        cards=[(str(card), words.the(card)) for card in cards_of_others(view)] if view else [],
        acts=[(str(act), act_in_words(words, act)) for act in preparable_acts(view)] if view else [],
    )


def condition_in_words(words: Words, card: str, name: str, *, alone: bool) -> str:
    """For which card an act is prepared; `alone`: it is the only one prepared."""
    if card == WHATEVER and alone:
        return words.gettext("Whatever %(name)s plays") % {"name": name}
    if card == WHATEVER:
        return words.gettext("If %(name)s plays any other card") % {"name": name}
    return words.gettext("If %(name)s plays %(card)s") % {"name": name, "card": words.the(Card(card))}


def act_in_words(words: Words, act: Action) -> str:
    """An act that is prepared."""
    if not isinstance(act, Play):
        return str(act)
    if act.declaration is None:
        return words.gettext("play %(card)s") % {"card": words.the(act.card)}
    return words.gettext("declare %(declaration)s and play %(card)s") % {
        "declaration": words.a(act.declaration),
        "card": words.the(act.card),
    }


def slow_at(context: Context) -> SlowMatches:
    return services_of(context.request).slow


async def index(request: Request) -> Response:
    """The visitor's tables; a post chooses the hour of the reminder, or begins or ends a holiday."""
    context = await Context.of(request)
    if request.method == "POST":
        form = await context.form()
        await context.count("slow")
        with context.refusals():
            await carry_out(context, form)
            return await context.go("/tables")
    now = context.tables.clock()
    page = tables_page(
        context.visit, await own_tables(context), now, await own_choices(context), context.refused
    )
    return await context.page(page)


async def own_tables(context: Context, *, going: bool = False) -> list[ListedTable]:
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
    context = await Context.of(request)
    table_id, table = await context.table()
    held, prepared = table.held_by(context.visitor.guest), slow_at(context).prepared
    if len(held) != 1:
        raise HTTPException(403, "not-your-seat")
    if request.method == "POST":
        form = await context.form()
        await context.count("slow")
        card, token = (str(form.get(name, ""))[:20] for name in ("card", "token"))
        with context.refusals():
            if form.get("what") == "withdraw":
                await prepared.withdraw(table_id, context.visitor.guest, card)
            else:
                await prepared.prepare(table_id, table, held[0], Condition(card, token))
            return await context.go(f"/tables/prepare/{table_id}")
    own = await prepared.of(table_id, context.visitor.guest)
    page = prepare_page(context.visit, table_id, table, held[0], own, context.refused)
    return await context.page(page)
