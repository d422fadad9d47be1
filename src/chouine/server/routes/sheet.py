"""The score keeper's page."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.server.routes.request_context import context_of
from chouine.server.scoring import post_form, sheets_page


async def page(request: Request) -> Response:
    """The sheet in use, or the page to begin one; a post is an act on it."""
    context = await context_of(request)
    saved = context.saved
    if request.method != "POST":
        return await context.page(sheets_page(context.visit, saved.sheets, new="new" in request.query_params))
    scored = post_form(context.visit, saved.sheets, await context.form())
    if scored.page:
        return await context.page(scored.page, scored.status)
    if scored.sheets is None:
        return await context.go("/marqueur")
    kept = msgspec.structs.replace(saved, sheets=scored.sheets)
    return await context.seal(RedirectResponse("/marqueur", 303), kept)
