"""One's circle: friends, last opponents, challenges, who is here, and the link that makes friends."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.days import day_of
from chouine.names import NAME_LENGTH
from chouine.phrases import N_, translations
from chouine.phrases.naming import hour_in_words
from chouine.rules import Rules
from chouine.server.circle.challenges import Challenges
from chouine.server.circle.known import (
    HERE,
    Challenge,
)
from chouine.server.circle.people import People, PeopleRefused
from chouine.server.forms import name_of
from chouine.server.pages import wording
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render
from chouine.server.pages.portraits import emblem
from chouine.server.pages.visit import Visit
from chouine.server.partners import calls
from chouine.server.push.letters import TURN
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import partners_at
from chouine.server.services import services_of

SECONDS = 5
"""Seconds after which the circle is fetched again."""
PACES = {"60 300": N_("Tonight, a minute a card"), "86400 172800": N_("A slow match, one day a card")}
"""The paces of a challenge: seconds for each card, and in reserve."""
FORMATS = {
    "3x1": N_("First to three parties"),
    "5x1": N_("First to five parties"),
    "1x1": N_("A single partie"),
}
SENT = N_("The challenge is sent. Here you see the answer; the table opens once it is accepted.")
ASKED = N_("Your request is sent. It stands on the other one’s page “Your circle” until it is answered.")
LISTS = ("friends", "asking", "opponents", "received", "sent", "blocked")
WAITED = 600.0
"""Seconds for which the circle leads a challenger to the table that an answer opened."""


def terms_of(challenge: Challenge) -> list[str]:
    """A challenge's terms as msgids: rules, length, pace."""
    rules = Rules.parse(challenge.rules)
    pace = next((name for move, name in wording.MOVES.items() if move == str(challenge.move or "")), "")
    own = next((name for value, name in PACES.items() if value.split()[0] == str(challenge.move)), "")
    length = FORMATS.get(challenge.format) or wording.FORMATS.get(challenge.format, challenge.format)
    return [wording.PRESETS[rules.preset][0], length, *filter(None, [own or pace])]


def hour_of_day(visit: Visit, at: float) -> str:
    """A time as an hour, with its date unless it is within a day."""
    then, now = datetime.fromtimestamp(at, visit.zone), datetime.now(visit.zone)
    hour = hour_in_words(then, visit.language)
    today = day_of(then, visit.zone) == day_of(now, visit.zone)
    return hour if today else f"{visit.day_in_words(at)}, {hour}"


def people_at(context: Context) -> People:
    return services_of(context.request).people


def challenges_at(context: Context) -> Challenges:
    return Challenges(people_at(context))


async def circle(request: Request) -> Response:
    """The visitor's circle; a post answers a request or a challenge, or changes what friends see."""
    context = await Context.of(request)
    if request.method == "POST":
        form = await context.form()
        await context.count("circle")
        with context.refusals():
            return await context.go(await carry_out(context, form))
    return await circle_page(context, done_in(context))


async def lists(request: Request) -> Response:
    """The circle's lists alone, as pages reload them."""
    context = await Context.of(request)
    shown = await circle_variables(context)
    return HTMLResponse(render(context.visit, "people/lists.html", "/circle", **shown))


async def circle_page(context: Context, done: str = "") -> Response:
    """The circle. `done`: what the last form did, in words."""
    shown = await circle_variables(context)
    return await context.show("people/circle.html", "/circle", done=done, **shown)


async def circle_variables(context: Context) -> dict[str, object]:
    """What the circle and its lists show; nothing is read of, or stored for, who has no cookie."""
    people, guest, visit = people_at(context), context.visitor.guest, context.visit
    circle: dict[str, object] = dict.fromkeys(LISTS, ()) | {"present": True, "onward": ""}
    if not context.visitor.new:
        bonds, challenges = await people.bonds(guest), challenges_at(context)
        opponents = await people.opponents(guest, bonds, keep=not context.head)
        circle = {
            "present": (await people.read_own(guest)).present,  # whether friends see when the visitor is here
            "friends": await people.friends(bonds),
            "asking": await people.askers(bonds),
            "opponents": [one for one in opponents if one.relation != "friend"],
            "received": await challenges.offers_to(guest),
            "sent": await challenges.offers_by(guest),
            "blocked": await partners_at(context).blocked_guests(guest),
            "onward": await challenges.opened_for(guest, context.tables.clock() - WAITED),
        }
    return {
        "circle": circle,
        "seconds": SECONDS,
        "here_minutes": int(HERE / 60),
        "terms_of": terms_of,
        "until": lambda at: hour_of_day(visit, at),
        "portrait": emblem,
    }


