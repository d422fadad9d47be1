"""Finding a partner: who waits, who joins whom, and who blocks whom.

All state is in the store, so any node can serve any visitor. A wait lasts while its page keeps asking.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.errors import ChouineError
from chouine.names import another_name
from chouine.server.database import take_turns
from chouine.server.limits import NETWORK
from chouine.server.schema import block, friendship, report, waiting
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.waits import LONGEST, BlockedVisitor, Wait, Waiter
from chouine.table.entries import ClockTerms, Opened, SeatHolder
from chouine.table.state import Phase

FRESH = 75.0
"""Seconds without a request after which a waiting page counts as closed: hidden pages may ask once a minute."""
AWAY = 8.0
"""Seconds to ask again after a page said that it is being closed: it may only be reloading."""
ASKED = 5.0
"""Seconds between two updates of when a page last asked."""
LISTED = 20
BLOCKED = 100
"""Most people that one visitor may block."""
RULES, FORMAT, CLOCK = "classic", "3x1", ClockTerms(60, 300)
"""The match between strangers. Its clock frees a player whose opponent has left."""


LED = 0.0
"""When a wait began of a visitor who was led to the table at which somebody joined them."""


class PairRefused(ChouineError):
    """Two visitors cannot be paired; `code` is `partners/…`."""


def reported_at(row: sa.Row[Any]) -> str:
    """The address of the page on which the words of a report stood; a person's page is not the keeper's to see."""
    pages = {"table": f"/match/{row.table_id}", "contest": f"/contests/{row.table_id}", "people": "/operator"}
    return pages.get(row.place, "/partners")


class Partners:
    """The visitors waiting for a partner, on all nodes of a store."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store, self.clock = store, clock

    async def wait(self, guest: str, name: str, origin: str = "", *, rated: bool = False) -> None:
        """Begin to wait, or change the name; a number tells apart names that look the same.

        `origin`: a digest of the visitor's address. `rated`: whether the visitor agrees to a match for the ratings.
        """
        if not name:
            raise PairRefused("partners/no-name")
        now = self.clock()
        times = {"since": now, "seen": now}
        values: dict[str, Any] = times | {"id": secrets.token_urlsafe(8), "table_id": "", "origin": origin}
        values["rated"] = rated

        def change(connection: sa.Connection) -> None:
            connection.execute(waiting.delete().where(waiting.c.seen < now - LONGEST))
            fresh = waiting.c.seen > now - FRESH, waiting.c.since > now - LONGEST, waiting.c.guest != guest
            taken = connection.scalars(sa.select(waiting.c.name).where(*fresh))
            values["name"] = another_name(name, taken)
            mine = connection.execute(waiting.update().where(waiting.c.guest == guest).values(values))
            if not mine.rowcount:
                connection.execute(waiting.insert().values(values | {"guest": guest}))

        await self.store.database.write(change)

    async def leave(self, guest: str, table_id: str = "") -> None:
        """Stop waiting, unless somebody has joined meanwhile; with `table_id`, the visitor goes to that table."""
        gone = waiting.delete().where(waiting.c.guest == guest, waiting.c.table_id == table_id)
        await self.store.database.execute(gone)

    async def mark_away(self, guest: str) -> None:
        """The waiting page is being closed: unless it asks again soon, the wait ends."""
        seen = self.clock() - FRESH + AWAY
        change = waiting.update().where(waiting.c.guest == guest).values(seen=seen)
        await self.store.database.execute(change)

    async def own(self, guest: str) -> Wait | None:
        """A visitor's own wait, extended since its page asks. None if there is none or it has ended."""
        rows = await self.store.database.rows(sa.select(waiting).where(waiting.c.guest == guest))
        if not rows:
            return None
        row, now = rows[0], self.clock()
        if row.table_id:
            return Wait(row.name, row.since, row.table_id) if row.since != LED else None
        if not still_waits(row.since, row.seen, now):
            await self.leave(guest)
            return None
        if row.seen < now - ASKED:
            here = waiting.update().where(waiting.c.guest == guest, waiting.c.table_id == "").values(seen=now)
            await self.store.database.execute(here)
        return Wait(row.name, row.since, "")

    async def found_table(self, guest: str) -> str:
        """The table at which somebody joined a visitor, also if they were led there; or empty."""
        query = sa.select(waiting.c.table_id).where(waiting.c.guest == guest)
        return await self.store.database.read(lambda connection: connection.scalar(query)) or ""

    async def note_led(self, guest: str) -> None:
        """End the wait of a visitor who is led to their table, which is still known: the answer may be lost."""
        change = waiting.update().where(waiting.c.guest == guest, waiting.c.table_id != "").values(since=LED)
        await self.store.database.execute(change)

    async def waiting_list(self, guest: str) -> list[Waiter]:
        """The visitors whom this one may join.

        The longest wait of each address comes before the second longest of any: no address hides the others.
        """
        nth = sa.func.row_number().over(
            partition_by=sa.func.substr(waiting.c.origin, 1, NETWORK), order_by=waiting.c.since
        )
        query = self._open_to(guest).order_by(nth, waiting.c.since, waiting.c.id).limit(LISTED)
        return [
            Waiter(row.id, row.name, row.since, row.rated) for row in await self.store.database.rows(query)
        ]

    def _open_to(self, guest: str) -> sa.Select[Any]:
        """All visitors whom this one may join."""
        now = self.clock()
        refused = sa.select(block.c.other).where(block.c.guest == guest)
        refusing = sa.select(block.c.guest).where(block.c.other == guest)
        return sa.select(waiting).where(
            waiting.c.table_id == "",
            waiting.c.seen > now - FRESH,
            waiting.c.since > now - LONGEST,
            waiting.c.guest != guest,
            waiting.c.guest.not_in(refused),
            waiting.c.guest.not_in(refusing),
        )

    async def join(
        self,
        tables: Tables,
        guest: str,
        name: str,
        which: str,
        set_by: tuple[str, str] = ("", ""),
        may_take: Callable[[str], bool] = lambda _: True,
        *,
        rated: bool = False,
    ) -> str:
        """Open a table with a waiting visitor. `PairRefused` if that visitor no longer waits, whatever the reason.

        Asked again, it is the table that was opened.
        `may_take`: whether this visitor may be joined from where the request comes. `rated`: whether the one who
        joins agrees to a match for the ratings; it is one if the one who waits did too.
        """
        rows = await self.store.database.rows(self._open_to(guest).where(waiting.c.id == which))
        table_id = hashlib.sha256(f"{which} {guest}".encode()).hexdigest()[:32]
        if not rows:
            if await sits_at(tables, table_id, guest):
                return table_id
            raise PairRefused("partners/gone")
        if not may_take(rows[0].guest):
            raise PairRefused("partners/just-joined")
        host, now = rows[0], self.clock()

        def claim(connection: sa.Connection) -> None:
            """Check that both still wait. Rows are locked in a fixed order, so that two pairs cannot deadlock."""
            both = sa.select(waiting).where(waiting.c.guest.in_((guest, host.guest)))
            locked = connection.execute(both.order_by(waiting.c.guest).with_for_update()).all()
            found = {row.guest: row for row in locked}
            if guest in found and found[guest].table_id and found[guest].since != LED:
                raise PairRefused("partners/found")
            there = found.get(host.guest)
            if (
                there is None
                or there.id != which
                or there.table_id
                or not still_waits(there.since, there.seen, now)
            ):
                raise PairRefused("partners/gone")
            connection.execute(waiting.delete().where(waiting.c.guest == guest))
            connection.execute(
                waiting.update().where(waiting.c.guest == host.guest).values(table_id=table_id)
            )

        shown = another_name(name, [host.name])
        agreed = rated and host.rated
        holders = (
            SeatHolder("person", host.name, host.guest, rated=agreed),
            SeatHolder("person", shown, guest, rated=agreed),
        )
        try:
            return await tables.open(Opened(RULES, FORMAT, holders, CLOCK), table_id, set_by, claim=claim)
        except PairRefused:
            if await sits_at(tables, table_id, guest):  # the form was sent twice at once
                return table_id
            raise

    async def block(self, guest: str, other: str, name: str) -> None:
        """Block a visitor, in both directions; two who were friends no longer are."""
        values = {"guest": guest, "other": other, "name": name, "at": self.clock()}
        mine = sa.select(block.c.other).where(block.c.guest == guest)
        both = sa.or_(
            sa.and_(friendship.c.guest == guest, friendship.c.other == other),
            sa.and_(friendship.c.guest == other, friendship.c.other == guest),
        )

        def change(connection: sa.Connection) -> None:
            take_turns(connection, guest, other)
            blocked = connection.scalars(mine).all()
            if len(blocked) >= BLOCKED:
                raise PairRefused("partners/too-many", most=BLOCKED)
            if other not in blocked:
                connection.execute(block.insert().values(values))
            connection.execute(friendship.delete().where(both, friendship.c.state == "friend"))

        await self.store.database.write(change)

    async def blocked_guests(self, guest: str) -> dict[str, BlockedVisitor]:
        """Visitors that one has blocked, latest first, by the identifier that their forms use."""
        query = sa.select(block.c.other, block.c.name).where(block.c.guest == guest)
        rows = await self.store.database.rows(query.order_by(block.c.at.desc(), block.c.other))
        return {pseudonym(guest, row.other): BlockedVisitor(row.other, row.name) for row in rows}

    async def unblock(self, guest: str, which: str) -> None:
        """Undo a block."""
        found = (await self.blocked_guests(guest)).get(which)
        if found is not None:
            gone = block.delete().where(block.c.guest == guest, block.c.other == found.other)
            await self.store.database.execute(gone)

    async def report(
        self, guest: str, table_id: str, seat: int, name: str, reason: str, words: str, **whose: str
    ) -> None:
        """Report somebody's words to the server's keeper; a second report of the same changes nothing.

        `whose`: `place` and `other` of `schema.report`.
        """
        about = {"table_id": table_id, "guest": guest, "seat": seat, "name": name, "reason": reason}
        about |= {"words": words, "id": secrets.token_urlsafe(8), "at": self.clock(), **whose}
        await self._insert_once(report, about)

    async def reports(self) -> Sequence[sa.Row[Any]]:
        """Open reports, oldest first, as rows."""
        return await self.store.database.rows(sa.select(report).order_by(report.c.at))

    async def settle_report(self, which: str) -> bool:
        """Delete a report. Returns whether it existed."""
        gone = report.delete().where(report.c.id == which)
        return await self.store.database.execute(gone) > 0

    async def _insert_once(self, table: sa.Table, values: dict[str, Any]) -> None:
        try:
            await self.store.database.execute(table.insert().values(values))
        except IntegrityError:
            return  # it is there already


async def sits_at(tables: Tables, table_id: str, guest: str) -> bool:
    """Whether a guest has a seat at a table."""
    table = await tables.table(table_id)
    return table is not None and bool(table.held_by(guest))


async def calls(tables: Tables, table_id: str, guest: str) -> bool:
    """Whether a table waits for a guest to draw for the deal: they may not have come there yet."""
    table = await tables.table(table_id)
    return (
        table is not None
        and table.phase is Phase.TIRAGE
        and bool(table.awaited.intersection(table.held_by(guest)))
    )


def still_waits(since: float, seen: float, now: float) -> bool:
    """Whether a wait is still valid, from its beginning and its page's last request."""
    return since > now - LONGEST and seen > now - FRESH


def pseudonym(guest: str, other: str) -> str:
    """The identifier by which one visitor's forms name another; it does not reveal the guest."""
    return hashlib.sha256(f"{guest} {other}".encode()).hexdigest()[:16]
