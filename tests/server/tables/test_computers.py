"""Computers play their turns and handle due tables by themselves."""

from __future__ import annotations

import asyncio

import pytest

from chouine.rules import PRESETS
from chouine.server.store import Store
from chouine.server.thinking import ThinkerPool
from chouine.table import entries as log
from chouine.table.evolve import rebuild
from tests.server.matches import is_over, opening, person, playing
from tests.server.stores import Clock, play_on, present, set_table, store_at, tables_of, with_store
from tests.server.tables.computers import COMPUTER, computers_at, until


def test_computers_play_a_match_by_themselves_in_their_own_process(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening("classic", "1x2", (COMPUTER, COMPUTER)))
        async with computers_at(tables, ThinkerPool(2)):
            table = await until(tables, table_id, is_over)
        assert table.match.winner is not None
        assert table == rebuild(await store.log(table_id))
        assert await store.waking_tables() == []

    with_store(sqlite, test)


@pytest.mark.parametrize("preset", PRESETS)
def test_computers_play_every_variant(preset: str, sqlite: str) -> None:
    seats = 3 if "three" in preset else 4 if "four" in preset else 2

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening(preset, "1x1", [COMPUTER] * seats))
        async with computers_at(tables):
            await until(tables, table_id, is_over)

    with_store(sqlite, test)


def test_two_nodes_keep_the_same_computers(database: str) -> None:
    """Two nodes poll one store for due tables, and each act is made once."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        table_id, _ = await set_table(one, opening("classic", "2x1", (COMPUTER, COMPUTER)))
        async with computers_at(one), computers_at(two):
            table = await until(one, table_id, is_over)
        assert table == rebuild(await store.log(table_id))

    with_store(database, test)


def test_what_a_restart_left_to_do_is_done(sqlite: str) -> None:
    """A computer's act pending in the middle of a trick is made after a restart."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening(chairs=(person(0), COMPUTER)))
        table = await play_on(
            tables, table_id, lambda table: bool(playing(table) and table.awaited == {1} and table.n > 12)
        )
        fresh = tables_of(store)
        async with computers_at(fresh):
            after = await until(fresh, table_id, lambda now: now.n > table.n)
        entry = (await store.log(table_id))[table.n][0]
        assert isinstance(entry, log.Acted | log.Passed)
        assert entry.seat == 1
        assert after.state is not None

    with_store(sqlite, test)


def test_deadlines_come_by_themselves(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        table_id, _ = await set_table(tables, opening(clock=log.ClockTerms(10, 5)))
        async with computers_at(tables):
            await asyncio.sleep(0.1)
            assert not is_over(await present(tables, table_id))
            clock.now += 15.0
            await until(tables, table_id, is_over)
        assert (await store.log(table_id))[-1][0] == log.Forfeited(0, late=True)

    with_store(sqlite, test)


def test_a_deadline_that_passed_is_kept_once_by_however_many_nodes(database: str) -> None:
    """Twenty deadlines that pass at the same time, with three nodes: each table has one forfeit."""

    async def test() -> None:
        clock = Clock()
        async with store_at(database) as first, store_at(database) as second, store_at(database) as third:
            nodes = [tables_of(store, clock) for store in (first, second, third)]
            table_ids = [
                (await set_table(nodes[0], opening(clock=log.ClockTerms(10, 5))))[0] for _ in range(20)
            ]
            async with computers_at(nodes[0]), computers_at(nodes[1]), computers_at(nodes[2]):
                clock.now += 15.0
                for table_id in table_ids:
                    await until(nodes[0], table_id, is_over)
                await asyncio.sleep(0.2)
            for table_id in table_ids:
                entries = [entry for entry, _ in await first.log(table_id)]
                assert entries[-1] == log.Forfeited(0, late=True)
                assert sum(isinstance(entry, log.Forfeited) for entry in entries) == 1
            assert await first.waking_tables() == []

    asyncio.run(test())
