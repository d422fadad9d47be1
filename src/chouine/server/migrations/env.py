"""Run by Alembic: the migrations over the store's own engine."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection, text

from chouine.server.engines import engine_of
from chouine.server.schema import metadata


def migrate(connection: Connection) -> None:
    """Every step not yet taken, in one transaction where the database can."""
    if connection.dialect.name == "postgresql":  # nodes that start together take turns
        connection.execute(text("select pg_advisory_xact_lock(1128820597)"))
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


async def run() -> None:
    """Over an engine of its own, closed afterwards."""
    engine = engine_of(context.config.get_main_option("sqlalchemy.url") or "")
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


asyncio.run(run())
