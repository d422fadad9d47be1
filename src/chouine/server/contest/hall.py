"""What all programs of a hall share: a desk, a season, the page that opens them. Devices have no accounts here."""

from __future__ import annotations

import hmac
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from chouine.contest.people import LONGEST
from chouine.errors import ActRefused, ChouineError
from chouine.names import one_line
from chouine.phrases import Language, say
from chouine.phrases.catalogue import LANGUAGES
from chouine.server.contest.desk import LASTING, ROLES
from chouine.server.forms import local
from chouine.server.guard import EdgeMiddleware, GzipPages
from chouine.server.limits import Limits
from chouine.server.page_context import PageContext
from chouine.server.pages.env import render
from chouine.server.pages.visit import Settings, Visit
from chouine.server.proxies import NO_PROXIES, Proxies
from chouine.server.request_parts import FIELDS, cookie_in, find_form, has_cookies, read_post
from chouine.server.routes.failures import failure_response
from chouine.server.routes.request_context import wants_json
from chouine.server.site import Site
from chouine.server.static_files import static_files

COOKIE, LANGUAGE, SIZE = "desk", "language", "size"
"""Names of the cookies. The first is followed by a name for the contest's file: browsers keep one jar for all ports of
a host, where two contests would sign each other out. A language and a size of text are the same person's for both."""
LARGE = "large"
"""The value of the last cookie where text is larger."""
SIGNED_IN = "in"
"""In the address to which signing in leads."""
PER_ADDRESS = 500
"""Streams per address (see `Limits`): a whole hall may be behind one router."""
BUSY = 5000
"""Milliseconds in ten seconds for which an address may keep the desk busy: a phone cannot stop it."""
LARGEST_UPLOAD = 16 * 1024 * 1024
"""Largest upload in bytes: a spreadsheet with pictures, or a contest's copy."""


