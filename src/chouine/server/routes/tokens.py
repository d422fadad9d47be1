"""The page of one's tokens, and the page about the API."""

from __future__ import annotations

from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from chouine.phrases import N_
from chouine.server.routes.api import ENDPOINTS
from chouine.server.routes.context import Context
from chouine.server.services import services_of
from chouine.server.tokens import SCOPES, Tokens

MAY = {
    "play": N_("Play at your tables, and follow them"),
    "tables": N_("Open tables, and join by a link"),
    "matches": N_("Read your finished matches"),
}
"""What a token may do, in words, by scope."""


async def page(request: Request) -> Response:
    """One's tokens; a post makes one, which is shown once, revokes one, or makes the browser a program's."""
    context = await Context.of(request)
    tokens, guest = Tokens(context.tables.store, context.tables.clock), context.visitor.guest
    made = ""
    if request.method == "POST":
        form = await context.form()
        await context.count("tokens")
        with context.refusals():
            match form.get("what"):
                case "make":
                    made = await tokens.make(
                        guest, str(form.get("name", "")), [*map(str, form.getlist("scope"))]
                    )
                case "revoke":
                    await tokens.revoke(guest, str(form.get("which", "")))
                case "bot":
                    await tokens.become_bot(guest, str(form.get("bot", "")))
    listed = [
        {
            "id": row.id,
            "name": row.name,
            "scopes": row.scopes.split(),
            "seen": context.visit.day_in_words(row.seen),
        }
        for row in await tokens.of(guest)
    ]
    bot = await tokens.bot_name(guest)
    return await context.show("tokens.html", "/mine/tokens", tokens=listed, bot=bot, made=made, may=MAY)


async def about(request: Request) -> Response:
    """How programs play here."""
    context = await Context.of(request)
    listed = sorted(ENDPOINTS, key=lambda each: ["", *SCOPES].index(each.scope))
    by_scope = {scope: [*each] for scope, each in groupby(listed, key=lambda each: each.scope)}
    address = services_of(request).site.base(request)
    return await context.show("api.html", "/api", address=address, endpoints=by_scope, may=MAY)
