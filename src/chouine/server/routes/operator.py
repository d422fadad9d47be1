"""The keeper's page, what the keeper told a visitor, and reports of any stranger's words."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from hmac import compare_digest

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.names import one_line
from chouine.phrases import N_, date_in_words
from chouine.phrases.naming import hour_in_words
from chouine.server.forms import number_of
from chouine.server.order import REASON, KeeperActs, KeeperDecision, OrderRefused
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.partners import reported_at
from chouine.server.request_parts import cookie_in
from chouine.server.routes.context import Context
from chouine.server.routes.request_context import NAME
from chouine.server.services import services_of
from chouine.server.visitors import COOKIE_OF_HTTPS, cookie_of

ACTS = {
    "settle": N_("Nothing: report closed"),
    "warn": N_("Warn"),
    "rename": N_("Replace the name or the title"),
    "remove": N_("Remove: the match, the entry, the wait or the contest"),
    "bar": N_("Bar the player"),
    "bar-address": N_("Bar the player and the address"),
}
REASONS = {
    "name": N_("An insulting name"),
    "delay": N_("Lets the other wait on purpose, or leaves"),
    "other": N_("Something else"),
}
MOST_WORDS = 300
PAGES = {"table": "/match/", "contest": "/contests/"}


def hour_of(visit: Visit, at: float) -> str:
    """A day of the calendar and its hour, in the visitor's time zone and language."""
    moment = datetime.fromtimestamp(at, UTC).astimezone(visit.zone)
    return f"{date_in_words(moment, visit.language)}, {hour_in_words(moment, visit.language)}"


KNOWN = "known"
"""In the printed link's address once the browser was given a cookie."""
SIGNED_IN = 12 * 3600
"""Seconds for which a browser that came by the link may open the page."""
DAYS = 3650
"""Most days of a bar."""


async def enter(request: Request) -> Response:
    """The printed link: it opens the page for the first browser that follows it, and for no other.

    A new browser is given its cookie first: without one it could not be known again if the answer is lost.
    """
    context = await Context.of(request)
    secret, guest = str(request.path_params["secret"]), context.visitor.guest
    if context.visitor.new and not context.head:
        if KNOWN in request.query_params:
            raise HTTPException(403, "no-cookies")
        return await context.go(f"{request.url.path}?{KNOWN}")
    if context.head or not await services_of(request).board.order.use_link(secret, guest):
        raise HTTPException(403, "not-operator")
    until = f"{context.tables.clock() + SIGNED_IN:.0f}"
    return give_key(context, await context.go("/operator"), context.secrets.operator(guest, until))


def key_name(request: Request) -> str:
    """The name of the cookie that opens the page."""
    return f"{cookie_of(request)}-operator-{services_of(request).secrets.instance}"


def give_key(context: Context, response: Response, key: str) -> Response:
    """The response, with the cookie that opens the page; an empty one opens nothing."""
    secure, name = cookie_of(context.request) == COOKIE_OF_HTTPS, key_name(context.request)
    response.set_cookie(name, key, SIGNED_IN if key else 0, secure=secure, httponly=True, samesite="lax")
    return response


async def page(request: Request) -> Response:
    """Reports, names, contests, and what was decided; a post decides, or closes the page for this browser."""
    context = await Context.of(request)
    order, key = services_of(request).board.order, cookie_in(request, key_name(request))
    until = key.partition(".")[0]
    right = context.secrets.operator(context.visitor.guest, until)
    if not compare_digest(key.encode(), right.encode()) or float(until) < context.tables.clock():
        raise HTTPException(403, "not-operator")
    if request.method == "POST":
        form = await context.form()
        if form.get("what") == "leave":
            return give_key(context, RedirectResponse("/", 303), "")
        with context.refusals():
            await carry_out(order, form)
            return await context.go("/operator")
    reports = [(one, await order.target(one.id)) for one in await services_of(request).partners.reports()]
    public, rulings, now = await order.public_words(), await order.rulings(), context.tables.clock()
    return await context.show(
        "operator/index.html",
        "/operator",
        reports=reports,
        public=public,
        rulings=rulings,
        now=now,
        acts=ACTS,
        pages=PAGES,
        reasons=REASONS,
        longest=REASON,
        reported_at=reported_at,
        when=partial(hour_of, context.visit),
    )


async def carry_out(order: KeeperActs, form: FormData) -> None:
    """Do the act that the form names. Raises `ChouineError`."""
    what, reason = str(form.get("what", "")), one_line(str(form.get("reason", "")), REASON)
    target, reported = str(form.get("target", "")), str(form.get("report", ""))
    if what == "lift":
        await order.lift(target, reason)
        return
    if what not in ACTS:
        raise OrderRefused("order/nobody", text=what[:60])
    act, _, beside = what.partition("-")
    days = number_of(str(form.get("days", "")), DAYS) or 7
    decision = KeeperDecision(act, reason, str(form.get("name", "")), days, address=beside == "address")
    await order.decide(await order.target(reported or target), decision, reported)


async def notices(request: Request) -> Response:
    """What the keeper told this visitor; a post says that it was read, perhaps with an answer."""
    context, board = await Context.of(request), services_of(request).board
    if request.method == "POST":
        form = await context.form()
        words = one_line(str(form.get("answer", "")), REASON)
        await board.order.answer(context.visitor.guest, str(form.get("ruling", "")), words)
        await board.look()
        return await context.go("/told")
    rulings, now = await board.order.rulings(context.visitor.guest), context.tables.clock()
    when = partial(hour_of, context.visit)
    return await context.show(
        "operator/told.html", "/told", rulings=rulings, now=now, longest=REASON, when=when
    )


async def report(request: Request) -> Response:
    """The words of others at a table, in a contest, on the list of who waits; a post reports one to the keeper."""
    context, services, done = await Context.of(request), services_of(request), False
    place, which, guest = *map(str, request.path_params.values()), context.visitor.guest
    found = await services.board.order.words_at(place, which) if NAME.fullmatch(which) else []
    others = {str(one): one for one in found if one.guest != guest}
    if not found and place != "waiting":
        raise HTTPException(404)
    if request.method == "POST":
        form = await context.form()
        one = others.get(str(form.get("target", "")))
        if one is None:
            raise HTTPException(404)
        await context.count("reports")
        number, words = one.number - (place == "table"), one_line(str(form.get("words", "")), MOST_WORDS)
        reason = next((reason for reason in REASONS if reason == form.get("reason")), "other")
        await services.partners.report(
            guest, one.which, number, one.name, reason, words, place=place, other=one.guest
        )
        done = True
    words_of_visit = words_of(context.visit)
    return await context.show(
        "operator/report.html",
        f"/report/{place}/{which}",
        back=f"{PAGES[place]}{which}" if place in PAGES else "/partners",
        others={
            key: words_of_visit.player(one.name, one.number - 1) if place == "table" else one.name
            for key, one in others.items()
        },
        done=done,
        reasons=REASONS,
        most_words=MOST_WORDS,
    )
