"""The page by which a browser forgets its visitor."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.server.pages.forget import forget_page, forgotten_page
from chouine.server.push.letters import Letters
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.routes.context import Context
from chouine.server.routes.lobby import matches_of, partners_at
from chouine.server.visitors import take_cookie

CLEARED = {"Clear-Site-Data": '"storage", "cache"'}
"""Not "cookies": browsers would clear those of other servers on this host, with their seats."""


async def forget(request: Request) -> Response:
    """Say what is to be forgotten; a post does it. Nothing is known of who has no cookie, as after a reload."""
    context = await Context.of(request)
    if request.method == "GET":
        return await context.page(forget_page(context.visit, await matches_of(context)))
    if not context.visitor.new:
        await context.form()
        await erase(context)
    response = HTMLResponse(forgotten_page(context.visit), headers=CLEARED)
    take_cookie(context.secrets, request, response)
    return response


async def erase(context: Context) -> None:
    """Delete what is stored of the visitor alone; matches are also those of the others."""
    guest, state = context.visitor.guest, context.request.app.state
    turns: TurnNotifier | None = state.turns
    letters: Letters | None = state.letters
    if turns:
        await turns.forget(guest)
    if letters:
        await letters.forget_guest(guest)
    await partners_at(context).leave(guest)
    await context.tables.store.forget_session(context.visitor.stored)
