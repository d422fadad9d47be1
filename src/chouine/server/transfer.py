"""Copy a whole database into an empty one, of either kind; then verify the copy and replay every match."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from gettext import gettext as _
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from chouine.server.codec import decode
from chouine.server.engines import engine_of
from chouine.server.migrations import TooNew, needed_version
from chouine.server.records import proof_of
from chouine.server.schema import STORED_VERSION, VERSION, entry, metadata
from chouine.table.evolve import rebuild

AT_ONCE = 2000
"""Rows copied at a time."""


class CannotTransfer(Exception):
    """Nothing could be copied, or the copy failed verification; the target is unchanged."""


@dataclass(frozen=True, slots=True)
class TransferSummary:
    """What the target holds after the copy."""

    rows: dict[str, int]
    parties: int
    """Finished parties, each replayed and its deal verified."""
    damaged: list[str]
    """Tables whose log could not be replayed; they are copied as they are."""


async def transfer(source: str, target: str) -> TransferSummary:
    """Copy a consistent snapshot of everything in one transaction."""
    async with snapshot(source) as there, engine(target) as here:
        await check_shape(there, source)
        for table in metadata.sorted_tables:
            if (await here.execute(sa.select(sa.func.count()).select_from(table))).scalar():
                raise CannotTransfer(
                    _("the target is not empty: it has rows in %(table)s") % {"table": table.name}
                )
        sums = {table.name: await carry_rows(there, here, table) for table in metadata.sorted_tables}
        for table in metadata.sorted_tables:
            if await carry_rows(here, None, table) != sums[table.name]:
                raise CannotTransfer(
                    _("%(table)s: what was read back is not what was written") % {"table": table.name}
                )
        parties, damaged = await replay_logs(here)
    return TransferSummary({name: rows for name, (rows, _sum) in sums.items()}, parties, damaged)


@asynccontextmanager
async def engine(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection in one transaction, rolled back on any error."""
    reached = engine_of(url)
    try:
        async with reached.begin() as connection:
            yield connection
    finally:
        await reached.dispose()


@asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[AsyncConnection]:
    """A consistent snapshot of a database while others write to it."""
    reached = engine_of(url)
    level = "AUTOCOMMIT" if reached.dialect.name == "sqlite" else "REPEATABLE READ"
    try:
        async with reached.execution_options(isolation_level=level).connect() as connection:
            if reached.dialect.name == "sqlite":
                await connection.exec_driver_sql("BEGIN")
            yield connection
    finally:
        await reached.dispose()


async def check_shape(connection: AsyncConnection, which: str) -> None:
    """Raise `CannotTransfer` or `TooNew` unless the schema has what this program knows and no more: all is copied."""
    shape = (await connection.execute(sa.select(STORED_VERSION))).scalar()
    if shape is not None and shape > VERSION:
        raise TooNew(shape)
    if shape is None or shape < needed_version():
        raise CannotTransfer(
            _(
                "%(database)s has another schema version (%(version)s): run chouine serve on it once with this version"
            )
            % {"database": sa.make_url(which).render_as_string(), "version": shape}
        )


async def carry_rows(
    source: AsyncConnection, target: AsyncConnection | None, table: sa.Table
) -> tuple[int, str]:
    """A table's number of rows and their checksum; writes the rows to the target if there is one."""
    rows, total = 0, sha256()
    query = sa.select(table).order_by(*table.primary_key.columns)
    async with source.stream(query) as found:
        async for part in found.partitions(AT_ONCE):
            lines: list[dict[str, Any]] = [dict(zip(table.columns.keys(), row, strict=True)) for row in part]
            for line in lines:
                total.update(repr(tuple(line.values())).encode())
            rows += len(lines)
            if target is not None:
                await target.execute(table.insert(), lines)
    return rows, total.hexdigest()


async def replay_logs(connection: AsyncConnection) -> tuple[int, list[str]]:
    """Replay every log and verify every finished deal. Returns the number of parties, and the damaged tables."""
    parties, damaged = 0, list[str]()
    query = sa.select(entry.c.table_id, entry.c.n, entry.c.at, entry.c.body).order_by(
        entry.c.table_id, entry.c.n
    )
    async with connection.stream(query) as found:
        async for log in by_game(found):
            try:
                table = rebuild([(decode(row.body), row.at) for row in log])
                proofs = [proof_of(played) for played in table.played]
                whole = [row.n for row in log] == list(range(1, len(log) + 1))
                sound = whole and all(proof is None or not proof.faults for proof in proofs)
            except Exception:  # noqa: BLE001  # any failure: the log was the same in the source
                sound = False
            else:
                parties += len(table.played)
            if not sound:
                damaged.append(log[0].table_id)
    return parties, damaged


async def by_game(rows: AsyncIterator[Any]) -> AsyncIterator[list[Any]]:
    """The rows of `entry` grouped by log."""
    log: list[Any] = []
    async for row in rows:
        if log and log[0].table_id != row.table_id:
            yield log
            log = []
        log.append(row)
    if log:
        yield log
