"""The hall's screen, which cycles through its pages, and the page for phones; both show each act at once."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.contest import Contest, Round, ranking
from chouine.contest.formula import STAGES, Stage
from chouine.contest.people import Names
from chouine.contest.views import is_final, room_of, seats
from chouine.names import is_found
from chouine.phrases import Language, signed_number
from chouine.server.contest.contest_store import now
from chouine.server.contest.desk import Desk
from chouine.server.contest.hall import HallContext
from chouine.server.contest.standing import (
    TreeRound,
    clock,
    columns,
    last_columns,
    round_name,
    standing,
    winners,
)
from chouine.server.forms import number_of
from chouine.server.limits import EventStream
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit

SECONDS = 12
"""Seconds that the screen shows one of its pages."""
GLANCE = 7
"""Seconds of a page of names: two such pages, of 39 tables, are through in less than 15."""
NAMES = 39
"""Names on a page in three columns, in capitals of 10 arc minutes from ten metres on a screen 1 m high."""
LINES = 10
"""Lines of the ranking on a page, in letters readable from ten metres."""
COLUMN = 70.0
"""Height of a column of tables, in percent of the screen's height; must agree with `contest.css`."""
FEW = 4
"""Tables of a round, or winners, that need no pages of names: all stand on one page."""
PING = 20
"""Seconds without news after which the stream sends a keep-alive."""

ScreenPage = tuple[str, Round | None, int, tuple[TreeRound, ...], Stage]


async def screen(request: Request) -> Response:
    """One page of the hall's screen; it advances to the next by itself, even without a script."""
    desk: Desk = request.app.state.desk
    visit, place = HallContext(request).visit, screen_place(request, desk.store.contest)

    def make_page() -> str:
        return screen_page(visit, desk.store.contest, desk.store.names, place, "/screen", "/stream")

    return compressed_response(request, desk.cached_page(("screen", visit, place), make_page))


def screen_place(request: Request, contest: Contest) -> int:
    """The page number in a screen's address."""
    asked = request.query_params.get("page", "")
    return (number_of(asked, 99_999) or 0) % len(screen_pages(contest))


def screen_page(visit: Visit, contest: Contest, names: Names, place: int, here: str, stream: str = "") -> str:
    """One of the pages that the hall screen cycles through; `stream` is the URL of its live updates, if any."""
    pages = screen_pages(contest)
    kind, round_, first, tree, stage = pages[place]
    return render(
        visit,
        "contest/screen.html",
        here=here,
        stream=stream,
        kind=kind,
        round=round_,
        first=first,
        tree=tree,
        stage=stage,
        following=(place + 1) % len(pages),
        seconds=GLANCE if kind == "names" else SECONDS,
        by_names=names_on(round_, names)[first : first + NAMES] if kind == "names" and round_ else (),
        lines=LINES if kind == "ranking" else tables_on(contest),
        signed=partial(signed_number, language=visit.language),
        **shared_variables(contest, names, visit.language),
    )


def compressed_response(request: Request, page: bytes, media: str = "text/html") -> Response:
    """The response for a page that is already compressed."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(page, media_type=media, headers=headers)
    return Response(gzip.decompress(page), media_type=media)


def tables_on(contest: Contest) -> int:
    """Number of tables that fit one page in two columns: each has a line for every entry, and one for its room."""
    height = 1.2 + 5.75 * contest.formula.seats + (4.0 if contest.opened.rooms else 0)
    return 2 * int(COLUMN / height)


def tables_in_tree(contest: Contest) -> int:
    """Most tables that fit in a column of the tree, where some names have two lines; a larger tree is shown later."""
    return int(COLUMN / (2.4 + 4.6 * contest.formula.seats))


def screen_pages(contest: Contest) -> list[ScreenPage]:
    """The screen's pages: open rounds (else the last ones drawn) in pieces, trees, the ranking; the winner at the end.

    Until the first table of a round has finished, its pages are the names with their tables, and there are no others.
    """
    playing, over = [round_ for round_ in contest.all_rounds() if round_.open], is_final(contest)
    won = over and contest.main and not playing and len(winners(contest)) <= FEW
    pages: list[ScreenPage] = [("champion", None, 0, (), "main")] if won else []
    last = [rounds[-1] for rounds in (contest.main, contest.consolante) if rounds]
    for round_ in () if over else playing or last:
        seeking = (
            len(round_.open) == len(round_.played) > FEW
        )  # nobody has finished: all look for their tables
        step, many = (NAMES, len(round_.players)) if seeking else (tables_on(contest), len(round_.played))
        kind = "names" if seeking else "round"
        pages += [(kind, round_, first, (), round_.stage) for first in range(0, many, step)]
    if pages and pages[0][0] == "names":
        return pages
    if contest.formula.knock_out or contest.formula.kind == "poules":
        trees = ((stage, last_columns(columns(contest, stage), tables_in_tree(contest))) for stage in STAGES)
        pages += [("tree", None, 0, tree, stage) for stage, tree in trees if tree]
    if contest.main and not contest.main[0].open:
        pages.append(("ranking", None, 0, (), "main"))
    return pages or [("welcome", None, 0, (), "main")]


def names_on(round_: Round, names: Names) -> list[tuple[str, int | None]]:
    """The names of a round sorted by surname, each with its table."""
    tables = seats(round_)
    return [(name, tables[number]) for number, name in names.listed.items() if number in tables]


async def public(request: Request) -> Response:
    """Public page for phones: tables, results and ranking. No sign-in; `q` searches for a name."""
    desk: Desk = request.app.state.desk
    visit, asked = HallContext(request).visit, " ".join(request.query_params.get("q", "").split())[:80]

    def make_page() -> str:
        contest = desk.store.contest
        names = desk.store.names
        found = [n for n, name in names.items() if asked and (asked == str(n) or is_found(asked, name))]
        return render(
            visit,
            "contest/public.html",
            here="/public",
            seconds=SECONDS,
            search=asked,
            found=found,
            **shared_variables(contest, names, visit.language),
        )

    return (
        HTMLResponse(make_page())
        if asked
        else compressed_response(request, desk.cached_page(("public", visit), make_page))
    )


def shared_variables(contest: Contest, names: dict[int, str], language: Language) -> dict[str, object]:
    """Variables of both the screen and the public page."""
    at = now()
    found = standing(contest, at, language)
    return {
        "contest": contest,
        "names": names,
        "round_name": partial(round_name, contest, language),
        "names_of": lambda players: ", ".join(names[player] for player in players),
        "late_numbers": ", ".join(str(table.number) for _, table in found["late"]),
        "room": lambda table: room_of(contest, table),
        "ranking": ranking(contest),
        "clock": clock(at, language),
        **found,
    }


async def stream(request: Request) -> Response:
    """A stream of the last act's number, at which pages reload."""
    return EventStream(request.app.state.limits, screen_events(request.app.state.desk))


async def screen_events(desk: Desk) -> AsyncIterator[bytes]:
    loop, moved = asyncio.get_running_loop(), asyncio.Event()
    with desk.store.watching(lambda: loop.call_soon_threadsafe(moved.set)):
        yield b"retry: 2000\n\n"
        while not desk.closing:
            moved.clear()
            yield b"data: %d\n\n" % desk.store.contest.head.n
            with suppress(TimeoutError):
                async with asyncio.timeout(PING):
                    await moved.wait()
