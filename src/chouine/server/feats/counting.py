"""Tallies in the database: a person's finished matches are counted when somebody looks, each once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
import sqlalchemy as sa

from chouine.server.codec import decode_brief
from chouine.server.database import Damaged
from chouine.server.feats.statistics import Counted
from chouine.server.feats.tally import VERSION, decode, encode, tally_of
from chouine.server.schema import playing_table, seat, tally
from chouine.server.store import Store
from chouine.server.tables import Tables

AT_ONCE = 40
"""Matches counted for one request: some tens of milliseconds each, between which others are served."""


async def count_matches(tables: Tables, guest: str, most: int = AT_ONCE) -> int:
    """Count a guest's finished matches that are not counted yet; returns how many are left for the next time."""
    rows = await tables.store.database.read(
        lambda connection: connection.execute(seats_to_count(guest)).all()
    )
    for row in rows[:most]:
        await asyncio.sleep(0)
        counted = await count_match(tables, row.table_id, row.seat, guest)
        await tables.store.database.write(lambda connection, counted=counted: replace(connection, counted))  # type: ignore[misc]
    return max(0, len(rows) - most)


def seats_to_count(guest: str) -> sa.Select[Any]:
    """The guest's seats at finished tables without a tally by this version, oldest first."""
    own = (tally.c.table_id == seat.c.table_id, tally.c.seat == seat.c.seat, tally.c.guest == seat.c.guest)
    counted = sa.exists().where(*own, tally.c.version == VERSION)
    return (
        sa.select(seat.c.table_id, seat.c.seat)
        .join(playing_table, playing_table.c.id == seat.c.table_id)
        .where(seat.c.guest == guest, playing_table.c.over, ~counted)
        .order_by(playing_table.c.opened, seat.c.table_id, seat.c.seat)
    )


async def count_match(tables: Tables, table_id: str, own: int, guest: str) -> dict[str, Any]:
    """The row of a match for a seat; without a tally for what does not count.

    That is a deal played again, a table at which the guest held several seats, and a log that cannot be read.
    """
    row = {
        "table_id": table_id,
        "seat": own,
        "guest": guest,
        "version": VERSION,
        "at": 0.0,
        "other": "",
        "body": b"",
    }
    table = None
    with suppress(Damaged):
        table = await tables.table(table_id)
    if table is None:
        return row
    row["at"] = table.since
    if table.opened.deal is None and table.held_by(guest) == (own,):
        others = [holder.guest for place, holder in enumerate(table.holders) if place != own]
        row["other"] = (others[0] or "") if len(others) == 1 else ""
        row["body"] = encode(tally_of(table, own))
    return row


def replace(connection: sa.Connection, row: dict[str, Any]) -> None:
    """Store a match's row in place of an earlier one."""
    connection.execute(tally.delete().where(tally.c.table_id == row["table_id"], tally.c.seat == row["seat"]))
    connection.execute(tally.insert().values(row))


async def counted_of(store: Store, guest: str) -> list[Counted]:
    """A guest's counted matches, oldest first."""
    query = sa.select(tally).where(tally.c.guest == guest).order_by(tally.c.at, tally.c.table_id)
    rows = await store.database.rows(query)
    return [Counted(row.table_id, row.at, row.other, decode(row.body)) for row in rows if row.body]


async def names_at(store: Store, table_ids: list[str]) -> dict[str, tuple[str, ...]]:
    """The names at finished tables, by seat; of tables that have been removed there are none."""
    query = sa.select(playing_table.c.id, playing_table.c.brief).where(
        playing_table.c.id.in_(table_ids), playing_table.c.brief.is_not(None)
    )
    found = {}
    for row in await store.database.rows(query):
        with suppress(msgspec.MsgspecError):
            found[row.id] = tuple(holder.name for holder in decode_brief(row.brief).holders)
    return found
