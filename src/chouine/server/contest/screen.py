"""The hall's screen, which cycles through its pages, and the page for phones; both show each act at once."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from chouine.desk.contest_store import now
from chouine.names import is_found
from chouine.server.contest.desk import Desk
from chouine.server.contest.request import names_of, visit_of
from chouine.server.contest.standing import clock, standing
from chouine.server.contest.tree import Column, columns, last_columns
from chouine.server.limits import Limits
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.tournament import Contest, Round, palmares
from chouine.tournament.formula import STAGES, Stage
from chouine.tournament.views import room_of

SECONDS = 12
"""Seconds that the screen shows one of its pages."""
LINES = 10
"""Lines of the ranking on a page, in letters readable from ten metres."""
COLUMN = 70.0
"""Height of a column of tables, in percent of the screen's height; must agree with `contest.css`."""
IN_TREE = 6
"""Most tables that fit in a column of the tree; of a larger tree the last columns are shown."""
PING = 20
"""Seconds without news after which the stream sends a keep-alive."""

ScreenPage = tuple[str, Round | None, int, tuple[Column, ...], Stage]


async def screen(request: Request) -> Response:
    """One page of the hall's screen; it advances to the next by itself, even without a script."""
    desk: Desk = request.app.state.desk
    visit, place = visit_of(request), screen_place(request, desk.store.contest)

    def made() -> str:
        return screen_page(visit, desk.store.contest, names_of(desk.store), place, "/screen", "/stream")

    return packed(request, desk.once(("screen", visit.language, place), made))


def screen_place(request: Request, contest: Contest) -> int:
    """The page number in a screen's address."""
    asked = request.query_params.get("page", "")
    return (
        int(asked) % len(screen_pages(contest))
        if asked.isascii() and asked.isdigit() and len(asked) < 6
        else 0
    )


def screen_page(
    visit: Visit, contest: Contest, names: dict[int, str], place: int, here: str, stream: str = ""
) -> str:
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
        seconds=SECONDS,
        lines=LINES if kind == "ranking" else tables_on(contest),
        **shared(contest, names),
    )


def packed(request: Request, page: bytes) -> Response:
    """The response for a page that is already compressed."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        return HTMLResponse(page, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
    return HTMLResponse(gzip.decompress(page))


def tables_on(contest: Contest) -> int:
    """Number of tables that fit one page in two columns: each has a line for every entry, and one for its room."""
    height = 1.2 + 5.75 * contest.formula.seats + (4.0 if contest.opened.rooms else 0)
    return 2 * int(COLUMN / height)


def screen_pages(contest: Contest) -> list[ScreenPage]:
    """The screen's pages: open rounds (else the last ones drawn) in pieces, trees, the ranking."""
    rounds = [round_ for round_ in contest.all_rounds() if round_.open]
    rounds = rounds or [rounds_[-1] for rounds_ in (contest.main, contest.consolante) if rounds_]
    pages: list[ScreenPage] = [
        ("round", round_, first, (), round_.stage)
        for round_ in rounds
        for first in range(0, len(round_.played), tables_on(contest))
    ]
    if contest.formula.knock_out or contest.formula.kind == "poules":
        trees = ((stage, last_columns(columns(contest, stage), IN_TREE)) for stage in STAGES)
        pages += [("tree", None, 0, tree, stage) for stage, tree in trees if tree]
    if contest.main and not contest.main[0].open:
        pages.append(("ranking", None, 0, (), "main"))
    return pages or [("welcome", None, 0, (), "main")]


async def public(request: Request) -> Response:
    """Public page for phones: tables, results and ranking. No sign-in; `q` searches for a name."""
    desk: Desk = request.app.state.desk
    visit, asked = visit_of(request), " ".join(request.query_params.get("q", "").split())[:80]

    def made() -> str:
        contest = desk.store.contest
        names = names_of(desk.store)
        found = [n for n, name in names.items() if asked and (asked == str(n) or is_found(asked, name))]
        return render(
            visit,
            "contest/public.html",
            here="/public",
            seconds=SECONDS,
            search=asked,
            found=found,
            **shared(contest, names),
        )

    return HTMLResponse(made()) if asked else packed(request, desk.once(("public", visit.language), made))


def shared(contest: Contest, names: dict[int, str]) -> dict[str, object]:
    """Variables of both the screen and the public page."""
    at = now()
    found = standing(contest, at)
    return {
        "contest": contest,
        "names": names,
        "names_of": lambda players: ", ".join(names[player] for player in players),
        "late_numbers": ", ".join(str(table.number) for _, table in found["late"]),
        "room": lambda table: room_of(contest, table),
        "palmares": palmares(contest),
        "clock": clock(at),
        **found,
    }


async def stream(request: Request) -> Response:
    """A stream of the last act's number, at which pages reload."""
    limits: Limits = request.app.state.limits
    desk: Desk = request.app.state.desk
    return StreamingResponse(
        screen_events(desk, limits, request),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def screen_events(desk: Desk, limits: Limits, request: Request) -> AsyncIterator[bytes]:
    loop, moved = asyncio.get_running_loop(), asyncio.Event()
    with limits.stream(request.scope), desk.store.watching(lambda: loop.call_soon_threadsafe(moved.set)):
        yield b"retry: 2000\n\n"
        while not desk.closing:
            moved.clear()
            yield b"data: %d\n\n" % desk.store.contest.head.n
            with suppress(TimeoutError):
                async with asyncio.timeout(PING):
                    await moved.wait()
