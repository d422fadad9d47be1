"""Responses to errors: a page or a line of JSON, never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import Scope

from chouine.server.database import Damaged, Superseded, Unreachable
from chouine.server.logs import place_of
from chouine.server.pages.errors import (
    Excess,
    Refusal,
    error_page,
    error_sentence,
    operator_sentence,
    program_sentence,
)
from chouine.server.pages.form_back import form_back
from chouine.server.pages.visit import Visit
from chouine.server.request_parts import find_form
from chouine.server.routes.context import Context
from chouine.server.routes.request_context import wants_json
from chouine.server.saved import SavedState
from chouine.server.services import services_of
from chouine.server.site import Closed, Mismatch
from chouine.server.store import Gone
from chouine.server.visitors import language_of

log = structlog.get_logger()


PROGRAMS = "/api/1/"
"""Begins the addresses for programs, whose errors are JSON of one form."""


def is_for_programs(path: str) -> bool:
    """Whether an address is one for programs."""
    return path.startswith(PROGRAMS)


def sentence_response(scope: Scope, error: HTTPException) -> Response:
    """A refusal that costs little: one sentence, or for programs a line of JSON."""
    request, status, code, headers = Request(scope), error.status_code, error.detail, error.headers
    if is_for_programs(scope["path"]):
        return tell_program(request, status, code, headers=headers)
    language = language_of(request, SavedState())
    sentence = error_sentence(language, status, code, Excess.of(scope, headers))
    return PlainTextResponse(sentence, status, headers)


def stranger(request: Request) -> Visit:
    """A visit of which only the browser's language is known: nothing is read from the database."""
    return Visit(language_of(request, SavedState()), csrf="", guest="")


async def refusal_page(request: Request, error: Exception) -> Response:
    """The response to an HTTP error."""
    if not isinstance(error, HTTPException):
        raise error
    await find_form(request)
    busy = error.status_code == 429 or error.detail == "busy"
    if busy or is_for_programs(request.url.path):
        visit = stranger(request)  # not worth a look at the database
    else:
        try:
            visit = (await Context.of(request)).visit
        except Unreachable:
            visit = stranger(request)
    return failure_response(request, visit, error.status_code, str(error.detail), error.headers)


def failure_page(scope: Scope, error: Exception) -> Response:
    """The response to an internal error. Only its type and place are logged: its text could name a card."""
    place = place_of(error.__traceback__)
    log.error("failure", path=scope["path"].split("/")[1], kind=type(error).__name__, place=place)
    request = Request(scope)
    return failure_response(request, stranger(request), 500, "failure")


def failure_response(
    request: Request,
    visit: Visit,
    status: int,
    code: str,
    headers: Mapping[str, str] | None = None,
    operator: str = "",
) -> Response:
    """The error as JSON for a program, or as a page, that of a hall there.

    `operator`: a sentence for whoever runs the server.
    """
    if is_for_programs(request.url.path):
        return tell_program(request, status, code, headers=headers)
    in_hall = "app" in request.scope and getattr(request.app.state, "in_hall", False)
    if in_hall and code == "failure":
        code = "hall-failure"
    excess = Excess.of(request.scope, headers)
    if wants_json(request):
        sentence = error_sentence(visit.language, status, code, excess)
        message = " ".join(filter(None, (sentence, operator)))
        return JSONResponse({"ok": False, "code": code, "message": message}, status, headers)
    refusal = Refusal(status, code, excess, operator, form_back(request.scope, status, code))
    page = error_page(visit, refusal, "contest/error.html" if in_hall else "error.html")
    return HTMLResponse(page, status, headers)


def tell_program(
    request: Request,
    status: int,
    code: str,
    message: str = "",
    headers: Mapping[str, str] | None = None,
    **more: str,
) -> Response:
    """A refusal as programs get it: the code, a sentence, and what `more` says."""
    language = language_of(request, SavedState())
    sentence = message or program_sentence(language, status, code, Excess.of(request.scope, headers))
    error = {"error": code.lower().replace(" ", "-"), "message": sentence, **more}
    return JSONResponse(error, status, headers)


SETTINGS = {
    "unknown-host": "--public-url, --allowed-hosts",
    "cross-site": "--public-url",
    "another-address": "--public-url",
    "only-https": "--public-url",
    "behind-https": "--trusted-proxies, --public-url",
}
"""What may be missing or wrong where a request does not fit the site's address, by the refusal's code."""


def wrong_site_page(scope: Scope, found: Mismatch, *, settings: bool) -> Response:
    """The response to a request that does not fit the site's address, which names the `settings` if there are any."""
    request, named = Request(scope), SETTINGS.get(found.code, "") if settings else ""
    log.warning("refused", kind=found.code, setting=named, seen=found.seen[:SEEN], own=found.own, most=1)
    visit = stranger(request)
    sentence = operator_sentence(visit.language, found.code, found.seen[:SEEN], found.own) if named else ""
    return failure_response(request, visit, found.status_code, found.code, operator=sentence)


SEEN = 100
"""Most characters of what a request named that are shown."""


async def unreachable(request: Request, error: Exception) -> Response:
    """The response while the database does not answer or cannot write. Programs get no JSON, so that they try again."""
    log.warning("database out of reach", kind=type(error.__cause__ or error).__name__)
    headers = {"Retry-After": "2"}
    if is_for_programs(request.url.path):
        return failure_response(request, stranger(request), 503, "unavailable", headers)
    if wants_json(request):
        return PlainTextResponse("unavailable", 503, headers)
    await find_form(request)
    return failure_response(request, stranger(request), 503, "unavailable", headers)


async def superseded_page(request: Request, _: Exception) -> Response:
    """The response of a program whose database a newer version has migrated: the other nodes go on.

    A page loads itself again, which the proxy leads to another node as soon as it has found this one not ready.
    """
    tables = services_of(request).tables
    tables.supersede()
    if is_for_programs(request.url.path):
        return failure_response(request, stranger(request), 503, "renewed", {"Retry-After": "2"})
    headers = {"Retry-After": "2"} | ({"Refresh": "2"} if request.method == "GET" else {})
    if wants_json(request):
        return PlainTextResponse("renewed", 503, headers)
    await find_form(request)
    return failure_response(request, stranger(request), 503, "renewed", headers)


async def damaged_page(request: Request, error: Exception) -> Response:
    """The response for damaged data, of one table or of other pages, which is reported in the server's log."""
    place, first = place_of(error.__traceback__), request.scope["path"].split("/")[1]
    code = "damaged" if "table_id" in request.path_params else "damaged-database"
    what, kind = "damaged table" if code == "damaged" else "damaged database", type(error.__cause__ or error)
    log.error(what, path=first, kind=kind.__name__, place=place)
    return failure_response(request, stranger(request), 500, code)


async def closed_page(request: Request, error: Exception) -> Response:
    """The response for what is closed to the visitor, or to everybody."""
    programs = is_for_programs(request.url.path)
    visit = stranger(request) if programs else (await Context.of(request)).visit
    return failure_response(request, visit, 403, error.code if isinstance(error, Closed) else "")


async def gone_page(request: Request, _: Exception) -> Response:
    """The response for a table that was removed while this node had it in memory."""
    return failure_response(request, stranger(request), 404, "table-gone")


handlers: dict[Any, Callable[[Request, Exception], Any]] = {
    HTTPException: refusal_page,
    Superseded: superseded_page,
    Unreachable: unreachable,
    Damaged: damaged_page,
    Gone: gone_page,
    Closed: closed_page,
}
