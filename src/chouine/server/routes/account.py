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
from chouine.server.accounts.members import Credential, SignedOut
from chouine.server.accounts.merging import merge_guests
from chouine.server.accounts.passkeys import (
    PasskeyRefused,
    is_added,
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
from chouine.server.push.letters import Letters
from chouine.server.routes.context import Context
from chouine.server.routes.notifications import letters_of
from chouine.server.routes.request_context import NAME
from chouine.server.services import services_of
from chouine.server.visitors import (
    BY,
    Visitor,
    give_cookie,
    guest_visitor,
    lead_with_next_cookie,
    live_next_token,
    take_guests_cookie,
)

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
        "If e-mails can be sent to this address, one is on its way. Open its link in the browser in which you want to"
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
    for what, act in BY_NEXT_COOKIE.items():
        if token := await context.token_to_take(what):
            await context.count("signings")
            return await act(context, token)
    if (way := await way_in(context))[0]:
        return await enter_by(context, *way)
    if request.method == "GET":
        return await show(context, done=request.query_params.get("done", ""))
    if context.visitor.ended:  # by this very form perhaps, whose answer was lost
        return await context.go("/account?done=left")
    form = await context.form()
    members, browsers = services_of(request).members, services_of(request).browsers
    what, which, guest = str(form.get("what", "")), str(form.get("which", "")), context.visitor.guest
    if what == ("others" if context.visitor.member else "card"):  # it is counted where it is done
        return await lead_with_next_cookie("/account", what, context.secrets, request)
    await context.count("signings")
    if what == "card" and context.visitor.member:
        return await make_card(context, context.visitor.token)
    if not context.visitor.member:
        raise HTTPException(403, "signed-out")
    if what == "remove":
        await members.remove(guest, which)
    elif what == "browser" and which != context.visitor.stored:
        await browsers.sign_out(guest, only=which)
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
        done=DONE.get(done, "") if done == "sent" or (done == "left") != visitor.member else "",
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


async def make_card(context: Context, token: str) -> Response:
    """A new card to print or to photograph, shown once; for whoever has no account it makes one.

    `token`: the cookie by which the browser is signed in then.
    """
    visitor, members = context.visitor, services_of(context.request).members
    if not visitor.member:
        context.limits.of_address("sessions", context.request.scope)
    guest = visitor.guest if visitor.member else await members.begin(context.secrets.account(token))
    fresh = visitor if visitor.member else await enter(context, guest, token, joins=True)
    secret = await members.add_card(guest)
    site = services_of(context.request).site.base(context.request)
    visit = replace(context.visit, csrf=context.secrets.csrf(fresh), member=True)
    words, code = (
        card.words_of(secret, visit.language),
        code_of(f"{site}/account/card/{card.text_of(secret)}"),
    )
    html = render(visit, "account/card.html", here="/account", words=words, code=code, site=site)
    response = HTMLResponse(html, headers=PRIVATE)
    return seal(context, fresh, response, joined=True)


async def sign_others_out(context: Context, token: str) -> Response:
    """Sign all other browsers out; this one goes on with another cookie, so that no copy of it is left either."""
    fresh, visitor = context.visitor, context.visitor
    if not visitor.member:
        raise HTTPException(403, "signed-out")
    if visitor.token != token:  # else this was done before, and its answer lost
        fresh = await enter(context, visitor.guest, token, joins=False)
    await services_of(context.request).browsers.sign_out(visitor.guest, but=fresh.stored)
    return seal(context, fresh, RedirectResponse("/account?done=others", 303), joined=False)


BY_NEXT_COOKIE = {"card": make_card, "others": sign_others_out}
"""What is done once the browser has the cookie with which it goes on."""


WAYS = {"in": (False, "in"), "join": (True, "in"), "make": (True, "made")}
"""Whether what was the browser's own joins the account, and what is said then, by how it signs in."""


async def lead_in(context: Context, by: str, what: str, path: str = "/account") -> Response:
    """Lead to the page that signs in by a credential, which may be asked for again if its answer is lost."""
    return await lead_with_next_cookie(path, what, context.secrets, context.request, by)


async def way_in(context: Context) -> tuple[str, str]:
    """How the browser came to be signed in, and the cookie by which it then is; both empty if for anything else."""
    for what in WAYS:
        if token := await context.token_to_take(what):
            return what, token
    return "", ""


async def enter_by(context: Context, what: str, token: str) -> Response:
    """Sign in by the credential that the address names; the form that led here was counted."""
    row = await services_of(context.request).members.holder(context.request.query_params[BY])
    if row is None:
        return await refuse(context, "account/no-card", 403)
    joins, done = WAYS[what]
    return await let_in(context, row.guest, token, joins=joins, done=done)


async def enter(context: Context, guest: str, token: str, *, joins: bool) -> Visitor:
    """Sign the browser in to an account, by a cookie that nobody had before."""
    device = rough_name(context.request.headers.get("user-agent", ""))
    try:
        return await services_of(context.request).members.sign_in(
            guest, token, device, context.visitor, joins=joins
        )
    except SignedOut as error:
        raise HTTPException(403, "signed-out") from error


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
    return await lead_in(context, which, "join" if joins else "in")


async def let_in(context: Context, guest: str, token: str, *, joins: bool, done: str) -> Response:
    """Sign in by the next cookie, unless this was done before and its answer lost; then show the account."""
    fresh = context.visitor
    if not (fresh.member and fresh.token == token):
        fresh = await enter(context, guest, token, joins=joins)
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
            which = await read_sign_in(members, context.secrets, context.visitor, party, answer)
            return await lead_in(context, which, "join" if form.get("joins") else "in")
        made = await read_new_passkey(members, context.secrets, context.visitor, party, answer)
    except PasskeyRefused as error:
        if context.visitor.member and await is_added(members, context.visitor.guest, answer):
            return await context.go("/account?done=added")
        return await refuse(context, error.code, 403)
    device = rough_name(request.headers.get("user-agent", ""))
    if context.visitor.member:
        await members.add(context.visitor.guest, replace(made, label=device))
        return await context.go("/account?done=added")
    context.limits.of_address("sessions", context.request.scope)
    await members.add(await members.begin(), replace(made, label=device))
    return await lead_in(context, made.id, "make")


async def letter(request: Request) -> Response:
    """Send a link that signs in, whether anybody has an account by this address or not."""
    context, letters = await Context.of(request), letters_of(request)
    form = await context.form()
    await context.count("signings")
    with context.refusals():
        await letters.send_passage(str(form.get("address", "")), context.visit.language, context.origin)
        return await context.go("/account?done=sent")
    return await show(context, refused=context.refused, status=422)


async def by_letter(request: Request) -> Response:
    """The link in an e-mail: say which address it signs in; a post leads to where it does, in this browser alone."""
    context, letters = await Context.of(request), letters_of(request)
    secret = str(request.path_params["secret"])
    if not NAME.fullmatch(secret):
        return await refuse(context, "account/no-link", 403)
    if (way := await way_in(context))[0]:
        return await enter_by_letter(context, letters, secret, *way)
    form = await context.form() if request.method == "POST" else None
    taker = await live_next_token(context.secrets, request)
    address = await letters.signing_in_address(secret, taker)
    if not address:
        return await refuse(context, "account/no-link", 403)
    if form is None:
        return await ask_whether(context, address)
    which = context.secrets.signs_in(address)
    known = await services_of(request).members.holder(which)
    return await lead_in(context, which, "join" if form.get("joins") or not known else "in", request.url.path)


async def enter_by_letter(context: Context, letters: Letters, secret: str, what: str, token: str) -> Response:
    """Sign in by a link, which then signs no other browser in; whoever has no account has one then."""
    members, visitor, (joins, done) = services_of(context.request).members, context.visitor, WAYS[what]
    address = await letters.take_passage(secret, token)
    which = context.secrets.signs_in(address)
    if not address or which != context.request.query_params[BY]:
        return await refuse(context, "account/no-link", 403)
    if row := await members.holder(which):
        await members.note_use(which)
        return await let_in(context, row.guest, token, joins=joins, done=done)
    if not visitor.member:
        context.limits.of_address("sessions", context.request.scope)
    guest = visitor.guest if visitor.member else await members.begin(context.secrets.account(token))
    await members.add(guest, Credential("mail", which, address))
    return await let_in(context, guest, token, joins=True, done="added" if visitor.member else "made")
