"""Pages outside the table: home, a new match, taking a seat, rules, settings, language."""

from __future__ import annotations

import hmac
from contextlib import suppress
from functools import partial

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.server.circle.challenges import Challenges
from chouine.server.contest.online import move_entry
from chouine.server.forms import local, name_of, nobody_sits, settings_of, waits_for_nobody
from chouine.server.new_table import first_level, new_table, own_name
from chouine.server.offline import bundle
from chouine.server.pages.books import clubs_page
from chouine.server.pages.home import Meeting, home_page
from chouine.server.pages.join import HERE_ONLY, join_page
from chouine.server.partners import Partners, calls
from chouine.server.routes.context import Context
from chouine.server.routes.notifications import show_settings
from chouine.server.services import services_of
from chouine.server.slow.listing import listed_tables
from chouine.server.store import Conflict
from chouine.server.table_ids import contest_in
from chouine.table import commands as ask
from chouine.table.brief import Brief
from chouine.table.entries import NOBODY, Opened
from chouine.table.state import Phase


async def home(request: Request) -> Response:
    """The first page, with one's matches."""
    context = await Context.of(request)
    contests = services_of(request).contests
    whose = context.visitor.guest
    entered = [] if context.visitor.new else [*await contests.of(whose), *await contests.ended_lately(whose)]
    listed = [(one.id, one.contest.opened.title, one.state == "over") for one in entered]
    meeting = await meeting_of(context)
    taken = None if "offline" in context.visit.off else bundle.takeaway.at_hand
    guest, people = context.visitor.guest, services_of(request).people
    page = home_page(
        context.visit,
        await matches_of(context),
        contests=listed,
        meeting=meeting,
        takeaway=taken,
        waiting=0 if context.visitor.new else await Challenges(people).count_waiting(guest),
    )
    return await context.page(page)


def partners_at(context: Context) -> Partners:
    return services_of(context.request).partners


async def meeting_of(context: Context) -> Meeting:
    """The waiting list as this visitor sees it; asking renews the visitor's own wait."""
    partners, guest = partners_at(context), context.visitor.guest
    own = None if context.visitor.new else await partners.own(guest)
    evening = services_of(context.request).site.evening
    here_only = context.request.url.hostname in HERE_ONLY
    return Meeting(await partners.waiting_list(guest), own, context.tables.clock(), evening, here_only)


async def matches_of(context: Context) -> list[tuple[str, Brief]]:
    """A visitor's tables with their summaries, newest first."""
    if context.visitor.new:
        return []
    listed = await listed_tables(context.tables, context.visitor.guest)
    return [(one.table_id, one.brief) for one in listed]


async def new(request: Request) -> Response:
    """Open a table as the form asks; an invalid form is shown again with the reason."""
    context = await Context.of(request)
    form = await context.form()
    await context.count("tables")
    with context.refusals():
        opened = new_table(form, context.visit)
        await context.admit(alone=waits_for_nobody(opened.chairs))
        return await open_table(context, opened)
    matches, meeting = await matches_of(context), await meeting_of(context)
    return await context.page(home_page(context.visit, matches, context.refused, meeting=meeting))


async def open_table(context: Context, opened: Opened) -> Response:
    """Open a table, remember what the visitor chose, and lead there.

    A form sent again as it was leads to the table that it has opened, if nothing was done there yet.
    """
    if nobody_sits(opened.chairs):
        await context.count("watched")
    table_id = context.name_for("table")
    there = await context.tables.table(table_id)
    if there is None:
        with suppress(Conflict):  # it was sent twice at once
            await context.set_table(opened, table_id=table_id)
    elif there.phase is not Phase.SEATING and not await calls(
        context.tables, table_id, context.visitor.guest
    ):
        table_id = await context.set_table(opened)
    before = context.visitor.saved
    name, level = own_name(opened) or before.name, first_level(opened) or before.level
    saved = msgspec.structs.replace(before, name=name, level=level)
    return await context.seal(RedirectResponse(f"/table/{table_id}", 303), saved)


async def join(request: Request) -> Response:
    """A play link: take its seat, or return to it on another device."""
    context = await Context.of(request)
    table_id, table = await context.table_to_join()
    seat, secret = int(request.path_params["seat"]), str(request.path_params["secret"])
    form = await context.form() if request.method == "POST" else None
    holder = table.holders[seat].guest if seat in table.people else None
    if holder == context.visitor.guest:
        # Also by the link of the empty seat: the answer to the form may have been lost.
        return await context.go(f"/table/{table_id}")
    right = hmac.compare_digest(secret.encode(), context.secrets.seat(table_id, seat, holder).encode())
    if not right or seat not in table.people or holder == NOBODY:
        raise HTTPException(404, "no-seat")
    site = services_of(request).site.known_address(request)
    if form is None:
        return await context.page(join_page(context.visit, table_id, table, seat, secret, site))
    await context.check_person()
    if holder is None:
        await services_of(request).board.order.check_free(context.visitor.guest, context.origin)
    given = ""
    with context.refusals():
        given = name_of(str(form.get("name", ""))) if holder is None else ""
    if context.refused:
        page = join_page(context.visit, table_id, table, seat, secret, site, context.refused)
        return await context.page(page)
    name, rated = given or table.holders[seat].name, form.get("rated") == "1"
    try:
        emblem = context.visit.settings.emblem
        sit = ask.Sit(seat, context.visitor.guest, name, holder, emblem, rated)
        contest = contest_in(table_id)
        entry = [partial(move_entry, contest, holder, context.visitor.guest)] if contest and holder else []
        await context.tables.do(table_id, sit, also=entry)
    except ask.Refused as taken:
        raise HTTPException(404, "no-seat") from taken
    saved = msgspec.structs.replace(context.visitor.saved, name=given or context.visitor.saved.name)
    return await context.seal(RedirectResponse(f"/table/{table_id}", 303), saved)


async def clubs(request: Request) -> Response:
    """How a club runs a contest in a hall."""
    context = await Context.of(request)
    return await context.page(clubs_page(context.visit))


async def settings(request: Request) -> Response:
    """How this browser shows the table."""
    context = await Context.of(request)
    if request.method == "GET":
        return await show_settings(context, request.url)
    form = await context.form()
    saved = msgspec.structs.replace(context.visitor.saved, settings=settings_of(form))
    await services_of(request).people.show_emblem(context.visitor.guest, saved.settings.emblem)
    return await context.seal(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)
