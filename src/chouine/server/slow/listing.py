"""A guest's tables as lists show them: one query, and a log is read only where this node does not know it yet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from math import inf
from typing import NamedTuple

import sqlalchemy as sa
import structlog

from chouine.server.schema import entry, playing_table, seat
from chouine.server.tables import Tables
from chouine.table.brief import Brief
from chouine.table.state import Phase

log = structlog.get_logger()

MOST = 200
"""Tables listed: those in progress first, then the newest."""


class ListedTable(NamedTuple):
    """A table in a list."""

    table_id: str
    opened: float
    brief: Brief

    def waits_for(self, guest: str) -> bool:
        """Whether others wait at this table for a guest: a computer waits for nobody."""
        mine, brief = self.brief.held_by(guest), self.brief
        others = any(
            holder.player == "person" and holder.guest not in (guest, None) for holder in brief.holders
        )
        return others and not brief.paused and bool(mine & brief.awaited)

    def urgency(self, guest: str) -> tuple[float, float]:
        """Which of the tables that wait for a guest come first: where their time is out soonest."""
        mine = self.brief.held_by(guest)
        return min((at for seat, at in self.brief.times_up if seat in mine), default=inf), self.opened


async def listed_tables(tables: Tables, guest: str, *, going: bool = False) -> list[ListedTable]:
    """A guest's tables, newest first; of the finished ones the newest, or with `going` none."""
    held = sa.select(seat.c.table_id).where(seat.c.guest == guest)
    length = sa.select(sa.func.max(entry.c.n)).where(entry.c.table_id == playing_table.c.id)
    query = sa.select(
        playing_table.c.id, playing_table.c.opened, playing_table.c.brief, length.scalar_subquery().label("n")
    ).where(playing_table.c.id.in_(held), ~playing_table.c.over if going else sa.true())
    query = query.order_by(playing_table.c.over, playing_table.c.opened.desc()).limit(MOST)
    rows = await tables.store.database.rows(query)
    found = []
    for row in rows:
        await asyncio.sleep(0)  # others are served between two tables that must be read
        try:
            known = None if row.brief else tables.at_hand(row.id, row.n or 0)
            brief = Brief.of(known) if known else await tables.brief(row.id, row.brief)
        except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
            log.warning("cannot list a table", kind=type(error).__name__)
            continue
        if brief is not None and not (going and brief.phase is Phase.OVER):
            found.append(ListedTable(row.id, row.opened, brief))
    return sorted(found, key=lambda one: -one.opened)


def waiting_tables(listed: Iterable[ListedTable], guest: str, but: str = "") -> list[ListedTable]:
    """Those that wait for a guest, the most urgent first, without the table `but`."""
    waiting = [one for one in listed if one.table_id != but and one.waits_for(guest)]
    return sorted(waiting, key=lambda one: one.urgency(guest))
