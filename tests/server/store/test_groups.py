"""Group commits, a database that cannot write, and tables claimed by one node of several."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from chouine.server import database as database_module
from chouine.server import schema
from chouine.server.database import PendingWrite, Postgres, Unreachable, commit_group
from chouine.server.store import Store
from chouine.table.entries import Picked, Spoke
from tests.patience import PATIENCE
from tests.server.store.test_store import FIRST, more, scalar_of
from tests.server.stores import with_store


@pytest.mark.parametrize("fault", [20, None])
def test_of_changes_made_together_one_that_fails_takes_no_other_with_it(
    sqlite: str, fault: int | None
) -> None:
    """A conflict or an exception in one change of a group does not affect the others, which are durable.

    Without the exception the group consists of inserts into one table, as moves at many tables are.
    """

    async def test(store: Store) -> None:
        await store.open(FIRST)
        await asyncio.gather(*(store.open(replace(FIRST, table_id=f"g{nth}")) for nth in range(40)))
        await store.append(replace(more(1, "b", Picked(0, 1)), table_id="g10"))

        def wrong(connection: sa.Connection) -> None:
            connection.execute(schema.playing_table.insert().values(id="half", opened=0.0, over=False))
            raise TypeError("a fault of ours")

        begun, queued = Event(), Event()

        def keep_busy(_: sa.Connection) -> bool:
            begun.set()
            return queued.wait(PATIENCE)

        changes = [
            store.database.write(wrong)
            if nth == fault
            else store.append(replace(more(1, "c", Picked(0, 1), stirs=False), table_id=f"g{nth}"))
            for nth in range(40)
        ]
        with watched_groups() as groups:
            busy = asyncio.create_task(store.database.write(keep_busy))
            assert await asyncio.to_thread(begun.wait, PATIENCE)  # else some would join its group
            waiting = [asyncio.ensure_future(change) for change in changes]
            await asyncio.sleep(0)  # each is queued behind the first
            queued.set()
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
            assert await busy
        assert max(groups) >= len(changes), "they were not made together"
        assert [type(outcome).__name__ for outcome in outcomes] == [
            {10: "Conflict", fault: "TypeError"}.get(nth, "NoneType") for nth in range(40)
        ]
        assert await store.lengths(["half"]) == {}
        lengths = await store.lengths([f"g{nth}" for nth in range(40)])
        assert lengths == {f"g{nth}": 1 if nth == fault else 2 for nth in range(40)}

    with_store(sqlite, test)


@contextmanager
def watched_groups() -> Iterator[list[int]]:
    """The number of changes in each commit of SQLite."""
    sizes: list[int] = []

    def listening(connection: sa.Connection, group: list[PendingWrite[Any]]) -> None:
        sizes.append(len(group))
        commit_group(connection, group)

    with patch.object(database_module, "commit_group", listening):
        yield sizes


def test_all_that_is_queued_is_written_before_the_database_closes(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than one group of changes, in their order; and what comes after the end is written, too."""
    monkeypatch.setattr(database_module, "LARGEST_GROUP", 3)

    async def test(store: Store) -> None:
        queued, made = Event(), list[int]()

        def note(nth: int, _: sa.Connection) -> None:
            made.append(nth)

        changes: list[Callable[[sa.Connection], object]] = [lambda _: queued.wait(PATIENCE)]
        changes += [partial(note, nth) for nth in range(10)]
        waiting = [asyncio.ensure_future(store.database.write(change)) for change in changes]
        await asyncio.sleep(0)  # all are queued
        closing = asyncio.ensure_future(store.close())
        await asyncio.sleep(0)  # so is the end
        queued.set()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(closing, *waiting)
            assert made == [*range(10)]
            await store.database.write(lambda _: made.append(10))
        assert made[-1] == 10

    with_store(sqlite, test)


def test_a_disk_that_is_full_is_told_and_outlived(sqlite: str) -> None:
    """A failed write on a full disk leaves nothing; later writes succeed."""

    async def test(store: Store) -> None:
        await store.open(FIRST)
        pages = await store.database.write(partial(scalar_of, "pragma page_count"))
        await store.database.write(partial(scalar_of, f"pragma max_page_count = {pages}"))
        phrases = [Spoke(0, "hello" * 1000) for _ in range(50)]
        with pytest.raises(Unreachable):
            await store.append(more(1, "a", *phrases))
        assert len(await store.log("game")) == 1
        await store.database.write(partial(scalar_of, "pragma max_page_count = 1000000"))
        await store.append(more(1, "a", *phrases))
        assert len(await store.log("game")) == 51

    with_store(sqlite, test)


def test_one_node_alone_claims_a_due_table(database: str) -> None:
    """In PostgreSQL each due table is claimed by one node, for a limited time; SQLite has one node."""

    async def test(store: Store) -> None:
        for nth in range(20):
            await store.open(replace(FIRST, table_id=f"g{nth}", wake=10.0))
        assert await store.claim(9.0, 20.0) == []
        claims = await asyncio.gather(*(Store(store.database).claim(10.0, 20.0) for _ in range(4)))
        claimed = [table_id for claim in claims for table_id in claim]
        if store.database.dialect == "sqlite":
            assert len(claimed) == 80
            return
        assert sorted(claimed) == sorted(f"g{nth}" for nth in range(20))
        assert await store.claim(19.9, 30.0) == []
        assert len(await store.claim(20.0, 30.0)) == 20

    with_store(database, test)


def test_who_asks_first_is_answered_first(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more requests than PostgreSQL connections, requests are answered about in the order they came.

    Up to 500 places are allowed, since one of the two connections may wait for the processor.
    """
    monkeypatch.setattr(database_module, "POOL", 2)
    monkeypatch.setattr(database_module, "PATIENCE", 300.0)  # the last of two thousand waits long

    async def test() -> None:
        database = Postgres(postgres_database)
        answered = list[int]()

        async def ask(number: int) -> None:
            await database.read(lambda connection: connection.execute(sa.text("select 1")))
            answered.append(number)

        await asyncio.gather(ask(-1), ask(-1))  # opens both connections
        answered.clear()
        asking = []
        for number in range(2000):
            asking.append(asyncio.create_task(ask(number)))
            await asyncio.sleep(0)
        await asyncio.gather(*asking)
        await database.close()
        assert max(place - number for place, number in enumerate(answered)) <= 500

    asyncio.run(test())
