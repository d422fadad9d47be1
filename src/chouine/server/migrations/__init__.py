"""Alembic migrations of the database's schema, in two phases: an `expand` adds, a `contract` removes.

Nodes of the version before go on after an expand; a contract waits until none of them is alive (ADR 0057).
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from gettext import gettext as _
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from alembic.script.revision import Revision

from chouine.files import make_private
from chouine.server.engines import engine_of
from chouine.server.schema import STORED_OLDEST, VERSION, metadata, setting

ALIVE = "alive-"
"""Before a schema, the name of the setting with the last heartbeat of its programs."""
SILENT = 6.0
"""Seconds without a heartbeat after which a node serves nobody (`Heartbeat.alive`)."""


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


class StillUsed(Exception):
    """A node of an older program needs what must be removed before this program can use the database."""

    def __init__(self, version: str) -> None:
        super().__init__(
            _(
                "a node of an older version of Chouine (its schema is %(version)s) is using the database, and this"
                " version cannot run beside it: stop the old nodes, wait ten seconds, and start again"
            )
            % {"version": version}
        )


@dataclass(frozen=True, slots=True)
class StoredSchema:
    """What a database says of its schema: the version, None before the first, and which programs may write."""

    version: str | None
    oldest: str
    alive: frozenset[str]
    """The schemas of programs that serve from it now."""


def configuration(database: str) -> Config:
    """Alembic's configuration for a database address."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", database.replace("%", "%%"))
    return config


def steps_after(version: str | None) -> list[Script]:
    """The migrations after a version, in their order."""
    return [*ScriptDirectory.from_config(configuration("")).iterate_revisions("head", version or "base")][
        ::-1
    ]


def is_contract(step: Revision) -> bool:
    """Whether a migration removes something. Those before 0014 do not say, and were not run beside older nodes."""
    return isinstance(step, Script) and getattr(step.module, "kind", "expand") == "contract"


def needed_version() -> str:
    """The oldest schema that this program can use: its newest but for contracts at the end."""
    return next(step.revision for step in reversed(steps_after(None)) if not is_contract(step))


def upgrade(database: str) -> None:
    """Bring a database to the newest shape. SQLite's file, which holds every pack, becomes its owner's alone.

    A contract is left for the next time while a node lives that needs what it removes; a shape that is newer by
    expansions alone is left as it is. Raises `TooNew` for any other shape that this program does not know, `StillUsed`
    if it cannot do without a contract; nothing is changed then.
    """
    url = sa.make_url(database)
    if url.get_backend_name() == "sqlite" and url.database:
        make_private(Path(url.database))
    stored = asyncio.run(stored_in(database))
    if (stored.version or "") > VERSION:
        if stored.oldest > VERSION:
            raise TooNew(stored.version or "")
        return
    target = VERSION
    for step in steps_after(stored.version)[::-1]:
        if is_contract(step) and any(version < step.revision for version in stored.alive):
            target = str(step.down_revision)
    if target < needed_version():
        raise StillUsed(min(stored.alive))
    command.upgrade(configuration(database), target)


async def stored_in(database: str) -> StoredSchema:
    """What a database says of its schema."""
    engine = engine_of(database)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(read_stored)
    finally:
        await engine.dispose()


def read_stored(connection: sa.Connection) -> StoredSchema:
    """The same over a connection."""
    version = MigrationContext.configure(connection).get_current_revision()
    told = version is not None and version >= "0014"  # nothing was said before
    if not told or not sa.inspect(connection).has_table(setting.name):
        return StoredSchema(version, "", frozenset())
    now = time.time()
    if connection.dialect.name == "postgresql":
        now = float(connection.scalar(sa.select(sa.extract("epoch", sa.func.clock_timestamp()))) or now)
    signs = connection.execute(sa.select(setting).where(setting.c.name.startswith(ALIVE)))
    alive = {row.name.removeprefix(ALIVE) for row in signs if float(row.value) > now - SILENT}
    return StoredSchema(version, connection.scalars(sa.select(STORED_OLDEST)).one(), frozenset(alive))


async def missing_tables(database: str) -> list[str]:
    """The tables of the newest shape that a database lacks, by name."""
    engine = engine_of(database)
    try:
        async with engine.connect() as connection:
            there = await connection.run_sync(lambda plain: sa.inspect(plain).get_table_names())
    finally:
        await engine.dispose()
    return sorted(metadata.tables.keys() - set(there))
