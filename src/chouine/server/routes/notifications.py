"""Notifications of turns: the browsers and e-mail addresses that get them, and the link in each e-mail."""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import URL, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from chouine.server.forms import local
from chouine.server.pages.settings import settings_page
from chouine.server.push.letters import Letters
from chouine.server.routes.context import Context
from chouine.server.routes.request_context import NAME, wants_json
from chouine.server.services import services_of

WORKER = Path(__file__).parents[1] / "static" / "js" / "worker" / "push.js"


async def give(request: Request) -> Response:
    """Send a confirmation to the address given, or delete the visitor's."""
    context = await Context.of(request)
    form = await context.form()
    await context.count("letters")
    letters = letters_of(request)
    if form.get("what") == "off":
        await letters.forget_guest(context.visitor.guest)
    else:
        address, language = str(form.get("address", "")), context.visit.language
        with context.refusals():
            await letters.subscribe(context.visitor.guest, address, language, context.origin)
    back = local(str(form.get("back", "/settings")))
    if wants_json(request):
        refusal = JSONResponse({"ok": False, "message": context.refused}, 422)
        return await context.seal(refusal if context.refused else Response(status_code=204))
    if context.refused:
        return await show_settings(context, URL(back))
    return await context.go(back)


async def show_settings(context: Context, address: URL) -> Response:
    """The page of settings at its address, which says where the visitor came from."""
    guest, services = context.visitor.guest, services_of(context.request)
    browsers = await services.turns.browsers(guest) if services.turns else []
    mailbox = await services.letters.of(guest) if services.letters else None
    back = local(QueryParams(address.query).get("back", "/"))
    return await context.page(settings_page(context.visit, back, context.refused, browsers, mailbox))


async def follow(request: Request) -> Response:
    """An e-mail's link: confirm the address or unsubscribe. A mail program unsubscribes by a post."""
    context, letters = await Context.of(request), letters_of(request)
    secret = str(request.path_params["secret"])
    if not NAME.fullmatch(secret):
        raise HTTPException(404, "no-such-letter")
    found = await letters.known_mailbox(secret)
    if request.method == "POST":
        form = await context.read_form()
        if found and form.get("what") == "on":
            await letters.confirm(secret)
        else:
            await letters.forget(secret)
        found = await letters.known_mailbox(secret)
    answered = request.method == "POST"
    return await context.show(
        "letters.html", f"/letters/{secret}", secret=secret, mailbox=found, answered=answered
    )


async def never(request: Request) -> Response:
    """The link that ends all letters to a mailbox, or lets them come again. A mail program ends them by a post."""
    context, letters = await Context.of(request), letters_of(request)
    secret = str(request.path_params["secret"])
    owner = context.secrets.owner_in(secret)
    if owner is None:
        raise HTTPException(404, "no-such-letter")
    if request.method == "POST":
        form = await context.read_form()
        await (letters.allow(owner) if form.get("what") == "again" else letters.end(owner))
    ended = await letters.refuses_letters(owner)
    return await context.show("never.html", f"/letters/never/{secret}", ended=ended)


def letters_of(request: Request) -> Letters:
    """The sender of e-mails. Raises 404 if this server has none."""
    letters = services_of(request).letters
    if letters is None:
        raise HTTPException(404, "no-letters")
    return letters


async def worker(_: Request) -> Response:
    """The service worker for push messages, with a scope of its own that contains no page."""
    return FileResponse(WORKER, media_type="text/javascript")


async def subscribe(request: Request) -> Response:
    """Subscribe this browser, or unsubscribe it, or all browsers of this visitor. A GET tells what that needs."""
    context = await Context.of(request)
    turns = services_of(request).turns
    if turns is None:
        raise HTTPException(404, "no-push")
    if request.method == "GET":
        return await context.seal(JSONResponse({"key": turns.signer.public, "csrf": context.visit.csrf}))
    form = await context.form()
    await context.count("pushes")
    guest, endpoint = context.visitor.guest, str(form.get("endpoint", ""))
    if form.get("what") == "off":
        await turns.forget(guest, endpoint)
        return await context.go(local(str(form.get("back", "/settings"))))
    try:
        key, auth, old = (str(form.get(name, "")) for name in ("key", "auth", "old"))
        browser = context.visitor.stored if context.visitor.member else ""
        await turns.subscribe(guest, endpoint, key, auth, old, browser)
    except ValueError as error:
        raise HTTPException(400, "unreadable") from error
    return await context.seal(Response(status_code=204))
