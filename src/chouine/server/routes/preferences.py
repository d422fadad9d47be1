"""The rule book, and what a browser chooses on any page: language, larger text, sounds."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.phrases.catalogue import LANGUAGES
from chouine.server.forms import local, settings_of, with_one_setting
from chouine.server.pages.books import rules_page
from chouine.server.routes.request_context import context_of


async def rules(request: Request) -> Response:
    """The rule book."""
    context = await context_of(request)
    asked = request.query_params
    back = local(asked.get("back", "/"))
    return await context.page(
        rules_page(context.visit, asked.get("section", ""), "" if back == "/" else back)
    )


async def sound(request: Request) -> Response:
    """Store whether this browser plays sounds, how loud, and whether it reads aloud; responds without a page."""
    context = await context_of(request)
    asked, before = settings_of(await context.form()), context.saved
    chosen = replace(before.settings, sound=asked.sound, volume=asked.volume, aloud=asked.aloud)
    return await context.seal(Response(status_code=204), msgspec.structs.replace(before, settings=chosen))


async def language(request: Request) -> Response:
    """Store the language."""
    context = await context_of(request)
    form = await context.form()
    chosen = str(form.get("language", ""))
    known = LANGUAGES.get(chosen, context.saved.language)
    saved = msgspec.structs.replace(context.saved, language=known)
    return await context.seal(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)


async def one_setting(request: Request) -> Response:
    """Store the setting of a form that has one alone, and lead back to its page."""
    context = await context_of(request)
    form, before = await context.form(), context.saved
    chosen = with_one_setting(before.settings, request.url.path.strip("/"), form)
    saved = msgspec.structs.replace(before, settings=chosen)
    return await context.seal(RedirectResponse(local(str(form.get("back", "/"))), 303), saved)
