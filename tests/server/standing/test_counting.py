"""Counting in the database: each match once, again by a newer version, never what does not count; erased and moved."""

from __future__ import annotations

from random import Random

import pytest
import sqlalchemy as sa

from chouine.server.contest.online import Contests
from chouine.server.erasure import erase
from chouine.server.schema import tally
from chouine.server.standing import tallies
from chouine.server.standing.tallies import count_matches, counted_of, names_at, statistics_of
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table.entries import LEFT, Opened, SeatHolder
from chouine.table.state import Phase, TableState
from tests.server.matches import opening
from tests.server.stores import play_on, present, tables_of, with_store

ANNE, BASILE = "a" * 32, "b" * 32
HERE, THERE = SeatHolder("person", "Anne", ANNE), SeatHolder("person", "Basile", BASILE)


async def play(tables: Tables, first: Opened, seed: int) -> str:
    table_id = await tables.open(first)
    await play_on(tables, table_id, lambda table: table.phase is Phase.OVER, Random(seed))
    return table_id


async def rows_of(store: Store) -> list[dict[str, object]]:
    query = sa.select(tally).order_by(tally.c.at, tally.c.table_id)
    return [dict(row) for row in await store.database.read(lambda c: c.execute(query).mappings().all())]


def test_what_was_played_is_counted_once_and_by_a_newer_version_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        ids = [await play(tables, opening(terms="3x1", chairs=(HERE, THERE)), seed) for seed in range(5)]
        assert [await count_matches(tables, ANNE, most=2) for _ in range(4)] == [3, 1, 0, 0]
        first = await rows_of(store)
        found = statistics_of(await counted_of(store, ANNE))
        tables_played: list[TableState] = [await present(tables, table_id) for table_id in ids]
        assert found.matches == 5
        assert found.matches_won == sum(table.match.winner == 0 for table in tables_played)
        assert found.parties.parties == sum(len(table.played) for table in tables_played)
        assert found.parties.won == found.people[BASILE].won == found.seats[0].won
        assert found.manches_won + found.manches_lost == 5
        monkeypatch.setattr(tallies, "VERSION", 2)
        assert await count_matches(tables_of(store), ANNE) == 0
        again = await rows_of(store)
        assert [row | {"version": 1} for row in again] == first

    with_store(database, go)


def test_a_deal_played_again_and_both_seats_of_one_person_count_nothing(sqlite: str) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        table_id = await play(tables, opening(chairs=(HERE, THERE)), 1)
        deal = (await present(tables, table_id)).played[0].deal
        await play(tables, opening(chairs=(HERE, THERE), deal=deal), 2)
        await play(tables, opening(chairs=(HERE, HERE)), 3)
        assert await count_matches(tables, ANNE) == 0
        assert len(await rows_of(store)) == 4
        assert len(await counted_of(store, ANNE)) == 1

    with_store(sqlite, go)


def test_who_is_erased_is_named_in_nobodys_statistics(database: str) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        table_id = await play(tables, opening(chairs=(HERE, THERE)), 1)
        for guest in (ANNE, BASILE):
            await count_matches(tables, guest)
        assert (await names_at(store, [table_id]))[table_id] == ("Anne", "Basile")
        await erase(tables, Contests(store, tables.clock), BASILE)
        (row,) = await rows_of(store)
        assert (row["guest"], row["other"]) == (ANNE, "")
        assert (await names_at(store, [table_id]))[table_id] == ("Anne", LEFT)
        assert statistics_of(await counted_of(store, ANNE)).matches == 1

    with_store(database, go)
