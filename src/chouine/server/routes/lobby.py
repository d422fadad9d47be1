"""Before and beside the table: home, a new match, taking a chair, rules, settings, language."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import msgspec
import structlog
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.ai.levels import WELCOME, check, level_of
from chouine.errors import ChouineError, NotationError
from chouine.match.format import Format
from chouine.match.score import Match
from chouine.phrases import say
from chouine.phrases.personas import PERSONAS, free_name
from chouine.registry import check_public
from chouine.rules import OPTIONS, PRESETS, Rules
from chouine.rules.options import text_name
from chouine.server import brief
from chouine.server.brief import Brief
from chouine.server.online.contests import Contests, contest_in
from chouine.server.pages import home_page, join_page, rules_page, settings_page
from chouine.server.pages.clubs import clubs_page
from chouine.server.pages.home import NAME_LENGTH
from chouine.server.pages.visit import LIMITS, PACES, Settings
from chouine.server.routes.context import Context, number_of
from chouine.server.terms import check_terms
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, Opened, SeatHolder

log = structlog.get_logger()

LONGEST_WATCHED = 5
"""Parties to win for a manche where computers play among themselves."""
LONGEST_CLOCK = 14 * 24 * 3600


async def home(request: Request) -> Response:
    """The first page, with one's matches."""
    context = await Context.of(request)
    contests: Contests = request.app.state.contests
    entered = [] if context.visitor.new else await contests.of(context.visitor.guest)
    listed = [(one.id, one.contest.opened.title) for one in entered]
    return await context.page(home_page(context.visit, await matches_of(context), contests=listed))


async def matches_of(context: Context) -> list[tuple[str, Brief]]:
    """A visitor's tables, the newest first."""
    if context.visitor.new:
        return []
    found = []
    for game, kept in await context.tables.store.games_of(context.visitor.guest):
        try:
            told = brief.decode(kept) if kept else await context.tables.brief(game)
        except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
            log.warning("cannot list a table", kind=type(error).__name__)
            continue
        if told is not None:
            found.append((game, told))
    return found


async def new(request: Request) -> Response:
    """Set a table as the form says; back to the form with the reason if it cannot be."""
    context = await Context.of(request)
    form = await context.form()
    context.count("tables")
    try:
        opened = opened_by(form, context.visitor.guest)
        chosen = context.visit.settings
        opened = replace(opened, window=chosen.window, pace=PACES[chosen.pace].computers)
    except (ChouineError, ValueError) as error:
        reason = (
            say(error.code, context.visit.language, **error.data)
            if isinstance(error, ChouineError)
            else str(error)
        )
        return await context.page(home_page(context.visit, await matches_of(context), reason), 422)
    if nobody_sits(opened.chairs):
        context.count("watched")
    game = await context.set_table(opened)
    own = next((chair.name for chair in opened.chairs if chair.guest), "")
    before = context.visitor.saved
    level = next(filter(None, (level_of(chair.player) for chair in opened.chairs)), before.level)
    saved = msgspec.structs.replace(before, name=own or before.name, level=level)
    return await context.sealed(RedirectResponse(f"/table/{game}", 303), saved)


def opened_by(form: FormData, guest: str) -> Opened:
    """The table a form describes; `ChouineError` for what cannot be played."""
    rules = rules_of(form)
    terms = Format.parse(str(form.get("format", "5x2" if rules.seats == 2 else "5")))
    Match.new(rules, terms)
    sitting: list[SeatHolder] = []
    for seat in range(rules.seats):
        sitting.append(chair_of(form, seat, guest, sitting))
    chairs = told_apart(sitting)
    if nobody_sits(chairs) and terms.parties > LONGEST_WATCHED:
        raise ask.Refused("room/too-long", parties=LONGEST_WATCHED)
    opened = Opened(str(rules), str(terms), chairs, clock_of(form, chairs))
    check_terms(opened)
    return opened


def nobody_sits(chairs: Iterable[SeatHolder]) -> bool:
    """Whether computers play among themselves, who wait for nobody and never tire."""
    return all(chair.player != "person" for chair in chairs)


def told_apart(chairs: Iterable[SeatHolder]) -> tuple[SeatHolder, ...]:
    """The chairs, whoever bears a name that is taken numbered: two guests of one device, a guest called Lison."""
    apart: list[SeatHolder] = []
    for chair in chairs:
        name = another_name(chair.name, [other.name for other in apart])
        apart.append(replace(chair, name=name))
    return tuple(apart)


def another_name(name: str, taken: Collection[str]) -> str:
    """The name, or the name with the first number that tells it from those taken; who gave none has none."""
    numbered = (f"{name[: NAME_LENGTH - 2]} {number}" for number in range(2, len(taken) + 3))
    return next(told for told in (name, *numbered) if not told or told not in taken)


def rules_of(form: FormData) -> Rules:
    """The rules of a form: a canonical text, or a preset and its options."""
    if form.get("rules"):
        return Rules.parse(str(form["rules"]))
    preset = str(form.get("preset", "classic"))
    if preset not in PRESETS:
        raise NotationError("syntax/preset", 1, 1, preset[:40], known=", ".join(PRESETS))
    chosen = [
        f"{text_name(option)}={form[f'option-{text_name(option)}']}"
        for option in OPTIONS
        if form.get(f"option-{text_name(option)}")
    ]
    return Rules.parse(";".join([preset, *chosen]))


