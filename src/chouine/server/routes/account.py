"""Accounts: to make one, to sign in by a passkey, a card or an e-mail, and to sign browsers out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.phrases import N_, say
from chouine.server.accounts import card
from chouine.server.accounts.members import Credential
from chouine.server.accounts.merging import merge_guests
from chouine.server.accounts.passkeys import (
    PasskeyRefused,
    new_challenge,
    options_to_create,
    options_to_enter,
    party_of,
    read_new_passkey,
    read_sign_in,
)
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render
from chouine.server.personal import parts_of
from chouine.server.push.letters import HeldBack
from chouine.server.routes.context import Context
from chouine.server.routes.notifications import letters_of
from chouine.server.routes.request_context import NAME
from chouine.server.services import services_of
from chouine.server.visitors import Visitor, give_cookie, guest_visitor, take_guests_cookie

DONE = {
    "made": N_("Your account is made, and what you did in this browser is in it."),
    "in": N_("You are signed in."),
    "added": N_("Done: this signs you in too, from now on."),
    "remove": N_("Done: it signs nobody in any more."),
    "browser": N_("Done: that browser is signed out."),
    "others": N_("Done: you are signed out everywhere else."),
    "joined": N_("Done: it is all in your account."),
    "left": N_("You are signed out. Your account is where it was: come back when you like."),
    "sent": N_(
        "If letters can be sent to this address, one is on its way. Open its link in the browser in which you want to"
        " play; it works once, for half an hour."
    ),
}
"""What has just been done, by the name in the address."""
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""By a word of the header `User-Agent`; the first found counts, since browsers add those of others."""
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def rough_name(agent: str) -> str:
    """The browser and its system, such as `Firefox, Android`, without versions; empty if neither is known."""
    named = (
        next((name for word, name in known.items() if word in agent), "") for known in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))


PRIVATE = {"Cache-Control": "no-store"}
"""For pages with the words of a card."""


async def page(request: Request) -> Response:
    """What an account is for and the ways to one; or one's own. A post changes it."""
    context = await Context.of(request)
    if request.method == "GET":
        return await show(context, done=request.query_params.get("done", ""))
    form = await context.form()
    await context.count("signings")
    members, browsers = services_of(request).members, services_of(request).browsers
    what, which, guest = str(form.get("what", "")), str(form.get("which", "")), context.visitor.guest
    if what == "card":
        return await make_card(context)
    if not context.visitor.member:
        raise HTTPException(403, "signed-out")
    if what == "remove":
        await members.remove(guest, which)
    elif what == "browser" and which != context.visitor.stored:
        await browsers.sign_out(guest, only=which)
    elif what == "others":
        return await sign_others_out(context)
    elif what == "leave":
        await browsers.sign_out(guest, only=context.visitor.stored)
        response = RedirectResponse("/account?done=left", 303)
        former = await guest_visitor(context.tables.store, context.secrets, request)
        give_cookie(replace(former, ended=True), context.secrets, request, response)
        return response
    elif what == "join":
        former = await guest_visitor(context.tables.store, context.secrets, request)
        if not former.new:
            contests = services_of(request).contests
            await merge_guests(context.tables, contests, former.guest, guest, context.visitor.stored)
        response = RedirectResponse("/account?done=joined", 303)
        take_guests_cookie(context.secrets, request, response)
        return response
    return await context.go(f"/account?done={what if what in ('remove', 'browser') else ''}")


async def show(context: Context, *, done: str = "", refused: str = "", status: int = 200) -> Response:
    """The page of the visitor's account, or of the ways to one. `refused`: why the last try failed."""
    request, visitor = context.request, context.visitor
    services = services_of(request)
    credentials = await services.members.credentials(visitor.guest) if visitor.member else []
    kinds = {kind: [one for one in credentials if one.kind == kind] for kind in ("passkey", "card", "mail")}
    html = render(
        context.visit,
        "account/index.html",
        here="/account",
        kinds=kinds,
        passkeys=passkeys_of(context, kinds["passkey"]),
        browsers=await services.browsers.list_of(visitor.guest) if visitor.member else [],
        this=visitor.stored,
        joins=await has_more(context) if visitor.member else not visitor.new,
        letters=services.letters is not None,
        done=DONE.get(done, ""),
        refused=refused,
        when=context.visit.day_in_words,
    )
    return await context.page(html, status)


