"""Pages of what is the visitor's own: to see it, take it along, erase it, and sign out."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.server.accounts.merging import merge_guests
from chouine.server.erasure import erase
from chouine.server.keeping import KEPT
from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.words import words_of
from chouine.server.personal import archive_of, parts_of
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import matches_of, partners_at
from chouine.server.saved_changes import forget_browser
from chouine.server.services import services_of
from chouine.server.tokens import Tokens
from chouine.server.visitors import (
    give_cookie,
    guest_visitor,
    guest_with,
    lead_with_next_cookie,
    take_cookie,
)
from chouine.table.state import Phase

CLEARED = {"Clear-Site-Data": '"storage", "cache"'}
"""Not "cookies": browsers would clear those of other servers on this host, with their seats."""


async def page(request: Request) -> Response:
    """What is stored of the visitor. A post signs all other browsers out, which have copies of the cookie."""
    context = await Context.of(request)
    token = await context.token_to_take("next")
    if token and not context.visitor.member:
        return await go_on_with(context, token)
    if request.method == "POST":
        await context.form()
        await context.count("own")
        await Tokens(context.tables.store, context.tables.clock).revoke_all(context.visitor.guest)
        path, what = ("/account", "others") if context.visitor.member else ("/mine", "next")
        return await lead_with_next_cookie(path, what, context.secrets, request)
    parts = await parts_of(context.tables.store, context.visitor.guest)
    counted = [(part.label, len(parts[part.name])) for _, part, *_ in KEPT if part and parts[part.name]]
    return await context.show("mine.html", "/mine", counted=counted, done="done" in request.query_params)


async def go_on_with(context: Context, token: str) -> Response:
    """Let a guest go on with another cookie, so that copies of the one until now open nothing any more."""
    before, fresh = context.visitor, guest_with(context.secrets, token)
    services = services_of(context.request)
    if before.guest != fresh.guest:  # else this was done before, and its answer lost
        if services.turns:
            await services.turns.forget(before.guest)  # nobody can tell whose browsers they reach
        await merge_guests(context.tables, services.contests, before.guest, fresh.guest, fresh.stored)
    response = RedirectResponse("/mine?done", 303)
    give_cookie(fresh, context.secrets, context.request, response)
    return response


async def archive(request: Request) -> Response:
    """All of it as one file."""
    context = await Context.of(request)
    await context.count("own")
    file = await archive_of(context.tables, context.visitor.guest, context.visit.zone)
    return Response(
        file,
        media_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="chouine.zip"', "Cache-Control": "no-store"},
    )


async def forget(request: Request) -> Response:
    """Say what is to be forgotten and what stays, or of the `whole` visitor erased; a post does it.

    Nothing is known of who has no cookie, as after a reload.
    """
    context = await Context.of(request)
    if request.method == "GET":
        whole = request.query_params.get("all") == "1"
        stays = context.visitor.member and not whole
        words, matches = words_of(context.visit), [] if stays else await matches_of(context)
        playing = [
            (table_id, names_of(one, words)) for table_id, one in matches if one.phase is not Phase.OVER
        ]
        here = f"/settings/forget{'?all=1' if whole else ''}"
        return await context.show("forget.html", here, playing=playing, forgotten=False, whole=whole)
    whole = False
    if not context.visitor.new:
        whole = (await context.form()).get("all") == "1"
        if whole:
            await context.count("own")
            await erase(context.tables, services_of(request).contests, context.visitor.guest)
        else:
            await sign_out(context)
    html = render(context.visit, "forget.html", playing=[], forgotten=True, whole=whole)
    response = HTMLResponse(html, headers=CLEARED)
    take_cookie(context.secrets, request, response)
    return response


async def sign_out(context: Context) -> None:
    """Delete what only this browser's cookie leads to; matches and entries keep the visitor's name.

    Of a member the account stays, and so do their other browsers.
    """
    services, visitor = services_of(context.request), context.visitor
    if visitor.member:
        await services.browsers.sign_out(visitor.guest, only=visitor.stored)
        visitor = await guest_visitor(context.tables.store, context.secrets, context.request)
    if services.turns:
        await services.turns.forget(visitor.guest)
    if services.letters:
        await services.letters.forget_guest(visitor.guest)
    await partners_at(context).leave(visitor.guest)
    if not visitor.new:
        forgotten = partial(forget_browser, visitor, context.tables.clock())
        await context.tables.store.database.write(forgotten)
