"""Alembic migrations of the database's schema."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script.revision import ResolutionError
from alembic.util import CommandError

from chouine.private_files import make_private
from chouine.server.engines import engine_of
from chouine.server.schema import VERSION, metadata


class TooNew(Exception):
    """The database was brought to a shape that only a newer version of this program knows."""

    def __init__(self, version: str) -> None:
        super().__init__(
            _(
                "the database belongs to a newer version of Chouine (its schema is %(version)s, this program's"
                " %(last)s): install that version, or restore a backup that this one wrote"
            )
            % {"version": version, "last": VERSION}
        )


def configuration(database: str) -> Config:
    """Alembic's configuration for a database address."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", database.replace("%", "%%"))
    return config


def upgrade(database: str) -> None:
    """Bring a database to the newest shape. SQLite's file, which holds every pack, becomes its owner's alone.

    Raises `TooNew` for a shape that this program does not know; nothing is changed then.
    """
    url = sa.make_url(database)
    if url.get_backend_name() == "sqlite" and url.database:
        make_private(Path(url.database))
    try:
        command.upgrade(configuration(database), "head")
    except CommandError as error:
        if isinstance(error.__cause__, ResolutionError):
            raise TooNew(error.__cause__.argument) from error
        raise


async def missing(database: str) -> list[str]:
    """The tables of the newest shape that a database lacks, by name."""
    engine = engine_of(database)
    try:
        async with engine.connect() as connection:
            there = await connection.run_sync(lambda plain: sa.inspect(plain).get_table_names())
    finally:
        await engine.dispose()
    return sorted(metadata.tables.keys() - set(there))
