"""The page of one's tokens, and the page about the API."""

from __future__ import annotations

from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.server.pages.tokens import api_page, tokens_page
from chouine.server.routes.api import ENDPOINTS
from chouine.server.routes.context import Context
from chouine.server.services import services_of
from chouine.server.tokens import SCOPES, Tokens


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