def chair_of(form: FormData, seat: int, guest: str, sitting: Sequence[SeatHolder]) -> SeatHolder:
    """Who sits there: me, a friend to come, or a computer."""
    chosen = str(form.get(f"chair-{seat}", "me" if seat == 0 else f"level:{WELCOME}"))
    name = name_of(str(form.get(f"name-{seat}", "")))
    if chosen == "me":
        return SeatHolder("person", name, guest)
    if chosen == "friend":
        return SeatHolder("person", name)
    if level := level_of(chosen):
        return of_level(level, name, sitting)
    check_public(chosen)
    return SeatHolder(chosen, name or COMPUTERS.get(chosen, COMPUTERS["heuristic"])[seat])


def of_level(level: int, name: str, sitting: Sequence[SeatHolder]) -> SeatHolder:
    """The chair of a computer of a level, one of its names that nobody bears; `ChouineError` if it cannot play here."""
    check(level)
    return SeatHolder(
        f"level:{level}", name or free_name(PERSONAS[level - 1], [chair.name for chair in sitting])
    )


COMPUTERS = {
    "heuristic": ("Vendôme", "Lavardin", "Montoire", "Thoré"),
    "random": ("Couture", "Trôo", "Ternay", "Artins"),
}
"""What computers that are no level are called at each seat: places on the Loir."""


def name_of(text: str) -> str:
    """A name as it is shown: one line, no longer than the table has room for."""
    return " ".join("".join(sign for sign in text if sign.isprintable()).split())[:NAME_LENGTH]


def clock_of(form: FormData, chairs: tuple[SeatHolder, ...]) -> ClockTerms | None:
    """The clock of a form; none against computers."""
    move, reserve = (str(form.get(name, "")) or "0" for name in ("move", "reserve"))
    seconds, kept = (number_of(text, LONGEST_CLOCK) for text in (move, reserve))
    if not seconds or kept is None or any(chair.player != "person" for chair in chairs):
        return None
    return ClockTerms(seconds, kept)


async def join(request: Request) -> Response:
    """A play link: the chair to be taken, or to come back to on another device."""
    context = await Context.of(request)
    game, room = await context.room()
    seat, secret = int(request.path_params["seat"]), str(request.path_params["secret"])
    holder = room.holders[seat].guest if seat in room.people else None
    right = hmac.compare_digest(secret.encode(), context.secrets.chair(game, seat, holder).encode())
    if not right or seat not in room.people:
        raise HTTPException(404, "no-such-chair")
    if holder == context.visitor.guest:
        return await context.go(f"/table/{game}")
    if request.method == "GET":
        site = request.app.state.site.known(request)
        return await context.page(join_page(context.visit, game, room, seat, secret, site))
    form = await context.form()
    given = name_of(str(form.get("name", "")))
    name = given or room.holders[seat].name
    others = [chair.name for chair in (*room.holders[:seat], *room.holders[seat + 1 :])]
    shown = another_name(name, others)
    try:
        await context.tables.do(game, ask.Sit(seat, context.visitor.guest, shown, holder))
    except ask.Refused as taken:
        raise HTTPException(404, "no-such-chair") from taken
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
        return await context.page(settings_page(context.visit, local(request.query_params.get("back", "/"))))
    form = await context.form()
    saved = msgspec.structs.replace(context.visitor.saved, settings=settings_of(form))
    return await context.sealed(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)


def settings_of(form: FormData) -> Settings:
    """The settings a form asks for; what it cannot read keeps its default."""
    asked: dict[str, Any] = {}
    for field in fields(Settings):
        given = str(form.get(field.name, ""))
        if isinstance(field.default, bool):
            asked[field.name] = given in ("1", "on", "true")
        elif isinstance(field.default, float):
            value = seconds(given, field.default)
            asked[field.name] = within(LIMITS[field.name], value) if value != field.default else value
        elif given in get_args(get_type_hints(Settings)[field.name]):
            asked[field.name] = given
    return Settings(**asked)


def within(limits: tuple[float, float], value: float) -> float:
    """The value, or the limit that is nearest."""
    least, most = limits
    return min(most, max(least, value))


def seconds(text: str, default: float) -> float:
    """A number of seconds, or the default."""
    try:
        value = float(text)
    except ValueError:
        return default
    return value if value == value else default  # noqa: PLR0124  # not a number is not equal to itself


async def language(request: Request) -> Response:
    """French or English, from now on."""
    context = await Context.of(request)
    form = await context.form()
    chosen = str(form.get("language", ""))
    known = chosen if chosen in ("fr", "en") else context.visitor.saved.language
    saved = msgspec.structs.replace(context.visitor.saved, language=known)
    return await context.sealed(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)


def local(address: str) -> str:
    """An address of this site only."""
    if (
        not address.startswith("/")
        or address.startswith("//")
        or "\\" in address
        or not address.isprintable()
    ):
        return "/"
    return address
