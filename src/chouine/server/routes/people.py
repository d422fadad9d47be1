"""A person's page, one's own, and challenges to another match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.names import NAME_LENGTH
from chouine.phrases import N_
from chouine.rules import Rules
from chouine.server.circle.challenges import Terms
from chouine.server.circle.known import (
    CHOICES,
    ITEMS,
    VILLAGE_LENGTH,
    KnownPerson,
    others_to_challenge,
)
from chouine.server.circle.people import PeopleRefused
from chouine.server.forms import LONGEST_CLOCK, name_of, number_of, settings_of
from chouine.server.pages import wording
from chouine.server.pages.portraits import emblem
from chouine.server.pages.settings import emblems_in
from chouine.server.pages.words import words_of
from chouine.server.push.letters import CHALLENGED, TURN
from chouine.server.routes.circle import (
    FORMATS,
    PACES,
    challenges_at,
    circle_page,
    done_in,
    own_named,
    people_at,
    tell,
)
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import partners_at
from chouine.server.routes.standing import shown_sentences
from chouine.server.services import services_of
from chouine.table.state import Phase

LABELS = {
    "name": N_("Your name"),
    "village": N_("Your village"),
    "emblem": N_("Your emblem"),
    "since": N_("Since when you have played here"),
    "challenged_by": N_("Who may challenge me"),
}
ANSWERS = {
    "nobody": N_("nobody"),
    "friends": N_("your friends"),
    "met": N_("your opponents and friends"),
    "everybody": N_("whoever has the address"),
}
PRESETS = ("classic", "mondoubleau")
"""The rules for two."""


async def person(request: Request) -> Response:
    """A person's page, or one's own; a post asks, challenges, blocks, or changes one's own."""
    context = await Context.of(request)
    people, guest = people_at(context), context.visitor.guest
    found = await people.find(guest, str(request.path_params["id"]))
    if found is None:
        raise HTTPException(404, "no-such-person")
    other, one = found
    if one.relation == "self":
        return await own(context)
    if request.method == "POST":
        form = await context.form()
        with context.refusals():
            return await context.go(await deal_with(context, other, one, form))
    services = services_of(request)
    standing = (
        []
        if one.blocked
        else await shown_sentences(services.tables.store, services.reviews, other, words_of(context.visit))
    )
    return await context.show(
        "people/person.html",
        f"/people/{one.id}",
        one=one,
        standing=standing,
        done=done_in(context),
        since=context.visit.day_in_words(one.since) if one.since else "",
        portrait=emblem(one.emblem),
        paces=PACES,
        presets={preset: wording.PRESETS[preset][0] for preset in PRESETS},
        formats=FORMATS,
    )


async def own_address(request: Request) -> Response:
    """Lead to the visitor's own page, which is made if there is none."""
    context = await Context.of(request)
    if context.visitor.new or context.head:
        return await context.go("/circle")
    mine = await people_at(context).own(context.visitor.guest, context.visit.name)
    return await context.go(f"/people/{mine.id}")


async def own(context: Context) -> Response:
    """One's own page; a post changes it, and the name at tables with it."""
    people, guest = people_at(context), context.visitor.guest
    if context.request.method == "POST":
        form = await context.form()
        await context.count("profiles")
        with context.refusals():
            name, picture = name_of(str(form.get("name", ""))), settings_of(form).emblem
            if not name:
                raise PeopleRefused("people/no-name")
            choices = {each: str(form.get(f"shows_{each}", "")) for each in CHOICES}
            await people.change(guest, name, str(form.get("village", "")), picture, choices)
            before = context.visitor.saved
            settings = replace(before.settings, emblem=picture)
            saved = msgspec.structs.replace(before, name=name, settings=settings)
            return await context.seal(RedirectResponse(f"{context.request.url.path}?done=1", 303), saved)
    mine = await people.read_own(guest)
    return await context.show(
        "people/own.html",
        f"/people/{mine.id}",
        own=mine,
        done="done" in context.request.query_params,
        since=context.visit.day_in_words(mine.since),
        emblems=emblems_in(context.visit),
        items=(*ITEMS, "challenged_by"),
        labels=LABELS,
        answers=ANSWERS,
        choices=CHOICES,
        name_length=NAME_LENGTH,
        village_length=VILLAGE_LENGTH,
    )


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


async def challenge_again(request: Request) -> Response:
    """Challenge the people of a finished match to another on the same terms, or accept what they offer already."""
    context = await Context.of(request)
    await context.form()
    _, played = await context.table()
    guest = context.visitor.guest
    others = others_to_challenge(played.holders, guest) if played.phase is Phase.OVER else {}
    if not others:
        raise HTTPException(404, "no-such-seat")
    with context.refusals():
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
    return await circle_page(context)
