"""What a database need not keep for ever: which tables go, by settings, and their removal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from chouine.server.schema import entry, game, mailbox, review, seat, subscription
from chouine.server.store import Store

DAY = 24 * 3600.0
AT_ONCE = 100
"""Tables removed in one transaction: play goes on in between."""


@dataclass(frozen=True, slots=True)
class RetentionDays:
    """For how many days; None: for ever. By default nothing goes that anybody has in their list of matches."""

    nobodys: float | None = 7.0
    """Tables of computers alone, from their last entry."""
    abandoned: float | None = None
    """Matches of people that are not over, from their last entry."""
    finished: float | None = None
    """Matches of people that are over, from their last entry."""
    quota: int | None = None
    """Tables of one visitor, the newest: of those that they set."""


@dataclass(frozen=True, slots=True)
class Going:
    """A table that may go, and why: `nobodys`, `abandoned`, `finished`, `quota`."""

    game: str
    why: str
    last: float
    """When its last entry was made."""
    entries: int


async def going(store: Store, keep: RetentionDays) -> list[Going]:
    """What these settings let go, the oldest first."""
    now = await store.now()
    rows = await store.database.read(lambda connection: connection.execute(TABLES).all())
    newest: dict[str, int] = {}
    found = []
    for row in rows:  # the newest first
        newest[row.owner] = newest.get(row.owner, 0) + 1
        last = row.last if row.last is not None else row.opened
        why = reason(row, (now - last) / DAY, newest[row.owner], keep)
        if why:
            found.append(Going(row.id, why, last, row.entries))
    return found[::-1]


def reason(row: Any, days: float, nth: int, keep: RetentionDays) -> str:
    """Why a table may go; empty if it stays."""
    if not row.guests:
        return "nobodys" if keep.nobodys is not None and days >= keep.nobodys else ""
    kept, why = (keep.finished, "finished") if row.over else (keep.abandoned, "abandoned")
    if kept is not None and days >= kept:
        return why
    return "quota" if row.owner and keep.quota is not None and nth > keep.quota else ""


async def remove(store: Store, tables: Sequence[Going]) -> None:
    """Each with its log, its seats and its reviews, or not at all; of who sits nowhere any more, how to reach them."""
    for start in range(0, len(tables), AT_ONCE):
        names = [table.game for table in tables[start : start + AT_ONCE]]

        def change(connection: sa.Connection, names: Sequence[str] = names) -> None:
            for table in (entry, seat, review):
                connection.execute(table.delete().where(table.c.game.in_(names)))
            connection.execute(game.delete().where(game.c.id.in_(names)))
            for table in (subscription, mailbox):
                connection.execute(table.delete().where(table.c.guest.not_in(sa.select(seat.c.guest))))

        await store.database.write(change)


LOGS = (
    sa.select(entry.c.game, sa.func.max(entry.c.at).label("last"), sa.func.count().label("entries"))
    .group_by(entry.c.game)
    .subquery()
)
SEATED = sa.select(seat.c.game, sa.func.count().label("guests")).group_by(seat.c.game).subquery()
TABLES = (
    sa.select(
        game.c.id,
        game.c.opened,
        game.c.over,
        game.c.owner,
        LOGS.c.last,
        sa.func.coalesce(LOGS.c.entries, 0).label("entries"),
        sa.func.coalesce(SEATED.c.guests, 0).label("guests"),
    )
    .select_from(game.outerjoin(LOGS, LOGS.c.game == game.c.id).outerjoin(SEATED, SEATED.c.game == game.c.id))
    .order_by(game.c.opened.desc(), game.c.id)
)
