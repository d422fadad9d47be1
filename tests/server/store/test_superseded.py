"""A database that a newer version of the program has migrated: this version writes nothing more, and says so."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory

from chouine.server.database import Superseded
from chouine.server.migrations import TooNew, configuration, upgrade
from chouine.server.schema import VERSION, metadata, setting
from chouine.server.store import Conflict, Store
from chouine.table import commands as ask
from tests.forked import run_chouine
from tests.patience import PATIENCE
from tests.server.serving import serving
from tests.server.stores import alter, present, set_table, tables_of, with_store

NEWER = "update alembic_version set version_num = '9999', oldest = '9999'"
STRICTER = "alter table setting add column more integer not null default 0 check (more > 0)"
"""A change that a writer of the older schema runs into."""


def migrate(database: str, *statements: str) -> None:
    """What a newer version does to a database."""
    asyncio.run(alter(database, NEWER, *statements))


def row_counts(database: str) -> dict[str, int]:
    """The number of rows of each table."""

    async def count(store: Store) -> dict[str, int]:
        query = {
            name: sa.select(sa.func.count()).select_from(table) for name, table in metadata.tables.items()
        }
        return await store.database.read(
            lambda connection: {name: connection.execute(each).scalar() or 0 for name, each in query.items()}
        )

    return with_store(database, count)


def test_the_version_is_that_of_the_last_migration() -> None:
    assert ScriptDirectory.from_config(configuration("")).get_current_head() == VERSION


def test_nothing_is_written_after_a_migration(database: str) -> None:
    """Neither a single entry nor any other change, alone or together; a write of its own version is made again."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, table = await set_table(tables)
        before = table.n
        await alter(database, NEWER)
        writes = [
            tables.do(table_id, ask.Speak(0, "hello"), "one"),
            tables.do(table_id, ask.Pick(0, 3), "two"),
            tables.open(table.opened),
            store.keep_setting("some", "value"),
        ]
        found = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(each) for each in found] == [Superseded] * len(writes)
        assert {"another version of Chouine" in str(each) for each in found} == {True}
        assert (await present(tables, table_id)).n == before
        assert await store.setting("some") is None
        await alter(database, NEWER.replace("9999", VERSION))
        assert (await tables.do(table_id, ask.Speak(0, "hello"), "one")).n == before + 1

    with_store(database, test)


def test_a_write_that_the_newer_schema_refuses_is_no_conflict(postgres_database: str) -> None:
    """What an older program runs into there is its age, and not another player's move."""
    upgrade(postgres_database)

    async def test(store: Store) -> None:
        await alter(postgres_database, NEWER, STRICTER)
        with pytest.raises(Superseded):
            await store.keep_setting("some", "value")
        with pytest.raises(Superseded):
            await store.database.insert(setting, {"name": "some", "value": "value"})

    with_store(postgres_database, test)


def test_a_key_that_is_taken_is_a_conflict_still(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, table = await set_table(tables)
        with pytest.raises(Conflict):
            await tables.open(table.opened, table_id)

    with_store(database, test)


def test_a_node_whose_database_is_newer_answers_nothing_else(database: str, tmp_path: Path) -> None:
    """Moves and pages are answered 503, streams end with `renew`, and it is not ready; its health is as before."""
    with serving(database, tmp_path / "errors") as server:
        host = server.visit()
        table_id = host.open()
        before = row_counts(database)["entry"]
        with httpx.stream("GET", f"{server.url}/table/{table_id}/stream", timeout=PATIENCE) as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry")
            migrate(database)
            begun_at = time.monotonic()
            answer = host.tell(table_id, "speak", 0, phrase="hello")
            assert (answer.status_code, answer.text) == (503, "renewed")
            assert "event: renew" in list(lines)
            assert time.monotonic() - begun_at < PATIENCE / 2
        page = host.get(f"/table/{table_id}")
        assert page.status_code == 503
        assert "être mis à jour" in page.text
        assert page.headers["refresh"]
        assert host.get("/nowhere").status_code == 404
        assert host.get("/ready").json() == {"ok": False, "why": "another shape"}
        assert host.get("/health").status_code == 200
        assert row_counts(database)["entry"] == before
    assert "failure" not in (tmp_path / "errors").read_text()


def test_streams_end_also_where_nobody_moves(sqlite: str, tmp_path: Path) -> None:
    """The sign of life finds out, every two seconds."""
    with serving(sqlite, tmp_path / "errors") as server:
        table_id = server.visit().open()
        with httpx.stream("GET", f"{server.url}/table/{table_id}/stream", timeout=PATIENCE) as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry")
            migrate(sqlite)
            assert "event: renew" in list(lines)
    assert "superseded: stop this program" in (tmp_path / "errors").read_text()


def test_an_older_program_says_that_a_database_is_too_new(empty_database: str) -> None:
    upgrade(empty_database)
    migrate(empty_database)
    with pytest.raises(TooNew, match="9999"):
        upgrade(empty_database)


@pytest.mark.parametrize("command", ["serve", "backup", "restore", "move", "prune", "reports"])
def test_every_command_says_it_in_a_sentence(command: str, sqlite: str, tmp_path: Path) -> None:
    migrate(sqlite)
    file = sqlite.partition(":///")[2]
    arguments = {
        "serve": ["--no-browser", "--port", "0", "--database", sqlite],
        "backup": [str(tmp_path / "copy"), "--database", sqlite],
        "restore": [file, "--database", f"sqlite:///{tmp_path / 'other.db'}"],
        "move": [sqlite, f"sqlite:///{tmp_path / 'other.db'}"],
    }
    status, said = run_chouine(
        [command, *arguments.get(command, ["--database", sqlite])], tmp_path / "errors"
    )
    assert status == 2
    assert "newer version of Chouine" in said
    assert said.count("\n") == 1
