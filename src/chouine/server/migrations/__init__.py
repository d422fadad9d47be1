"""Alembic migrations of the database's schema."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from chouine.private_files import make_private
from chouine.server.database import engine_of
from chouine.server.schema import metadata


def configuration(database: str) -> Config:
    """Alembic's configuration for a database address."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", database.replace("%", "%%"))
    return config


@cache
def newest() -> str:
    """The shape that this program knows."""
    return ScriptDirectory.from_config(configuration("")).get_current_head() or ""


def upgrade(database: str) -> None:
    """Bring a database to the newest shape. SQLite's file, which holds every pack, becomes its owner's alone."""
    url = sa.make_url(database)
    if url.get_backend_name() == "sqlite" and url.database:
        make_private(Path(url.database))
    command.upgrade(configuration(database), "head")


async def missing(database: str) -> list[str]:
    """The tables of the newest shape that a database lacks, by name."""
    engine = engine_of(database)
    try:
        async with engine.connect() as connection:
            there = await connection.run_sync(lambda plain: sa.inspect(plain).get_table_names())
    finally:
        await engine.dispose()
    return sorted(metadata.tables.keys() - set(there))