async def has_more(context: Context) -> bool:
    """Whether something is stored of who a member's browser would be without the account."""
    former = await guest_visitor(context.tables.store, context.secrets, context.request)
    return not former.new and any((await parts_of(context.tables.store, former.guest)).values())


def passkeys_of(context: Context, others: Sequence[Any]) -> dict[str, str] | None:
    """What the script asks a browser for, as JSON: to make a passkey, to sign in by one; None where none is made."""
    party = party_of(context.request)
    if party is None:
        return None
    held, visitor, now = context.secrets, context.visitor, context.tables.clock()
    make, enter = (new_challenge(held, visitor, now) for _ in range(2))
    name = visitor.saved.name or "Chouine"
    return {
        "make": options_to_create(party, make, held.handle(visitor.guest), name, others),
        "enter": options_to_enter(party, enter),
    }


async def make_card(context: Context) -> Response:
    """A new card to print or to photograph, shown once; for whoever has no account it makes one."""
    visitor, members = context.visitor, services_of(context.request).members
    if not visitor.member:
        context.limits.of_address("sessions", context.request.scope)
    guest = visitor.guest if visitor.member else await members.begin()
    secret = await members.add_card(guest)
    fresh = visitor if visitor.member else await enter(context, guest, joins=True)
    site = services_of(context.request).site.base(context.request)
    visit = replace(context.visit, csrf=context.secrets.csrf(fresh), member=True)
    words, code = (
        card.words_of(secret, visit.language),
        code_of(f"{site}/account/card/{card.text_of(secret)}"),
    )
    html = render(visit, "account/card.html", here="/account", words=words, code=code, site=site)
    response = HTMLResponse(html, headers=PRIVATE)
    return seal(context, fresh, response, joined=True)


async def sign_others_out(context: Context) -> Response:
    """Sign all other browsers out; this one goes on with another cookie, so that no copy of it is left either."""
    visitor, request = context.visitor, context.request
    await services_of(request).browsers.sign_out(visitor.guest, but=visitor.stored)
    fresh = await enter(context, visitor.guest, joins=False)
    return seal(context, fresh, RedirectResponse("/account?done=others", 303), joined=False)


async def enter(context: Context, guest: str, *, joins: bool) -> Visitor:
    """Sign the browser in to an account, by a cookie that nobody had before."""
    return await services_of(context.request).members.sign_in(
        guest,
        context.secrets.token(),
        rough_name(context.request.headers.get("user-agent", "")),
        context.visitor,
        joins=joins,
    )


def seal(context: Context, fresh: Visitor, response: Response, *, joined: bool) -> Response:
    """The response with the account's cookie, and without the other one if all that was its own has `joined`."""
    give_cookie(fresh, context.secrets, context.request, response)
    if joined and not context.visitor.member:
        take_guests_cookie(context.secrets, context.request, response)
    return response


async def words(request: Request) -> Response:
    """Sign in by the twelve words of a card."""
    context = await Context.of(request)
    form = await context.form()
    await context.count("signings")
    secret = card.secret_in(str(form.get("words", "")))
    if secret is None:
        return await refuse(context, "account/no-words", 422)
    return await by_card(context, secret, joins=bool(form.get("joins")))


