"""The contest desk as a web application: one contest on one laptop, with others joining over the local network."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.routing import Route

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
from chouine.server.contest.hall import LARGEST_UPLOAD, hall_application
from chouine.server.request_parts import register_small_int


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
