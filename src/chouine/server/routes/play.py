"""The table: its page, its links, and its news, in answers that last until their reader leaves or the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import suppress
from zlib import crc32

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chouine.server.circle.company import HIDDEN, SILENT
from chouine.server.database import Unreachable
from chouine.server.forms import MOST, number_of
from chouine.server.frame_updates import HELLO, FrameEncoder, FrameUpdate
from chouine.server.limits import EventStream
from chouine.server.pages.company import absence, others_at
from chouine.server.pages.frames import Viewer
from chouine.server.pages.join import links_page
from chouine.server.routes.commands import observer_of
from chouine.server.routes.context import Context
from chouine.server.routes.tables import beside_of
from chouine.server.services import services_of
from chouine.table.state import Phase, TableState

PING = 15.0
"""Seconds without news after which a stream sends a keep-alive."""
RETRY = 2000
"""Milliseconds until a lost stream is reopened, randomly up to twice as many, so that clients do not return at
once."""
RENEW = b"event: renew\ndata: 1\n\n"
"""Tells a page that a newer version of the program goes on: it reconnects, and then loads itself anew."""


class LongAnswer(EventStream):
    """An answer that lasts. The next piece is made once the reader has taken what came before.

    So a slow reader costs no more than another.
    """

    account = ""
    """The account of a program, whose streams are counted; empty for a browser's."""

    def __init__(self, context: Context, pieces: AsyncIterable[bytes]) -> None:
        super().__init__(context.limits, pieces)
        self.context = context
        self.moved = asyncio.Event()
        """Set whenever there may be news, and at the end."""
        self.left = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.limits.stream(scope, self.account):
            leaving = asyncio.create_task(self.until_left(receive))
            try:
                await self.stream_response(send)
            finally:
                leaving.cancel()

    async def stream_response(self, send: Send) -> None:
        """Send the pieces without keeping references to those already sent."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for chunk in self.body_iterator:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            del chunk
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def until_left(self, receive: Receive) -> None:
        await self.listen_for_disconnect(receive)
        self.left = True
        self.moved.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news, and tell whether there may be some."""
        try:
            async with asyncio.timeout(seconds):
                return await self.moved.wait()
        except TimeoutError:
            return False

    @property
    def over(self) -> bool:
        """Whether the stream must end: its reader is gone, or signed out, or goes to another node."""
        stopping = services_of(self.context.request).stopping.is_set()
        return self.left or stopping or self.context.tables.superseded or self.context.signed_out


def spread_over(guest: str, span: int) -> int:
    """A number below `span`, always the same for a guest: so that clients do not all return at once."""
    return crc32(guest.encode()) % span


async def table(request: Request) -> Response:
    """The table's page, or the seats still to be taken."""
    context = await Context.of(request)
    table_id, table = await context.table()
    if table.phase is Phase.SEATING and table.held_by(context.visitor.guest):
        return await context.page(links_page(context.visit, table_id, table, links(context, table_id, table)))
    guest, company = context.visitor.guest, services_of(request).company
    others = await missed_by(context, table)
    if others and not context.head:
        company.note_page(table_id, guest)
    away = absence(context.visit, table, await company.find_absent(table_id, others), context.tables.clock())
    viewer, beside = Viewer(context.visit, table_id, observer_of(context, table)), ""
    if table.slow:
        beside = await beside_of(context, table_id, table)
    return await context.page(viewer.page(table, away=away, beside=beside))


async def missed_by(context: Context, table: TableState) -> frozenset[str]:
    """The others of whom a visitor is told when they leave a table: not where one has blocked the other."""
    others = others_at(table, context.visitor.guest)
    return (
        others - await services_of(context.request).people.find_kept_apart(context.visitor.guest)
        if others
        else others
    )


async def tell_here(request: Request) -> Response:
    """A page at a table tells that it is there: in sight, out of sight (`hidden`), or being closed (`leaving`).

    Nothing is read of the database; whoever does not sit there is not looked for.
    """
    context = await Context.of_command(request)
    asked, company = request.query_params, services_of(request).company
    table_id, guest = context.table_id, context.visitor.guest
    if context.visitor.new or context.head:
        return Response(status_code=204)
    if "leaving" in asked:
        company.note_leaving(table_id, guest)
    else:
        company.note_here(table_id, guest, HIDDEN if "hidden" in asked else SILENT)
    return Response(status_code=204)


async def links_of(request: Request) -> Response:
    """The page of a table's links: to invite, to return on another device, to let others watch."""
    context = await Context.of(request)
    table_id, table = await context.table()
    return await context.page(links_page(context.visit, table_id, table, links(context, table_id, table)))


def links(context: Context, table_id: str, table: TableState) -> dict[int, str]:
    """Links for a seated guest: one per empty seat, to send to a friend, and one's own, to return by."""
    guest, base = context.visitor.guest, services_of(context.request).site.base(context.request)
    if not table.held_by(guest):
        return {}
    return {
        seat: f"{base}/join/{table_id}/{seat}/{context.secrets.seat(table_id, seat, table.holders[seat].guest)}"
        for seat in sorted(table.people)
        if table.holders[seat].guest in (None, guest)
    }


