"""Migrations in two phases: an expand leaves all that an older program knows, a contract waits for its end."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory

from chouine.server import migrations
from chouine.server.database import Superseded
from chouine.server.migrations import (
    ALIVE,
    StillUsed,
    StoredSchema,
    TooNew,
    is_contract,
    needed_version,
    steps_after,
    stored_in,
    upgrade,
)
from chouine.server.schema import VERSION, metadata, setting
from chouine.server.store import Store
from chouine.table import commands as ask
from tests.forked import run_chouine
from tests.server.later import ADDED, ADDED_AGAIN, REMOVED, configuration, steps_to
from tests.server.serving import serving
from tests.server.store.test_migrations import looked_at
from tests.server.stores import alter, set_table, tables_of, with_store

Shape = dict[str, Any]
FIRST = "0014"
"""The first migration that says its kind."""
STEPS = [step.revision for step in steps_after("0013")]
RECENT = 3
"""Migrations of this and the versions before, which `make test` takes on both databases; older ones are done with."""


def shape_of(connection: sa.Connection) -> Shape:
    """All that holds for writers of a database, by a name for each: columns with their types, keys and constraints."""
    known, found = sa.inspect(connection), Shape()
    constraints = (
        known.get_multi_unique_constraints(),
        known.get_multi_foreign_keys(),
        known.get_multi_check_constraints(),
    )
    for where, columns in known.get_multi_columns().items():
        table = where[1]
        for column in columns:
            found[f"{table}.{column['name']}"] = (
                str(column["type"]),
                column["nullable"],
                bool(column["default"]),
            )
        found[f"constraints of {table}"] = sorted(
            repr(sorted((name, value) for name, value in each.items() if name != "name"))
            for kind in constraints
            for each in kind[where]
        )
    for (_, table), key in known.get_multi_pk_constraint().items():
        found[f"key of {table}"] = key["constrained_columns"]
    for (_, table), indexes in known.get_multi_indexes().items():
        for index in indexes:
            found[f"index {index['name']} of {table}"] = (index["column_names"], bool(index["unique"]))
    return found


def breaking_changes(before: Shape, after: Shape) -> set[str]:
    """What an older program would run into: all that is gone or otherwise, and demands on columns it does not know."""
    tables = {name.partition(".")[0] for name in before if "." in name}
    demands = {
        name
        for name, what in after.items()
        if name not in before
        and ((name.partition(".")[0] in tables and not (what[1] or what[2])) or is_unique(name, what, tables))
    }
    return demands | {name for name, what in before.items() if after.get(name) != what}


def is_unique(name: str, what: Any, tables: set[str]) -> bool:
    """Whether it is an index of a table that was there and refuses rows."""
    return name.startswith("index ") and name.rpartition(" ")[2] in tables and what[1]


def test_every_migration_says_its_kind() -> None:
    assert STEPS[0] == FIRST
    assert {getattr(step.module, "kind", "") for step in steps_after("0013")} <= {"expand", "contract"}


@pytest.mark.parametrize(
    ("revision", "empty_database"),
    [
        *((revision, "sqlite") for revision in [*STEPS, ADDED]),
        *(pytest.param(revision, "postgresql", marks=pytest.mark.nightly) for revision in STEPS[:-RECENT]),
        *((revision, "postgresql") for revision in [*STEPS[-RECENT:], ADDED]),
    ],
    indirect=["empty_database"],
)
def test_an_expand_only_adds(revision: str, empty_database: str) -> None:
    """Columns of older tables may be empty or have a default, since older programs do not fill them."""
    step = ScriptDirectory.from_config(configuration("")).get_revision(revision)
    command.upgrade(configuration(empty_database), str(step.down_revision))
    before = looked_at(empty_database, shape_of)
    command.upgrade(configuration(empty_database), revision)
    if not is_contract(step):
        assert breaking_changes(before, looked_at(empty_database, shape_of)) == set()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("drop table review", "review.body"),
        ("alter table game drop column brief", "game.brief"),
        ("alter table game rename column brief to line", "game.brief"),
        ("alter table game alter column opened type integer", "game.opened"),
        ("alter table game alter column brief set not null", "game.brief"),
        ("alter table game alter column owner drop default", "game.owner"),
        ("alter table review add column more integer not null", "review.more"),
        ("alter table game add unique (opened)", "constraints of game"),
        ("alter table game add check (opened > 0)", "constraints of game"),
        ("create unique index ix_more on game (opened)", "index ix_more of game"),
        ("drop index ix_game_wake", "index ix_game_wake of game"),
    ],
)
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_what_is_no_expansion_is_found(statement: str, found: str, database: str) -> None:
    before = looked_at(database, shape_of)
    asyncio.run(alter(database, statement))
    assert found in breaking_changes(before, looked_at(database, shape_of))


def test_this_program_needs_nothing_that_its_contracts_remove(empty_database: str) -> None:
    """Contracts wait: until then the program runs on the schema before them, and fills no column that they remove."""
    command.upgrade(configuration(empty_database), needed_version())
    there = looked_at(empty_database, shape_of)
    known = {f"{table.name}.{column.name}" for table in metadata.tables.values() for column in table.columns}
    assert known <= there.keys()
    others = {name for name in there if name.partition(".")[0] in metadata.tables} - known
    assert all(nullable or default for _, nullable, default in (there[name] for name in others))


def test_an_older_program_goes_on_after_an_expansion(database: str) -> None:
    """Single entries and other changes are written, and a move sent twice is found: nothing is to be done."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, table = await set_table(tables)
        await asyncio.to_thread(command.upgrade, configuration(database), ADDED)
        assert (await tables.do(table_id, ask.Speak(0, "hello"), "one")).n == table.n + 1
        assert (await tables.do(table_id, ask.Speak(0, "hello"), "one")).n == table.n + 1
        await tables.open(table.opened)
        assert await store.shape() == ADDED

    with_store(database, test)


