"""Run by Alembic: the migrations over the store's own engine."""

from __future__ import annotations

import asyncio
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy import Connection, text

from chouine.server.engines import engine_of
from chouine.server.migrations import is_contract
from chouine.server.schema import metadata


def migrate(connection: Connection) -> None:
    """Every step not yet taken, in one transaction where the database can."""
    if connection.dialect.name == "postgresql":  # nodes that start together take turns
        connection.execute(text("select pg_advisory_xact_lock(1128820597)"))
    context.configure(
        connection=connection, target_metadata=metadata, render_as_batch=True, on_version_apply=bar_older
    )
    with context.begin_transaction():
        context.run_migrations()


def bar_older(ctx: MigrationContext, step: MigrationInfo, heads: object, run_args: Any) -> None:  # noqa: ARG001
    """After a contract, let no program that does not know it write any more. Alembic names the arguments."""
    if step.is_upgrade and step.up_revision is not None and is_contract(step.up_revision) and ctx.connection:
        ctx.connection.execute(
            text("update alembic_version set oldest = :oldest"), {"oldest": step.up_revision.revision}
        )


async def run() -> None:
    """Over an engine of its own, closed afterwards."""
    engine = engine_of(context.config.get_main_option("sqlalchemy.url") or "")
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


asyncio.run(run())
