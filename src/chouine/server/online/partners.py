"""Strangers who meet: who waits for a partner, who sits down with them, and who never plays with whom again.

All of it is in the store, so that any node serves anybody. A wait lasts while its page keeps asking.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.errors import ChouineError
from chouine.server.online.waits import LONGEST, Blocked, Wait, Waiter
from chouine.server.schema import block, report, waiting
from chouine.server.steps import new_id
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table.entries import ClockTerms, Opened, SeatHolder

FRESH = 75.0
"""Seconds without a question until a page counts as left: browsers let hidden pages ask once a minute."""
AWAY = 8.0
"""Seconds that a page has to ask again after it said that it is being left: it may only be loaded anew."""
ASKED = 5.0
"""Seconds between two notes that somebody is still there."""
LISTED = 20
BLOCKED = 100
"""People whom one visitor may refuse to meet."""
RULES, FORMAT, CLOCK = "classic", "3x1", ClockTerms(60, 300)
"""What strangers play. The clock lets nobody be held at a table that the other has left."""


class PairRefused(ChouineError):
    """Two do not sit down together; `code` is `partners/…`."""


@dataclass(frozen=True, slots=True)
class AbuseReport:
    """What was told to the keeper; `seat` counts from 0, `at` is seconds since 1970."""

    id: str
    at: float
    game: str
    seat: int
    name: str
    reason: str
    words: str


class Partners:
    """Everybody who waits for a partner at the nodes of a store."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store, self.clock = store, clock

    async def wait(self, guest: str, name: str) -> None:
        """Begin to wait, or wait on under another name."""
        if not name:
            raise PairRefused("partners/no-name")
        now = self.clock()
        values = {"id": secrets.token_urlsafe(8), "name": name, "since": now, "seen": now, "game": ""}

        def change(connection: sa.Connection) -> None:
            connection.execute(waiting.delete().where(waiting.c.seen < now - LONGEST))
            mine = connection.execute(waiting.update().where(waiting.c.guest == guest).values(values))
            if not mine.rowcount:
                connection.execute(waiting.insert().values(values | {"guest": guest}))

        await self.store.database.write(change)

    async def leave(self, guest: str, game: str = "") -> None:
        """Wait no longer, unless somebody has sat down meanwhile; with `game`, the visitor goes to that table."""
        gone = waiting.delete().where(waiting.c.guest == guest, waiting.c.game == game)
        await self.store.database.write(lambda connection: connection.execute(gone))

    async def away(self, guest: str) -> None:
        """The page that waits is being left: unless it asks again soon, the wait ends."""
        seen = self.clock() - FRESH + AWAY
        change = waiting.update().where(waiting.c.guest == guest).values(seen=seen)
        await self.store.database.write(lambda connection: connection.execute(change))

    async def own(self, guest: str) -> Wait | None:
        """A visitor's own wait, whose page asks: it lasts on. None where there is none, or it is over."""
        rows = await self._rows(sa.select(waiting).where(waiting.c.guest == guest))
        if not rows:
            return None
        row, now = rows[0], self.clock()
        if row.game:
            return Wait(row.name, row.since, row.game)
        if not lasting(row.since, row.seen, now):
            await self.leave(guest)
            return None
        if row.seen < now - ASKED:
            here = waiting.update().where(waiting.c.guest == guest, waiting.c.game == "").values(seen=now)
            await self.store.database.write(lambda connection: connection.execute(here))
        return Wait(row.name, row.since, "")

    async def listed(self, guest: str) -> list[Waiter]:
        """With whom a visitor may sit down now, who has waited longest first."""
        now = self.clock()
        refused = sa.select(block.c.other).where(block.c.guest == guest)
        refusing = sa.select(block.c.guest).where(block.c.other == guest)
        query = (
            sa.select(waiting.c.id, waiting.c.name, waiting.c.since)
            .where(
                waiting.c.game == "",
                waiting.c.seen > now - FRESH,
                waiting.c.since > now - LONGEST,
                waiting.c.guest != guest,
                waiting.c.guest.not_in(refused),
                waiting.c.guest.not_in(refusing),
            )
            .order_by(waiting.c.since, waiting.c.id)
            .limit(LISTED)
        )
        return [Waiter(row.id, row.name, row.since) for row in await self._rows(query)]

    async def join(
        self, tables: Tables, guest: str, name: str, which: str, set_by: tuple[str, str] = ("", "")
    ) -> str:
        """Open a table with a waiting visitor. `PairRefused` if that visitor no longer waits, whatever the reason."""
        rows = await self._rows(sa.select(waiting).where(waiting.c.id == which))
        if not rows or which not in {waiter.id for waiter in await self.listed(guest)}:
            raise PairRefused("partners/gone")
        host, game, now = rows[0], new_id(), self.clock()

        def claim(connection: sa.Connection) -> None:
            """Both are free still: their rows are locked in one order, so that two pairs never wait for each other."""
            both = sa.select(waiting).where(waiting.c.guest.in_((guest, host.guest)))
            locked = connection.execute(both.order_by(waiting.c.guest).with_for_update()).all()
            found = {row.guest: row for row in locked}
            if guest in found and found[guest].game:
                raise PairRefused("partners/found")
            there = found.get(host.guest)
            if there is None or there.id != which or there.game or not lasting(there.since, there.seen, now):
                raise PairRefused("partners/gone")
            connection.execute(waiting.delete().where(waiting.c.guest == guest))
            connection.execute(waiting.update().where(waiting.c.guest == host.guest).values(game=game))

        shown = f"{name[:22]} 2" if name and name == host.name else name
        holders = SeatHolder("person", host.name, host.guest), SeatHolder("person", shown, guest)
        return await tables.open(Opened(RULES, FORMAT, holders, CLOCK), game, set_by, claim=claim)

    async def block(self, guest: str, other: str, name: str) -> None:
        """Never meet again, either way."""
        if len(await self.blocked(guest)) >= BLOCKED:
            raise PairRefused("partners/too-many", most=BLOCKED)
        values = {"guest": guest, "other": other, "name": name, "at": self.clock()}
        await self._once(block, values)

    async def blocked(self, guest: str) -> dict[str, Blocked]:
        """Whom a visitor refuses to meet, the latest first, each by what a form calls them."""
        query = sa.select(block.c.other, block.c.name).where(block.c.guest == guest)
        rows = await self._rows(query.order_by(block.c.at.desc(), block.c.other))
        return {called(guest, row.other): Blocked(row.other, row.name) for row in rows}

    async def unblock(self, guest: str, which: str) -> None:
        """They may meet again."""
        found = (await self.blocked(guest)).get(which)
        if found is not None:
            gone = block.delete().where(block.c.guest == guest, block.c.other == found.other)
            await self.store.database.write(lambda connection: connection.execute(gone))

    async def report(self, guest: str, game: str, seat: int, name: str, reason: str, words: str) -> None:
        """Tell the keeper of the server, once, about a seat of a match."""
        about = {"game": game, "guest": guest, "seat": seat, "name": name, "reason": reason, "words": words}
        await self._once(report, about | {"id": secrets.token_urlsafe(8), "at": self.clock()})

    async def reported(self, guest: str, game: str) -> set[int]:
        """About which seats of a match a visitor has told the keeper."""
        query = sa.select(report.c.seat).where(report.c.guest == guest, report.c.game == game)
        return {row.seat for row in await self._rows(query)}

    async def reports(self) -> list[AbuseReport]:
        """What the keeper has to deal with, the oldest first."""
        rows = await self._rows(sa.select(report).order_by(report.c.at))
        return [AbuseReport(r.id, r.at, r.game, r.seat, r.name, r.reason, r.words) for r in rows]

    async def settled(self, which: str) -> bool:
        """A report is dealt with, and kept no longer; whether there was one."""
        gone = report.delete().where(report.c.id == which)
        return bool(await self.store.database.write(lambda connection: connection.execute(gone).rowcount))

    async def _once(self, table: sa.Table, values: dict[str, Any]) -> None:
        try:
            await self.store.database.write(lambda connection: connection.execute(table.insert(), values))
        except IntegrityError:
            return  # it is there already

    async def _rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return await self.store.database.read(lambda connection: connection.execute(query).all())


def lasting(since: float, seen: float, now: float) -> bool:
    """Whether a wait that began then, and whose page asked last then, goes on."""
    return since > now - LONGEST and seen > now - FRESH


def called(guest: str, other: str) -> str:
    """What one visitor's forms call another: who that is stays with the server."""
    return hashlib.sha256(f"{guest} {other}".encode()).hexdigest()[:16]
