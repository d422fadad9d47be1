"""People: one's circle, the page of each, friends, challenges, and who is here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.errors import ChouineError
from chouine.phrases import N_, say, translations
from chouine.rules import Rules
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.known import CHOICES, KnownPerson, others_to_challenge
from chouine.server.circle.people import People, PeopleRefused
from chouine.server.forms import LONGEST_CLOCK, name_of, number_of, settings_of
from chouine.server.pages.people import (
    Circle,
    circle_list,
    circle_page,
    invited_page,
    link_page,
    own_page,
    person_page,
)
from chouine.server.pages.rating import shown_sentences
from chouine.server.pages.words import words_of
from chouine.server.push.letters import CHALLENGED, TURN
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import partners_at
from chouine.server.services import services_of
from chouine.table.state import Phase

SENT = N_("The challenge is sent. Here you see the answer; the table opens once it is accepted.")
ASKED = N_("Your request is sent. It stands on the other one's page “My circle” until it is answered.")
WAITED = 600.0
"""Seconds for which the circle leads a challenger to the table that an answer opened."""


def people_at(context: Context) -> People:
    return services_of(context.request).people


def challenges_at(context: Context) -> Challenges:
    return Challenges(people_at(context))


async def circle(request: Request) -> Response:
    """The visitor's circle; a post answers a request or a challenge, or changes what friends see."""
    context, refused = await Context.of(request), ""
    if request.method == "POST":
        form = await context.form()
        await context.count("circle")
        try:
            return await context.go(await carry_out(context, form))
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    html = circle_page(context.visit, await circle_of(context), refused, done_in(context))
    return await context.page(html, 422 if refused else 200)


async def lists(request: Request) -> Response:
    """The circle's lists alone, as pages reload them."""
    context = await Context.of(request)
    return HTMLResponse(circle_list(context.visit, await circle_of(context)))


async def circle_of(context: Context) -> Circle:
    """The visitor's circle; nothing is read of, or stored for, who has no cookie."""
    people, guest = people_at(context), context.visitor.guest
    if context.visitor.new:
        return Circle((), (), (), (), (), {}, present=True)
    bonds = await people.bonds(guest)
    challenges = challenges_at(context)
    own = await people.read_own(guest)
    opponents = await people.opponents(guest, bonds, keep=not context.head)
    return Circle(
        friends=await people.friends(bonds),
        asking=await people.askers(bonds),
        opponents=[one for one in opponents if one.relation != "friend"],
        received=await challenges.offers_to(guest),
        sent=await challenges.offers_by(guest),
        blocked=await partners_at(context).blocked_guests(guest),
        present=own.present,
        onward=await challenges.opened_for(guest, context.tables.clock() - WAITED),
    )


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
    """The table that the visitor's challenge has opened; it is then put away."""
    context = await Context.of(request)
    challenges, guest = challenges_at(context), context.visitor.guest
    table_id = await challenges.opened_for(guest, context.tables.clock() - WAITED)
    if not table_id:
        return await context.go("/circle")
    if not context.head:
        for one in await challenges.offers_by(guest):
            if one.table_id == table_id:
                await challenges.drop(guest, one.id)
    return await context.go(f"/table/{table_id}")


async def person(request: Request) -> Response:
    """A person's page, or one's own; a post asks, challenges, blocks, or changes one's own."""
    context, refused = await Context.of(request), ""
    people, guest = people_at(context), context.visitor.guest
    found = await people.find(guest, str(request.path_params["id"]))
    if found is None:
        raise HTTPException(404, "no-such-person")
    other, one = found
    if one.relation == "self":
        return await own(context)
    if request.method == "POST":
        form = await context.form()
        try:
            return await context.go(await deal_with(context, other, one, form))
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    services = services_of(request)
    standing = (
        []
        if one.blocked
        else await shown_sentences(services.tables.store, services.reviews, other, words_of(context.visit))
    )
    page = person_page(context.visit, one, standing, refused, done_in(context))
    return await context.page(page, 422 if refused else 200)


async def own_address(request: Request) -> Response:
    """Lead to the visitor's own page, which is made if there is none."""
    context = await Context.of(request)
    if context.visitor.new or context.head:
        return await context.go("/circle")
    mine = await people_at(context).own(context.visitor.guest, context.visit.name)
    return await context.go(f"/people/{mine.id}")