class HallContext(PageContext):
    """A request of a device in the hall, with the size of text and the language chosen there.

    Else the language is the browser's, or French. `csrf`: the token of its forms; empty if it has none.
    """

    def __init__(self, request: Request, csrf: str = "") -> None:
        self.request, self.csrf = request, csrf
        asked = [cookie_in(request, LANGUAGE)]
        asked += [part.strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
        self.language: Language = next((LANGUAGES[one] for one in asked if one in LANGUAGES), "fr")

    @cached_property
    def visit(self) -> Visit:
        """The visit; nobody has an account here."""
        large = cookie_in(self.request, SIZE) == LARGE
        return Visit(self.language, self.csrf, "", settings=Settings(large=large))

    async def form(self, most: int = FIELDS, files: int = 1) -> FormData:
        """The posted form. Raises 403 unless it carries this device's token, if it has one."""
        form = await read_post(self.request, files, most)
        if not hmac.compare_digest(str(form.get("csrf", "")).encode(), self.csrf.encode()):
            raise HTTPException(403, "csrf")
        self.sent = form
        return form

    async def ask(
        self,
        form: FormData,
        told: Sequence[str],
        instead: tuple[str, str] | None = None,
        *,
        likely: bool = False,
        **fields: str,
    ) -> Response | None:
        """A page that says what an act will do and asks for it again; None once it was asked for after these sentences.

        `instead`: the address of what may be meant, and its name. `likely`: Enter is enough to do it all the same.
        `fields`: those of the form that the page sends to this same address.
        """
        proof = digest_of(told)
        if hmac.compare_digest(line(form, "told").encode(), proof.encode()):
            return None
        return await self.show(
            "sure.html", sentences=told, proof=proof, instead=instead, likely=likely, fields=fields
        )

    def sentence(self, error: ChouineError) -> str:
        """The sentence for an error, with desks by their displayed names."""
        data = {**error.data}
        if "by" in data:
            data["by"] = desk_name(str(data["by"]), self.language)
        return say(error.code, self.language, **data)


def digest_of(sentences: Sequence[str]) -> str:
    """A digest of an act's consequences: it is carried out only if they are still those shown."""
    return sha256("\n".join(sentences).encode()).hexdigest()


def desk_name(by: str, language: Language) -> str:
    """The displayed name of a desk that the log names as `results 2`."""
    role, _, nth = by.partition(" ")
    return " ".join([say(f"desk/role/{role}", language), nth]).strip() if role in ROLES else by


def hall_application(
    routes: Sequence[BaseRoute],
    uploads: Mapping[str, int],
    site: Site | None = None,
    proxies: Proxies = NO_PROXIES,
) -> Starlette:
    """An application for a hall, whose devices choose a language and a size of text; the first of `routes` counts.

    `uploads`: bytes that may be sent to an address. `site` and `proxies` as for a server of tables.
    """
    limits = Limits(PER_ADDRESS, BUSY)
    app = Starlette(
        routes=[
            Route("/language", choose_language, methods=["POST"]),
            Route("/larger", choose_size, methods=["POST"]),
            Mount("/static", static_files()),
            *routes,
        ],
        middleware=[
            Middleware(EdgeMiddleware, limits=limits, site=site, proxies=proxies, uploads=uploads),
            Middleware(GzipPages, minimum_size=1000),
        ],
        exception_handlers={
            HTTPException: error_response,
            OSError: disk_response,
            sqlite3.Error: disk_response,
        },
    )
    app.state.limits, app.state.in_hall = limits, True
    return app


async def error_response(request: Request, error: Any) -> Response:
    """The response to an HTTP error."""
    await find_form(request)
    visit = HallContext(request).visit
    return failure_response(request, visit, error.status_code, str(error.detail), error.headers)


async def disk_response(request: Request, error: Exception) -> Response:
    """The response where a disk fails, and there is no form to refuse."""
    context, state = HallContext(request), request.app.state
    store = getattr(getattr(state, "desk", state), "store", None)
    path = store.path if store else getattr(error, "filename", "")
    sentence = context.sentence(ActRefused("contest/disk", file=path, why=error))
    if wants_json(request):
        return JSONResponse({"ok": False, "code": "disk", "message": sentence}, 500)
    return await context.page(render(context.visit, "contest/error.html", status=500, sentence=sentence), 500)


async def choose_language(request: Request) -> Response:
    """Switch this browser's language."""
    return await choose(request, LANGUAGE, lambda form: LANGUAGES.get(str(form.get("language")), "fr"))


async def choose_size(request: Request) -> Response:
    """Switch this browser's size of text."""
    return await choose(request, SIZE, lambda form: LARGE if form.get("large") else "")


async def choose(request: Request, cookie: str, chosen: Callable[[FormData], str]) -> Response:
    """Keep a browser's choice in a cookie and lead back to its page."""
    form = await read_post(request, fields=10)
    response = go(local(str(form.get("back", "/"))))
    response.set_cookie(cookie, chosen(form), max_age=365 * 24 * 3600)
    return response


def sign_in(address: str, cookie: str, what: object) -> Response:
    """Give a browser its cookie for this contest's file (see `cookie_of`) and lead it to an address."""
    response = go(f"{address}?{SIGNED_IN}")
    response.set_cookie(cookie_of(what), cookie, httponly=True, samesite="strict", max_age=LASTING)
    return response


def cookie_of(what: object) -> str:
    """The name of the cookie for a contest's file, or for a program that has none yet."""
    return f"{COOKIE}-{sha256(str(what).encode()).hexdigest()[:8]}"


def check_cookies(request: Request) -> None:
    """Raise 403 for a browser that has just been signed in, and yet sends no cookie."""
    if SIGNED_IN in request.query_params and not has_cookies(request):
        raise HTTPException(403, "no-cookies")


def go(address: str) -> Response:
    return RedirectResponse(address, 303)


def line(form: FormData, name: str) -> str:
    """A field's text on one line, cut to the length that a sheet has room for."""
    return one_line(" ".join(str(form.get(name, "")).split()), LONGEST)


def number(form: FormData, name: str, most: int = 9999) -> int:
    """A field's whole number; 0 for anything else."""
    text = line(form, name)
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 6 else 0