async def frame_updates(
    context: Context, table_id: str, table: TableState, viewer: Viewer
) -> tuple[TableState, list[FrameUpdate]]:
    """The current table, and the frames of each entry since `table` for this observer, up to a change of holders.

    A reader who missed more than is cached is shown the current state alone.
    """
    steps = context.tables.steps(table_id, table.n)
    if steps is None:
        _, present = await context.table()
        seen = observer_of(context, present) == viewer.observer
        return present, [FrameUpdate(present.n, [viewer.frame(present)])] if seen else []
    missed: list[FrameUpdate] = []
    for step in steps:
        if observer_of(context, step.after) != viewer.observer:
            return step.after, missed
        if missed:
            await asyncio.sleep(0)  # others are served between two entries
        missed.append(FrameUpdate(step.after.n, viewer.frames(step.before, step.entry, step.after)))
        table = step.after
    return table, missed


def since(
    context: Context, table_id: str, table: TableState, observer: int | None
) -> tuple[TableState, list[FrameUpdate]]:
    """Where news starts: the state that the client saw last, by its entry's number, and nothing to send yet.

    If it is unknown or too long ago: the present state, and a frame that shows it.
    """
    named = context.request.headers.get("last-event-id") or context.request.query_params.get("after", "")
    n = number_of(named, MOST) if named else table.n
    if n == table.n:
        return table, []
    if n and (steps := context.tables.steps(table_id, n)):
        return steps[0].before, []
    return table, [FrameUpdate(table.n, [Viewer(context.visit, table_id, observer).frame(table)])]


async def events(request: Request) -> Response:
    """The news since an entry as one response, for clients that poll."""
    context = await Context.of(request)
    table_id, table = await context.table()
    observer = observer_of(context, table)
    begun, shown = since(context, table_id, table, observer)
    _, missed = await frame_updates(context, table_id, begun, Viewer(context.visit, table_id, observer))
    encoder, company = FrameEncoder(), services_of(request).company
    others = await missed_by(context, table)
    absent = await company.find_absent(table_id, others)
    away = absence(context.visit, table, absent, context.tables.clock())
    news = [*banner_news(context, "banner" in request.query_params)]
    if away or "away" in request.query_params:
        news.append(away_news(away))
    body = b",".join([*map(encoder.encode, (*shown, *missed)), *news])
    return Response(b"[%b]" % body, media_type="application/json")


def banner_news(context: Context, shown: object) -> list[bytes]:
    """The keeper's banner as news without frames; none if there is no banner and none is `shown`."""
    board, visit = services_of(context.request).board, context.visit
    text = board.text(visit.language, visit.zone)
    news = {"n": 0, "frames": [], "banner": text, "rests": board.rests()}
    return [msgspec.json.encode(news)] if text or shown else []


def away_news(sentence: str) -> bytes:
    """Who has left the table, as news without frames."""
    return msgspec.json.encode({"n": 0, "frames": [], "away": sentence})


class Stream(LongAnswer):
    """Server-sent events until the stream ends or its reader leaves."""

    def __init__(
        self,
        context: Context,
        table_id: str,
        begun: TableState,
        shown: list[FrameUpdate],
        observer: int | None,
        others: frozenset[str] = frozenset(),
    ) -> None:
        """`others`: those of whom the reader is told when they leave the table."""
        super().__init__(context, self.server_sent())
        self.table_id, self.present, self.shown = table_id, begun, shown
        self.viewer, self.encoder = Viewer(context.visit, table_id, observer), FrameEncoder()
        self.banner = banner_news(context, "banner" in context.request.query_params)
        self.others, self.away = others, "?" if "away" in context.request.query_params else ""

    async def server_sent(self) -> AsyncIterator[bytes]:
        yield b"retry: %d\n%b" % (RETRY + spread_over(self.context.visit.guest, RETRY), HELLO)
        for news in self.banner:
            yield b"data: %b\n\n" % news
        while self.shown:
            yield self.event(self.shown.pop(0))
        tables, company = self.context.tables, services_of(self.context.request).company
        with (
            tables.watching(self.table_id, self.moved),
            company.watching(self.table_id, self.others, self.moved),
        ):
            with suppress(Unreachable):
                await tables.table(self.table_id)  # events since then; later ones arrive by subscription
            while not self.over:
                self.moved.clear()
                for item in await self.news():
                    yield self.event(item)
                    del item
                if (banner := banner_news(self.context, self.banner)) != self.banner:
                    self.banner = banner
                    yield b"data: %b\n\n" % banner[0]
                if (away := self.absence()) != self.away:
                    self.away = away
                    yield b"data: %b\n\n" % away_news(away)
                if observer_of(self.context, self.present) != self.viewer.observer:
                    return
                if not await self.wait(PING):
                    yield b": alive\n\n"
            if tables.superseded:
                yield RENEW

    def absence(self) -> str:
        """Who has left the table and may return, in words; empty where nobody has."""
        if not self.others:
            return ""
        absent = services_of(self.context.request).company.absent_guests(self.table_id, self.others)
        still = absent & others_at(self.present, self.context.visitor.guest)
        return absence(self.context.visit, self.present, still, self.context.tables.clock()) if still else ""

    def event(self, item: FrameUpdate) -> bytes:
        """One server-sent event, numbered so that a client resumes after it."""
        return b"id: %d\ndata: %b\n\n" % (item.n, self.encoder.encode(item))

    async def news(self) -> list[FrameUpdate]:
        """News since the last call; none while the database does not answer."""
        if not self.context.sure:
            return []
        try:
            self.present, missed = await frame_updates(self.context, self.table_id, self.present, self.viewer)
        except Unreachable:
            return []
        return missed


async def stream(request: Request) -> Response:
    """The stream of news after the entry that the client names (server-sent events)."""
    context = await Context.of(request)
    table_id, table = await context.table()
    observer = observer_of(context, table)
    begun, shown = since(context, table_id, table, observer)
    return Stream(context, table_id, begun, shown, observer, await missed_by(context, table))