async def by_code(request: Request) -> Response:
    """The address in a card's QR code: say whose it is; a post signs in."""
    context = await Context.of(request)
    secret = card.secret_written(str(request.path_params["secret"]))
    await context.count("signings")
    members = services_of(request).members
    row = await members.holder(card.digest_of(secret)) if secret else None
    if secret is None or row is None:
        return await refuse(context, "account/no-card", 403)
    if request.method == "GET":
        return await ask_whether(context, await members.name_of(row.guest))
    return await by_card(context, secret, joins=bool((await context.form()).get("joins")))


async def ask_whether(context: Context, whose: str) -> Response:
    """The question whether to sign in as the person `whose` link was followed, empty if they gave no name."""
    path, new = context.request.url.path, context.visitor.new
    return await context.show("account/enter.html", "/account", path=path, whose=whose, new=new)


async def by_card(context: Context, secret: bytes, *, joins: bool) -> Response:
    """Sign in by a card's secret."""
    members, which = services_of(context.request).members, card.digest_of(secret)
    row = await members.holder(which)
    if row is None or not await members.note_use(which):
        return await refuse(context, "account/no-card", 403)
    return await let_in(context, row.guest, joins=joins)


async def let_in(context: Context, guest: str, *, joins: bool, done: str = "in") -> Response:
    """Sign in, and show the account."""
    fresh = await enter(context, guest, joins=joins)
    return seal(context, fresh, RedirectResponse(f"/account?done={done}", 303), joined=joins)


async def refuse(context: Context, code: str, status: int) -> Response:
    """The page of accounts with the reason why nobody was signed in."""
    return await show(context, refused=say(code, context.visit.language), status=status)


async def passkey(request: Request) -> Response:
    """What a browser answers for a passkey that it has made, or by which it signs in."""
    context, party = await Context.of(request), party_of(request)
    form = await context.form()
    await context.count("signings")
    if party is None:
        raise HTTPException(404)
    members, answer = services_of(request).members, str(form.get("answer", ""))
    try:
        if form.get("what") != "make":
            guest = await read_sign_in(members, context.secrets, context.visitor, party, answer)
            return await let_in(context, guest, joins=bool(form.get("joins")))
        made = await read_new_passkey(members, context.secrets, context.visitor, party, answer)
    except PasskeyRefused as error:
        return await refuse(context, error.code, 403)
    device = rough_name(request.headers.get("user-agent", ""))
    return await add(context, replace(made, label=device))


async def add(context: Context, one: Credential) -> Response:
    """Let something sign the visitor in; whoever has no account has one then."""
    members = services_of(context.request).members
    if context.visitor.member:
        await members.add(context.visitor.guest, one)
        return await context.go("/account?done=added")
    context.limits.of_address("sessions", context.request.scope)
    guest = await members.begin()
    await members.add(guest, one)
    return await let_in(context, guest, joins=True, done="made")


async def letter(request: Request) -> Response:
    """Send a link that signs in, whether anybody has an account by this address or not."""
    context, letters = await Context.of(request), letters_of(request)
    form = await context.form()
    await context.count("signings")
    try:
        await letters.send_passage(
            str(form.get("address", "")).strip(), context.visit.language, context.origin
        )
    except ValueError as error:
        raise HTTPException(400, "no-address") from error
    except HeldBack as error:
        raise HTTPException(429, "letters-held") from error
    return await context.go("/account?done=sent")


async def by_letter(request: Request) -> Response:
    """The link in an e-mail: say which address it signs in; a post does it, once."""
    context, letters = await Context.of(request), letters_of(request)
    secret = str(request.path_params["secret"])
    post = request.method == "POST"
    form = await context.form() if post else None
    address = await letters.signing_in_address(secret, use=post) if NAME.fullmatch(secret) else ""
    if not address:
        return await refuse(context, "account/no-link", 403)
    if form is None:
        return await ask_whether(context, address)
    members, which = services_of(request).members, context.secrets.signs_in(address)
    row = await members.holder(which)
    if row is None:
        return await add(context, Credential("mail", which, address))
    await members.note_use(which)
    return await let_in(context, row.guest, joins=bool(form.get("joins")))
