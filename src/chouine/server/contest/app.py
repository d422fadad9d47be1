"""The contest desk as a web application: one contest on one laptop, with others joining over the local network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from chouine.server.contest import (
    entries,
    joining,
    lists,
    log,
    marqueur,
    palmares,
    paper,
    rounds,
    screen,
    settings,
    tables,
)
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.desk import Desk
from chouine.server.contest.request import visit_of
from chouine.server.guard import EdgeMiddleware, GzipPages
from chouine.server.limits import Limits
from chouine.server.pages.errors import error_page
from chouine.server.proxies import NO_PROXIES, Proxies
from chouine.server.request_parts import register_small_int
from chouine.server.site import Site
from chouine.server.static_files import static_files

PER_ADDRESS = 500
"""Streams per address (see `Limits`): a whole hall may be behind one router."""
BUSY = 5000
"""Milliseconds in ten seconds for which an address may keep the desk busy: a phone cannot stop it."""
LARGEST_UPLOAD = 16 * 1024 * 1024
"""Largest upload in bytes: a spreadsheet with pictures, or a contest's copy."""


def desk_application(
    store: ContestStore, addresses: Callable[[], Sequence[str]] = lambda: ("http://127.0.0.1",)
) -> Starlette:
    """The application for an open contest, which others reach at `addresses`; `app.state.desk` has its PIN."""
    register_small_int()
    app = hall_application(
        [
            Route("/", rounds.home),
            Route("/open", joining.open_place),
            Route("/join", joining.join, methods=["GET", "POST"]),
            Route("/entries", entries.entries, methods=["GET", "POST"]),
            Route("/entries/{number:few}", entries.entry, methods=["GET", "POST"]),
            Route("/door", entries.door, methods=["GET", "POST"]),
            Route("/import", lists.bring_in, methods=["GET", "POST"]),
            Route("/draw/{stage}", rounds.draw_round, methods=["GET", "POST"]),
            Route("/round/{stage}/{number:few}", rounds.round_page, methods=["GET", "POST"]),
            Route("/results", tables.results, methods=["GET", "POST"]),
            Route("/table/{stage}/{number:few}/{table:few}", tables.table_page, methods=["GET", "POST"]),
            Route(
                "/marqueur/{stage}/{number:few}/{table:few}/{key}", marqueur.sheet, methods=["GET", "POST"]
            ),
            Route("/marqueur/{table:few}/{key}", marqueur.old_code, methods=["GET", "POST"]),
            Route("/palmares", palmares.palmares_page, methods=["GET", "POST"]),
            Route("/log", log.log_page, methods=["GET", "POST"]),
            Route("/settings", settings.settings_page, methods=["GET", "POST"]),
            Route("/copies", log.copies_page, methods=["GET", "POST"]),
            Route("/desks", joining.desks, methods=["GET", "POST"]),
            Route("/check", log.check_page),
            Route("/log.jsonl", log.log_lines),
            Route("/evening", palmares.evening_page),
            Route("/evening.json", palmares.evening_file),
            Route("/{what}.{kind}", palmares.export_spreadsheet),
            Route("/print/slips/{stage}/{number:few}", paper.slips),
            Route("/print/calls/{stage}/{number:few}", paper.calls),
            Route("/print/tree/{stage}", paper.tree),
            Route("/print/accounts", entries.accounts),
            Route("/print/digest", log.digest_print),
            Route("/print/instructions", paper.instructions),
            Route("/print/by-hand", paper.by_hand),
            Route("/print/press", paper.press),
            Route("/print/poster", paper.poster),
            Route("/print/ranking", paper.ranking_print),
            Route("/print/diplomas", paper.diplomas),
            Route("/screen", screen.screen),
            Route("/public", screen.public),
            Route("/stream", screen.stream),
        ],
        uploads={"/import": LARGEST_UPLOAD},
    )
    app.state.desk = Desk(store, addresses)
    return app


async def refusal_response(request: Request, error: Any) -> Response:
    """The page for an unknown address or a missing right."""
    page = error_page(visit_of(request), error.status_code, str(error.detail))
    return HTMLResponse(page, error.status_code, error.headers)


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
            Route("/language", joining.language, methods=["POST"]),
            Route("/larger", joining.larger, methods=["POST"]),
            Mount("/static", static_files()),
            *routes,
        ],
        middleware=[
            Middleware(EdgeMiddleware, limits=limits, site=site, proxies=proxies, uploads=uploads),
            Middleware(GzipPages, minimum_size=1000),
        ],
        exception_handlers={HTTPException: refusal_response},
    )
    app.state.limits = limits
    return app
