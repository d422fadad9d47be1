"""Pages of what is the visitor's own: to see it, take it along, erase it, and sign out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.server.accounts.merging import merge_guests
from chouine.server.erasure import erase
from chouine.server.keeping import KEPT
from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.personal import archive_of, parts_of
from chouine.server.push.letters import Letters
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.routes.account import sign_others_out
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import matches_of, partners_at
from chouine.server.services import services_of
from chouine.server.tokens import Tokens
from chouine.server.visitors import give_cookie, guest_visitor, newcomer, take_cookie
from chouine.table.brief import Brief
from chouine.table.state import Phase


def mine_page(visit: Visit, parts: Mapping[str, Sequence[object]], *, done: bool = False) -> str:
    """What is stored of the visitor, and what they can do with it. `done`: other browsers were just signed out."""
    counted = [(part.label, len(parts[part.name])) for _, part, *_ in KEPT if part and parts[part.name]]
    return render(visit, "mine.html", here="/mine", counted=counted, done=done)


def forget_page(visit: Visit, matches: Sequence[tuple[str, Brief]], *, whole: bool) -> str:
    """What will be lost, of which the seats in matches in progress, what stays, and the button.

    `whole`: not only this browser forgets: the visitor is erased from others' matches too.
    """
    words = words_of(visit)
    playing = [
        (table_id, names_of(brief, words)) for table_id, brief in matches if brief.phase is not Phase.OVER
    ]
    here = "/settings/forget?all=1" if whole else "/settings/forget"
    return render(visit, "forget.html", here=here, playing=playing, forgotten=False, whole=whole)


def forgotten_page(visit: Visit, *, whole: bool) -> str:
    """What the server has done, and what the browser does now; without a script, what is left to do by hand."""
    return render(visit, "forget.html", here="/", playing=[], forgotten=True, whole=whole)


CLEARED = {"Clear-Site-Data": '"storage", "cache"'}
"""Not "cookies": browsers would clear those of other servers on this host, with their seats."""


async def page(request: Request) -> Response:
    """What is stored of the visitor. A post signs all other browsers out, which have copies of the cookie."""
    context = await Context.of(request)
    if request.method == "POST":
        await context.form()
        await context.count("own")
        await Tokens(context.tables.store, context.tables.clock).revoke_all(context.visitor.guest)
        if context.visitor.member:
            return await sign_others_out(context)
        fresh, services = newcomer(context.secrets), services_of(request)
        if services.turns:
            await services.turns.forget(context.visitor.guest)  # nobody can tell whose browsers they reach
        await merge_guests(
            context.tables, services.contests, context.visitor.guest, fresh.guest, fresh.stored
        )
        response = RedirectResponse("/mine?done", 303)
        give_cookie(fresh, context.secrets, request, response)
        return response
    parts = await parts_of(context.tables.store, context.visitor.guest)
    return await context.page(mine_page(context.visit, parts, done="done" in request.query_params))


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
    """Say what is to be forgotten; a post does it. Nothing is known of who has no cookie, as after a reload."""
    context = await Context.of(request)
    if request.method == "GET":
        whole = request.query_params.get("all") == "1"
        stays = context.visitor.member and not whole
        matches = [] if stays else await matches_of(context)
        return await context.page(forget_page(context.visit, matches, whole=whole))
    whole = False
    if not context.visitor.new:
        whole = (await context.form()).get("all") == "1"
        if whole:
            await context.count("own")
            await erase(context.tables, services_of(request).contests, context.visitor.guest)
        else:
            await sign_out(context)
    response = HTMLResponse(forgotten_page(context.visit, whole=whole), headers=CLEARED)
    take_cookie(context.secrets, request, response)
    return response


async def sign_out(context: Context) -> None:
    """Delete what only this browser's cookie leads to; matches and entries keep the visitor's name.

    Of a member the account stays, and so do their other browsers.
    """
    state, visitor = services_of(context.request), context.visitor
    if visitor.member:
        await state.browsers.sign_out(visitor.guest, only=visitor.stored)
        visitor = await guest_visitor(context.tables.store, context.secrets, context.request)
    guest = visitor.guest
    turns: TurnNotifier | None = state.turns
    letters: Letters | None = state.letters
    if turns:
        await turns.forget(guest)
    if letters:
        await letters.forget_guest(guest)
    await partners_at(context).leave(guest)
    await context.tables.store.forget_session(visitor.stored)
