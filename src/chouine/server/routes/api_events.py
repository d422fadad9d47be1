"""The API's events: the present state of a program's tables, then each change, as a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, suppress
from math import inf
from time import monotonic

import msgspec

from chouine.server.api import shapes
from chouine.server.api.document import Caller
from chouine.server.api.seat_view import table_of
from chouine.server.database import Unreachable
from chouine.server.routes.play import LongAnswer, links
from chouine.server.store import Gone
from chouine.server.tokens import Tokens
from chouine.table import Phase, TableState

PING = 15.0
"""Seconds without news after which a stream sends an empty line."""
LOOK = 5.0
"""Seconds after which a stream looks whether its token still holds, and for tables taken elsewhere."""
FOLLOWED = 50
"""Most tables that one stream or list tells of: the newest."""


def seen_by(caller: Caller, table_id: str, table: TableState, seat: int) -> shapes.Table:
    """The table as a seat of the caller's knows it, with the links to its empty seats."""
    context = caller.context
    inviting = table.phase is Phase.SEATING
    empty = {
        place: link
        for place, link in (links(context, table_id, table) if inviting else {}).items()
        if table.holders[place].guest is None
    }
    return table_of(table_id, table, seat, context.tables.clock(), empty)


class Events(LongAnswer):
    """The states of the caller's tables as they change, one JSON object a line; of one table if it is named."""

    media_type = "application/x-ndjson"

    def __init__(self, caller: Caller, only: str = "") -> None:
        super().__init__(caller.context, self.lines())
        self.caller, self.only, self.account = caller, only, f"account {caller.holder.guest}"
        self.sent: dict[tuple[str, int], int] = {}
        """The number of entries last told, by table and seat."""
        self.begun = caller.context.tables.clock()

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines; an empty one where there is nothing to say. The first comes once the tables are followed."""
        tables, guest = self.context.tables, self.caller.holder.guest
        looked, written = 0.0, inf
        followed: dict[str, TableState | None] = {}
        watched: dict[str, ExitStack] = {}
        with ExitStack() as whole:
            while not self.over:
                self.moved.clear()
                if monotonic() - looked >= LOOK:
                    looked = monotonic()
                    with suppress(Unreachable):
                        if await Tokens(tables.store, tables.clock).holder(self.caller.token) is None:
                            yield line_of(shapes.Event("end", error="unknown-token"))
                            return
                        for table_id in [self.only] if self.only else await self.playing():
                            if table_id not in followed:
                                watched[table_id] = whole.enter_context(ExitStack())
                                watched[table_id].enter_context(tables.watching(table_id, self.moved))
                                followed[table_id] = await tables.table(table_id)
                        for table_id in ended_among(followed)[:-FOLLOWED]:
                            watched.pop(table_id).close()
                            del followed[table_id]
                        if written == inf:  # until now nothing was to be written
                            written = 0.0
                for table_id in [*followed]:
                    with suppress(Unreachable, Gone):
                        table = followed[table_id] = await self.present(table_id, followed[table_id])
                        for event in self.news(table_id, table, guest):
                            yield line_of(event)
                            written = monotonic()
                            looked = 0.0 if event.type == "over" else looked
                            if self.only and event.type == "over":
                                return
                if monotonic() - written >= PING:
                    yield b"\n"
                    written = monotonic()
                await self.wait(LOOK)

    async def playing(self) -> list[str]:
        """The caller's tables whose match was not over when this stream began."""
        store, guest = self.context.tables.store, self.caller.holder.guest
        return await store.playing_ids_of(guest, FOLLOWED, self.begun)

    async def present(self, table_id: str, known: TableState | None) -> TableState | None:
        """A table's present state, from the node's memory where that goes on from the `known` one."""
        tables = self.context.tables
        steps = tables.steps(table_id, known.n) if known else None
        if steps is None:
            return await tables.table(table_id)
        return steps[-1].after if steps else known

    def news(self, table_id: str, table: TableState | None, guest: str) -> list[shapes.Event]:
        """What a table's state tells the caller's seats that they were not told."""
        found: list[shapes.Event] = []
        for seat in table.held_by(guest) if table else ():
            before = self.sent.get((table_id, seat))
            if table is None or before == table.n:
                continue
            self.sent[table_id, seat] = table.n
            over = table.phase is Phase.OVER
            told = seen_by(self.caller, table_id, table, seat)
            found.append(shapes.Event("over" if over else "start" if before is None else "change", told))
        return found


def ended_among(followed: Mapping[str, TableState | None]) -> list[str]:
    """The tables whose match is over, in the order in which they were taken up."""
    return [name for name, table in followed.items() if table is None or table.phase is Phase.OVER]


def line_of(event: shapes.Event) -> bytes:
    """An event as a line."""
    return msgspec.json.encode(event) + b"\n"
