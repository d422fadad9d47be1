"""Every schema that a server may still have, with a row in each table, becomes the newest and loses nothing.

`schemas/` keeps a copy of an SQLite database of each version as SQL. `python -m tests.server.store.test_schemas` writes
those that are missing, for the version before the newest at the latest.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory

from chouine.server.engines import engine_of
from chouine.server.migrations import configuration, upgrade
from chouine.server.store import Store
from chouine.table.evolve import rebuild
from chouine.table.state import Phase
from tests.server.store.test_migrations import FIRST, Old, differences, looked_at, put
from tests.server.stores import with_store

SCHEMAS = Path(__file__).parent / "schemas"
STEPS = [step.revision for step in ScriptDirectory.from_config(configuration("")).walk_revisions()][::-1]
"""All versions of the schema, the oldest first."""
KEPT = sorted(path.stem for path in SCHEMAS.glob("*.sql"))
BY_DAY = {*KEPT[::6], KEPT[-1]}
"""Taken to PostgreSQL by `make test` too: every migration alters rows there, of five versions before at most."""
Rows = dict[str, list[dict[str, Any]]]
"""Rows by their table."""


def rows_in(connection: sa.Connection) -> Rows:
    """All rows of a database, but Alembic's own."""
    known = sa.MetaData()
    known.reflect(connection)
    return {
        table.name: [dict(row) for row in connection.execute(sa.select(table)).mappings()]
        for table in known.sorted_tables
        if table.name != "alembic_version"
    }


def load(path: Path, version: str) -> None:
    """Make the SQLite file that was kept of a version."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{version}.sql").read_text())


async def copy(rows: Rows, database: str) -> None:
    """Insert rows into an empty database of their schema."""
    engine = engine_of(database)
    async with engine.begin() as connection:

        def insert(plain: sa.Connection) -> None:
            known = sa.MetaData()
            known.reflect(plain)
            for table in known.sorted_tables:
                if rows.get(table.name):
                    plain.execute(table.insert(), rows[table.name])

        await connection.run_sync(insert)
    await engine.dispose()


def test_every_version_but_the_newest_is_kept() -> None:
    """The newest may still change; it is kept when another follows."""
    assert KEPT[: len(STEPS) - 1] == STEPS[:-1]


@pytest.mark.parametrize(
    ("version", "empty_database"),
    [
        *((version, "sqlite") for version in KEPT),
        *((version, "postgresql") for version in KEPT if version in BY_DAY),
        *(
            pytest.param(version, "postgresql", marks=pytest.mark.nightly)
            for version in KEPT
            if version not in BY_DAY
        ),
    ],
    indirect=["empty_database"],
)
def test_a_kept_database_becomes_the_newest(version: str, empty_database: str, tmp_path: Path) -> None:
    """On SQLite the file itself; on PostgreSQL its rows. The match of the first version ends as it did."""
    file = tmp_path / "kept.db"
    load(file, version)
    before: Rows = looked_at(f"sqlite+aiosqlite:///{file}", rows_in)
    assert all(before.values()), "a table without a row proves nothing"
    database = f"sqlite+aiosqlite:///{file}"
    if not empty_database.startswith("sqlite"):
        database = empty_database
        command.upgrade(configuration(database), version)
        asyncio.run(copy(before, database))
    upgrade(database)
    assert looked_at(database, differences) == []
    after: Rows = looked_at(database, rows_in)
    for table, rows in before.items():
        kept = [{name: row[name] for name in rows[0] if name in row} for row in after[table]]
        expected = [{name: row[name] for name in kept[0]} for row in rows]
        assert sorted(map(repr, kept)) == sorted(map(repr, expected)), table

    async def test(store: Store) -> None:
        old = first_match()
        table = rebuild(await store.log("old-0"))
        assert (table.phase, table.n, table.match.winner) == (Phase.OVER, len(old.log), old.winner)

    with_store(database, test)


def first_match() -> Old:
    """The shortest of the first version's matches."""
    return msgspec.json.decode(min(FIRST.read_bytes().splitlines(), key=len), type=Old)


def value_for(column: sa.Column[Any], connection: sa.Connection) -> object:
    """Something to store in a column: what it refers to, or a number or text of its own."""
    for key in column.foreign_keys:
        return connection.scalars(sa.select(key.column)).first()
    kind = column.type
    if isinstance(kind, sa.Boolean):
        return True
    if isinstance(kind, sa.Float):
        return 1_700_000_000.5
    if isinstance(kind, sa.Integer):
        return 1
    if isinstance(kind, sa.LargeBinary):
        return b'{"kind":"kept"}'
    return f"a{column.name}"[: getattr(kind, "length", None) or 32]


def fill(connection: sa.Connection) -> None:
    """Put a row into each empty table."""
    known = sa.MetaData()
    known.reflect(connection)
    for table in known.sorted_tables:
        if connection.execute(sa.select(table)).first() is None:
            row = {column.name: value_for(column, connection) for column in table.columns}
            connection.execute(table.insert(), row)


async def fill_at(database: str) -> None:
    engine = engine_of(database)
    async with engine.begin() as connection:
        await connection.run_sync(fill)
    await engine.dispose()


def main() -> None:
    """Write the versions that are missing, each from the one before it."""
    SCHEMAS.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for before, version in pairwise(["", *STEPS]):
            file = Path(folder) / f"{version}.db"
            database = f"sqlite+aiosqlite:///{file}"
            if before:
                load(file, before)
            command.upgrade(configuration(database), version)
            if not before:
                asyncio.run(put(database, [first_match()]))
            asyncio.run(fill_at(database))
            kept = SCHEMAS / f"{version}.sql"
            if not kept.exists():
                with closing(sqlite3.connect(file)) as connection:
                    kept.write_text("\n".join(connection.iterdump()) + "\n")


if __name__ == "__main__":
    main()
