"""Pages outside the table: home, a new match, taking a seat, rules, settings, language."""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import replace

import msgspec
import structlog
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.errors import ChouineError
from chouine.names import NameRefused
from chouine.phrases import say
from chouine.server.codec import decode_brief
from chouine.server.forms import local, name_of, nobody_sits, settings_of
from chouine.server.offline import bundle
from chouine.server.online.contests import Contests
from chouine.server.online.naming import contest_in
from chouine.server.online.partners import Partners
from chouine.server.openings import first_level, new_table, own_name, refusal
from chouine.server.pages import home_page, join_page, rules_page, settings_page
from chouine.server.pages.clubs import clubs_page
from chouine.server.pages.join import HERE_ONLY
from chouine.server.pages.meeting import Meeting
from chouine.server.push.letters import Letters
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.routes.context import Context
from chouine.table import commands as ask
from chouine.table.brief import Brief

log = structlog.get_logger()


async def home(request: Request) -> Response:
    """The first page, with one's matches."""
    context = await Context.of(request)
    contests: Contests = request.app.state.contests
    entered = [] if context.visitor.new else await contests.of(context.visitor.guest)
    listed = [(one.id, one.contest.opened.title) for one in entered]
    meeting = await meeting_of(context)
    taken = await run_in_threadpool(bundle.takeaway)
    page = home_page(
        context.visit, await matches_of(context), contests=listed, meeting=meeting, takeaway=taken
    )
    return await context.page(page)


def partners_at(context: Context) -> Partners:
    partners: Partners = context.request.app.state.partners
    return partners


async def meeting_of(context: Context) -> Meeting:
    """The waiting list as this visitor sees it; asking renews the visitor's own wait."""
    partners, guest = partners_at(context), context.visitor.guest
    own = None if context.visitor.new else await partners.own(guest)
    evening = context.request.app.state.site.evening
    here_only = context.request.url.hostname in HERE_ONLY
    return Meeting(await partners.listed(guest), own, context.tables.clock(), evening, here_only)


async def matches_of(context: Context) -> list[tuple[str, Brief]]:
    """A visitor's tables with their summaries, newest first."""
    if context.visitor.new:
        return []
    found = []
    for game, kept in await context.tables.store.games_of(context.visitor.guest):
        await asyncio.sleep(0)  # others are served between two tables that must be read
        try:
            brief = decode_brief(kept) if kept else await context.tables.brief(game)
        except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
            log.warning("cannot list a table", kind=type(error).__name__)
            continue
        if brief is not None:
            found.append((game, brief))
    return found


async def new(request: Request) -> Response:
    """Open a table as the form asks; an invalid form is shown again with the reason."""
    context = await Context.of(request)
    form = await context.form()
    context.count("tables")
    try:
        opened = new_table(form, context.visit)
    except (ChouineError, ValueError) as error:
        meeting = await meeting_of(context)
        reason = refusal(error, context.visit.language)
        return await context.page(
            home_page(context.visit, await matches_of(context), reason, meeting=meeting), 422
        )
    if nobody_sits(opened.chairs):
        context.count("watched")
    game = await context.set_table(opened)
    before = context.visitor.saved
    name, level = own_name(opened) or before.name, first_level(opened) or before.level
    saved = msgspec.structs.replace(before, name=name, level=level)
    return await context.sealed(RedirectResponse(f"/table/{game}", 303), saved)


async def join(request: Request) -> Response:
    """A play link: take its seat, or return to it on another device."""
    context = await Context.of(request)
    game, room = await context.room()
    seat, secret = int(request.path_params["seat"]), str(request.path_params["secret"])
    holder = room.holders[seat].guest if seat in room.people else None
    right = hmac.compare_digest(secret.encode(), context.secrets.seat(game, seat, holder).encode())
    if not right or seat not in room.people:
        raise HTTPException(404, "no-seat")
    if holder == context.visitor.guest:
        return await context.go(f"/table/{game}")
    site = request.app.state.site.known(request)
    if request.method == "GET":
        return await context.page(join_page(context.visit, game, room, seat, secret, site))
    form = await context.form()
    try:
        given = name_of(str(form.get("name", ""))) if holder is None else ""
    except NameRefused as error:
        reason = say(error.code, context.visit.language, **error.data)
        return await context.page(join_page(context.visit, game, room, seat, secret, site, reason), 422)
    name = given or room.holders[seat].name
    try:
        emblem = context.visit.settings.emblem
        await context.tables.do(game, ask.Sit(seat, context.visitor.guest, name, holder, emblem))
    except ask.Refused as taken:
        raise HTTPException(404, "no-seat") from taken
    contests: Contests = request.app.state.contests
    if holder is not None and (contest := contest_in(game)):
        await contests.follow(contest, holder, context.visitor.guest)
    saved = msgspec.structs.replace(context.visitor.saved, name=given or context.visitor.saved.name)
    return await context.sealed(RedirectResponse(f"/table/{game}", 303), saved)


async def rules(request: Request) -> Response:
    """The rule book."""
    context = await Context.of(request)
    asked = request.query_params
    back = local(asked.get("back", "/"))
    return await context.page(
        rules_page(context.visit, asked.get("section", ""), "" if back == "/" else back)
    )


async def clubs(request: Request) -> Response:
    """How a club runs a contest in a hall."""
    context = await Context.of(request)
    return await context.page(clubs_page(context.visit))


async def settings(request: Request) -> Response:
    """How this browser shows the table."""
    context = await Context.of(request)
    if request.method == "GET":
        turns: TurnNotifier | None = request.app.state.turns
        browsers = await turns.browsers(context.visitor.guest) if turns else []
        letters: Letters | None = request.app.state.letters
        mailbox = await letters.of(context.visitor.guest) if letters else None
        back = local(request.query_params.get("back", "/"))
        return await context.page(settings_page(context.visit, back, browsers, mailbox))
    form = await context.form()
    saved = msgspec.structs.replace(context.visitor.saved, settings=settings_of(form))
    return await context.sealed(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)


async def sound(request: Request) -> Response:
    """Store whether this browser plays sounds, and how loud; responds without a page."""
    context = await Context.of(request)
    asked, before = settings_of(await context.form()), context.visitor.saved
    chosen = replace(before.settings, sound=asked.sound, volume=asked.volume)
    return await context.sealed(Response(status_code=204), msgspec.structs.replace(before, settings=chosen))


async def language(request: Request) -> Response:
    """Store the language."""
    context = await Context.of(request)
    form = await context.form()
    chosen = str(form.get("language", ""))
    known = chosen if chosen in ("fr", "en") else context.visitor.saved.language
    saved = msgspec.structs.replace(context.visitor.saved, language=known)
    return await context.sealed(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)