def done_in(context: Context) -> str:
    """What the form before this page did, in words; empty for nothing that must be said."""
    sentence = {"sent": SENT, "asked": ASKED}.get(context.request.query_params.get("done", ""), "")
    return translations(context.visit.language).gettext(sentence) if sentence else ""


async def carry_out(context: Context, form: FormData) -> str:
    """Carry out a form of the circle; returns where to go. Raises `ChouineError`."""
    people, guest, which = people_at(context), context.visitor.guest, str(form.get("which", ""))
    match form.get("what"):
        case "accept":
            await context.admit("strangers")
            await own_named(context)
            table_id, told = await challenges_at(context).accept(guest, which)
            await tell(context, told, f"/table/{table_id}", TURN)
            return f"/table/{table_id}" if table_id else "/circle"
        case "decline":
            await challenges_at(context).decline(guest, which)
        case "drop":
            await challenges_at(context).drop(guest, which)
        case "presence":
            await people.own(guest, context.visit.name)
            await people.show_presence(guest, present=form.get("present") == "1")
        case "unblock":
            await partners_at(context).unblock(guest, which)
    return "/circle"


async def table(request: Request) -> Response:
    """The table that the visitor's challenge has opened. It is then put away, but leads there until they have drawn."""
    context = await Context.of(request)
    challenges, guest = challenges_at(context), context.visitor.guest
    since = context.tables.clock() - WAITED
    table_id = await challenges.opened_for(guest, since)
    if not table_id:  # the answer that led there may have been lost
        led = await challenges.opened_for(guest, since, told=True)
        waits = bool(led) and await calls(context.tables, led, guest)
        return await context.go(f"/table/{led}" if waits else "/circle")
    if not context.head:
        for one in await challenges.offers_by(guest):
            if one.table_id == table_id:
                await challenges.drop(guest, one.id)
    return await context.go(f"/table/{table_id}")


async def link(request: Request) -> Response:
    """The visitor's link that makes friends, as text and as a code; a post makes a new one."""
    context = await Context.of(request)
    if request.method == "POST":
        await context.form()
        await context.count("circle")
    if context.visitor.new:
        return await context.go("/circle")
    people, guest = people_at(context), context.visitor.guest
    secret, until = "", context.tables.clock()
    if not ((await people.read_own(guest)).name or context.visit.name):
        return await context.go("/circle/me")  # whoever opens the link is to know whose it is
    if not context.head:
        await own_named(context)
        secret, until = await people.link(guest, fresh=request.method == "POST")
    address = f"{services_of(request).site.base(request)}/friend/{secret}"
    day, code = context.visit.day_in_words(until), code_of(address)
    return await context.show("people/link.html", "/circle/link", address=address, code=code, until=day)


async def accept_link(request: Request) -> Response:
    """A link that makes friends: who invites; a post accepts."""
    context = await Context.of(request)
    people, guest, secret = people_at(context), context.visitor.guest, str(request.path_params["secret"])
    one = await people.inviter(guest, secret)
    if one is None:
        raise HTTPException(404, "no-such-friend")
    if request.method == "POST":
        form = await context.form()
        await context.count("circle")
        with context.refusals():
            await context.admit("strangers")
            name = name_of(str(form.get("name", ""))) or context.visit.name
            if not name:
                raise PeopleRefused("people/no-name")
            await people.own(guest, name)
            await people.accept_link(guest, secret)
            saved = msgspec.structs.replace(context.visitor.saved, name=context.visit.name or name)
            return await context.seal(RedirectResponse("/circle", 303), saved)
    here = f"/friend/{secret}"
    return await context.show("people/invited.html", here, one=one, name_length=NAME_LENGTH)


async def own_named(context: Context) -> None:
    """Make sure that others see a name of the visitor's. Raises `PeopleRefused` if they have given none."""
    own = await people_at(context).own(context.visitor.guest, context.visit.name)
    if not own.name:
        raise PeopleRefused("people/no-name")


async def tell(context: Context, guests: Iterable[str], path: str, words: tuple[str, str]) -> None:
    """Tell guests of a challenge, or of the table that it opened, where they asked to be told of turns."""
    turns = services_of(context.request).turns
    if turns is None:
        return
    for guest in guests:
        await turns.tell(guest, path)
        if turns.letters is not None:
            await turns.letters.tell(guest, path, words)
