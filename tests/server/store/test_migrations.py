"""The migrations: from an empty database to the store's tables, and back."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from chouine.server.codec import encode
from chouine.server.engines import engine_of
from chouine.server.migrations import configuration, upgrade
from chouine.server.schema import metadata
from chouine.server.store import Store
from chouine.server.visitors import Secrets
from chouine.table.entries import LogEntry, Picked
from chouine.table.evolve import rebuild
from chouine.table.state import Phase
from tests.patience import PATIENCE
from tests.server.matches import opening
from tests.server.stores import with_store

FIRST = Path(__file__).parent / "first.jsonl"


def looked_at(database: str, look: Any) -> Any:
    """The result of a function of a database connection."""

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


def test_the_newest_shape_is_left_alone(database: str) -> None:
    upgrade(database)
    assert looked_at(database, differences) == []


def test_nodes_that_start_together_take_turns(postgres_database: str) -> None:
    """Six processes that migrate one empty database at the same time all succeed."""
    script = "import sys; from chouine.server.migrations import upgrade; upgrade(sys.argv[1])"
    started = [
        subprocess.Popen([sys.executable, "-c", script, postgres_database], stderr=subprocess.PIPE)
        for _ in range(6)
    ]
    for process in started:
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said.decode()[-300:]
    assert looked_at(postgres_database, differences) == []


def test_old_data_stays_when_the_shape_changes(empty_database: str) -> None:
    """A match written in the first schema is the same in the newest."""
    command.upgrade(configuration(empty_database), "0001")
    log: list[tuple[float, LogEntry]] = [(1.5, opening()), (2.5, Picked(0, 3))]
    asyncio.run(put(empty_database, [Old(0, [], [(at, msgspec.Raw(encode(each))) for at, each in log])]))
    upgrade(empty_database)
    assert with_store(empty_database, lambda store: store.log("old-0")) == [(each, at) for at, each in log]


def test_matches_of_the_first_version_end_as_they_did_then(empty_database: str) -> None:
    """Matches of the first version have the same results.

    `first.jsonl`: matches for two, three and four, some with a pause or a credit.
    """
    first = [msgspec.json.decode(line, type=Old) for line in FIRST.read_bytes().splitlines()]
    command.upgrade(configuration(empty_database), "0001")
    asyncio.run(put(empty_database, first))
    upgrade(empty_database)

    async def test(store: Store) -> None:
        for nth, old in enumerate(first):
            room = rebuild(await store.log(f"old-{nth}"))
            assert (room.phase, room.n, room.match.winner) == (Phase.OVER, len(old.log), old.winner)
            assert [each.state.result.points for each in room.played if each.state.result] == old.points

    with_store(empty_database, test)


def test_who_gave_an_address_before_can_end_letters_too(empty_database: str) -> None:
    """Addresses of earlier versions are found by their owner's digest."""
    command.upgrade(configuration(empty_database), "0009")

    async def old() -> None:
        engine = engine_of(empty_database)
        async with engine.begin() as connection:
            await connection.execute(sa.text("insert into setting (name, value) values ('key', 'a')"))
            await connection.execute(
                sa.text(
                    "insert into mailbox (id, guest, address, language, confirmed, at)"
                    " values ('x', 'anne', 'An.ne+x@gmail.com', 'fr', true, 1.5)"
                )
            )
        await engine.dispose()

    asyncio.run(old())
    upgrade(empty_database)
    owner = Secrets("a").owner("anne@gmail.com")
    query = sa.select(metadata.tables["mailbox"].c.owner)
    assert looked_at(empty_database, lambda connection: connection.execute(query).scalars().all()) == [owner]


class Old(msgspec.Struct):
    """A match and its result."""

    winner: int
    points: list[tuple[int, ...]]
    log: list[tuple[float, msgspec.Raw]]
    """Times and stored entries."""


async def put(database: str, matches: list[Old]) -> None:
    """Insert matches into the first schema by its own SQL."""
    engine = engine_of(database)
    async with engine.begin() as connection:
        for nth, old in enumerate(matches):
            name = {"game": f"old-{nth}"}
            await connection.execute(
                sa.text("insert into game (id, opened, over) values (:game, 1.5, true)"), name
            )
            lines = [
                name | {"n": n, "at": at, "body": bytes(body)} for n, (at, body) in enumerate(old.log, 1)
            ]
            await connection.execute(
                sa.text("insert into entry (game, n, at, body) values (:game, :n, :at, :body)"), lines
            )
    await engine.dispose()