def test_an_older_node_stays_and_starts_after_an_expansion(database: str, tmp_path: Path) -> None:
    with serving(database, tmp_path / "errors") as server:
        host = server.visit()
        table_id = host.open()
        command.upgrade(configuration(database), ADDED)
        assert host.tell(table_id, "speak", 0, phrase="hello").status_code == 200
        assert host.get("/ready").json() == {"ok": True}
    with serving(database, tmp_path / "errors") as server:
        assert server.visit().get(f"/table/{table_id}").status_code == 200
    assert "superseded" not in (tmp_path / "errors").read_text()


@pytest.mark.parametrize("named", ["backup", "move"])
def test_an_older_program_copies_nothing_in_part(named: str, sqlite: str, tmp_path: Path) -> None:
    """It does not know the newer columns: a copy would lack them."""
    command.upgrade(configuration(sqlite), ADDED)
    target = {
        "backup": [str(tmp_path / "copy"), "--database", sqlite],
        "move": [sqlite, f"sqlite:///{tmp_path}/b"],
    }
    status, said = run_chouine([named, *target[named]], tmp_path / "errors")
    assert status == 2
    assert "newer version of Chouine" in said


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make this process's migrations those of a version whose newest is given."""

    def become(version: str) -> None:
        monkeypatch.setattr(migrations, "VERSION", version)
        monkeypatch.setattr(migrations, "configuration", configuration)
        monkeypatch.setattr(migrations, "steps_after", steps_to(version))

    return become


def beats(database: str, version: str, ago: float) -> None:
    """A node of a program with this schema gave a sign of life some seconds ago, or will, however slow the test is."""
    row = {"name": f"{ALIVE}{version}", "value": repr(time.time() - ago)}
    with_store(database, lambda store: store.keep_setting(row["name"], row["value"]))


def test_a_contract_waits_for_the_end_of_older_nodes(database: str, later: Any) -> None:
    later(REMOVED)
    beats(database, VERSION, ago=-60)
    upgrade(database)
    assert asyncio.run(stored_in(database)).version == ADDED
    with_store(database, lambda store: store.keep_setting("some", "value"))
    beats(database, VERSION, ago=60)
    beats(database, REMOVED, ago=-60)
    upgrade(database)
    stored = asyncio.run(stored_in(database))
    assert stored == StoredSchema(REMOVED, REMOVED, frozenset({REMOVED}))
    with pytest.raises(Superseded):
        with_store(database, lambda store: store.keep_setting("some", "value"))
    row = {"name": "other", "value": "value"}
    with pytest.raises(Superseded):
        with_store(database, lambda store: store.database.insert(setting, row))


def test_an_older_program_does_not_start_after_a_contract(database: str) -> None:
    command.upgrade(configuration(database), REMOVED)
    with pytest.raises(TooNew, match=REMOVED):
        upgrade(database)


def test_a_version_that_cannot_wait_says_which_nodes_to_stop(database: str, later: Any) -> None:
    """It needs what comes after the contract: a version was left out."""
    later(ADDED_AGAIN)
    beats(database, VERSION, ago=-60)
    with pytest.raises(StillUsed, match=VERSION):
        upgrade(database)
    assert asyncio.run(stored_in(database)).version == VERSION
    beats(database, VERSION, ago=60)
    upgrade(database)
    assert asyncio.run(stored_in(database)).version == ADDED_AGAIN
