"""The page of one's tokens, and the page about the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from chouine.errors import ChouineError
from chouine.phrases import N_, say
from chouine.server.api.document import Endpoint
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
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


def tokens_page(
    visit: Visit, tokens: Sequence[Any], *, bot: str = "", made: str = "", refused: str = ""
) -> str:
    """One's tokens. `bot`: the name of a program whose browser this is; `made`: a token just made, shown once."""
    listed = [
        {
            "id": row.id,
            "name": row.name,
            "scopes": row.scopes.split(),
            "seen": visit.day_in_words(row.seen),
        }
        for row in tokens
    ]
    shown = {"tokens": listed, "bot": bot, "made": made, "refused": refused, "may": MAY}
    return render(visit, "tokens.html", here="/mine/tokens", **shown)


def api_page(visit: Visit, address: str, endpoints: Mapping[str, Sequence[Endpoint]]) -> str:
    """How to begin with the API. `address`: the site's; `endpoints`: by what a token must allow."""
    return render(visit, "api.html", here="/api", address=address, endpoints=endpoints, may=MAY)


async def page(request: Request) -> Response:
    """One's tokens; a post makes one, revokes one, or makes the browser a program's."""
    context = await Context.of(request)
    tokens, guest = Tokens(context.tables.store, context.tables.clock), context.visitor.guest
    made = refused = ""
    if request.method == "POST":
        form = await context.form()
        await context.count("tokens")
        try:
            match form.get("what"):
                case "make":
                    made = await tokens.make(
                        guest, str(form.get("name", "")), [*map(str, form.getlist("scope"))]
                    )
                case "revoke":
                    await tokens.revoke(guest, str(form.get("which", "")))
                case "bot":
                    await tokens.become_bot(guest, str(form.get("bot", "")))
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    mine, bot = await tokens.of(guest), await tokens.bot_name(guest)
    html = tokens_page(context.visit, mine, bot=bot, made=made, refused=refused)
    return await context.page(html, 422 if refused else 200)


async def about(request: Request) -> Response:
    """How programs play here."""
    context = await Context.of(request)
    listed = sorted(ENDPOINTS, key=lambda each: ["", *SCOPES].index(each.scope))
    by_scope = {scope: [*each] for scope, each in groupby(listed, key=lambda each: each.scope)}
    return await context.page(api_page(context.visit, services_of(request).site.base(request), by_scope))