async def own(context: Context) -> Response:
    """One's own page; a post changes it, and the name at tables with it."""
    people, guest, refused = people_at(context), context.visitor.guest, ""
    if context.request.method == "POST":
        form = await context.form()
        await context.count("profiles")
        try:
            name, picture = name_of(str(form.get("name", ""))), settings_of(form).emblem
            if not name:
                raise PeopleRefused("people/no-name")
            choices = {each: str(form.get(f"shows_{each}", "")) for each in CHOICES}
            await people.change(guest, name, str(form.get("village", "")), picture, choices)
            before = context.visitor.saved
            settings = replace(before.settings, emblem=picture)
            saved = msgspec.structs.replace(before, name=name, settings=settings)
            return await context.seal(RedirectResponse(f"{context.request.url.path}?done=1", 303), saved)
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    mine = await people.read_own(guest)
    done = "done" in context.request.query_params
    return await context.page(own_page(context.visit, mine, refused, done=done), 422 if refused else 200)


async def deal_with(context: Context, other: str, one: KnownPerson, form: FormData) -> str:
    """Do what a form on a person's page asks; returns where to go. Raises `ChouineError`."""
    people, guest = people_at(context), context.visitor.guest
    here = f"/people/{one.id}"
    match form.get("what"):
        case "ask":
            await context.admit("strangers")
            await context.count("asks")
            await own_named(context)
            await people.ask(guest, other)
            return f"{here}?done=asked"
        case "accept":
            await context.count("circle")
            await people.accept(guest, other)
        case "decline":
            await context.count("circle")
            await people.decline(guest, other)
            return "/circle"
        case "undo":
            await context.count("circle")
            await people.undo(guest, other)
        case "block":
            await context.count("blocks")
            await partners_at(context).block(guest, other, one.name)
        case "challenge":
            await challenge(context, (other,), terms_in(form))
            return "/circle?done=sent"
    return here


def terms_in(form: FormData) -> Terms:
    """The terms that a form names. Raises `ChouineError` for rules that do not exist."""
    move, _, reserve = str(form.get("pace", "")).partition(" ")
    rules = Rules.parse(str(form.get("rules", "classic"))[:300])
    seconds, kept = (number_of(text, LONGEST_CLOCK) or 0 for text in (move, reserve))
    return Terms(str(rules), str(form.get("format", "3x1"))[:16], seconds, kept)


async def challenge(context: Context, others: Iterable[str], terms: Terms) -> None:
    """Challenge others, and tell them. Raises `ChouineError`."""
    await context.admit("strangers")
    await context.count("challenges")
    await own_named(context)
    _, told = await challenges_at(context).send(context.visitor.guest, [*others], terms)
    await tell(context, told, "/circle", CHALLENGED)


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


async def challenge_again(request: Request) -> Response:
    """Challenge the people of a finished match to another on the same terms, or accept what they offer already."""
    context = await Context.of(request)
    await context.form()
    _, played = await context.table()
    guest = context.visitor.guest
    others = others_to_challenge(played.holders, guest) if played.phase is Phase.OVER else {}
    if not others:
        raise HTTPException(404, "no-such-seat")
    try:
        await context.admit("strangers")
        await context.count("challenges")
        people = people_at(context)
        await people.ids(others)
        await own_named(context)
        terms = Terms.of(played.opened)
        table_id, told = await challenges_at(context).offer_again(guest, [*others], terms)
        await tell(
            context, told, f"/table/{table_id}" if table_id else "/circle", TURN if table_id else CHALLENGED
        )
        return await context.go(f"/table/{table_id}" if table_id else "/circle?done=sent")
    except ChouineError as error:
        refused = say(error.code, context.visit.language, **error.data)
        return await context.page(circle_page(context.visit, await circle_of(context), refused), 422)


async def link(request: Request) -> Response:
    """The visitor's link that makes friends; a post makes a new one."""
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
    return await context.page(link_page(context.visit, address, until))


async def accept_link(request: Request) -> Response:
    """A link that makes friends: who invites; a post accepts."""
    context, refused = await Context.of(request), ""
    people, guest, secret = people_at(context), context.visitor.guest, str(request.path_params["secret"])
    one = await people.inviter(guest, secret)
    if one is None:
        raise HTTPException(404, "no-such-friend")
    if request.method == "POST":
        form = await context.form()
        await context.count("circle")
        try:
            await context.admit("strangers")
            name = name_of(str(form.get("name", ""))) or context.visit.name
            if not name:
                raise PeopleRefused("people/no-name")
            await people.own(guest, name)
            await people.accept_link(guest, secret)
            saved = msgspec.structs.replace(context.visitor.saved, name=context.visit.name or name)
            return await context.seal(RedirectResponse("/circle", 303), saved)
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    return await context.page(invited_page(context.visit, secret, one, refused), 422 if refused else 200)
