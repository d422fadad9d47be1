"""The database's shape: from nothing, back to nothing, and as the store's tables have it."""

from __future__ import annotations

import asyncio
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from chouine.server.database import engine_of
from chouine.server.migrations import configuration, upgrade
from chouine.server.schema import metadata


def looked_at(database: str, look: Any) -> Any:
    """What a function of a connection finds in a database."""

    async def go() -> Any:
        engine = engine_of(database)
        async with engine.connect() as connection:
            found = await connection.run_sync(look)
        await engine.dispose()
        return found

    return asyncio.run(go())


def tables(connection: sa.Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names()) - {"alembic_version"}


def differences(connection: sa.Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


def test_the_newest_shape_is_the_stores(empty_database: str) -> None:
    upgrade(empty_database)
    assert looked_at(empty_database, tables) == set(metadata.tables)
    assert looked_at(empty_database, differences) == []


def test_every_step_can_be_taken_back(empty_database: str) -> None:
    steps = [step.revision for step in ScriptDirectory.from_config(configuration("")).walk_revisions()]
    for revision in reversed(steps):
        command.upgrade(configuration(empty_database), revision)
        command.downgrade(configuration(empty_database), "-1")
        command.upgrade(configuration(empty_database), revision)
    command.downgrade(configuration(empty_database), "base")
    assert looked_at(empty_database, tables) == set()
    upgrade(empty_database)
    assert looked_at(empty_database, differences) == []


def test_the_newest_shape_is_left_alone(database: str) -> None:
    upgrade(database)
    assert looked_at(database, differences) == []
