"""Rated matches: entered exactly once, whoever ends them; explained after an erasure; computed again the same."""

from __future__ import annotations

import asyncio
import itertools
from random import Random

import pytest
import sqlalchemy as sa

from chouine.server.accounts.merging import merge_guests
from chouine.server.contest.online import Contests
from chouine.server.erasure import erase, erase_again
from chouine.server.partners import Partners
from chouine.server.personal import parts_of
from chouine.server.schema import erasure, rating
from chouine.server.standing.ledger import RatingChange, changes_of, fold, redo, show, shown_of
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, Opened, SeatHolder
from chouine.table.state import Phase
from tests.server.matches import is_over, opening
from tests.server.stores import Clock, play_on, present, store_at, tables_of, with_store

CLOCK = ClockTerms(60, 300)
ANNE, BASILE, CHLOE = "a" * 32, "b" * 32, "c" * 32


def rated_opening(*guests: str, rules: str = "classic", terms: str = "1x1", rated: bool = True) -> Opened:
    """A table with a clock at which everybody has agreed to a rating."""
    chairs = [SeatHolder("person", guest[:1].upper(), guest, rated=rated) for guest in guests]
    return opening(rules, terms, chairs, CLOCK)


async def play(tables: Tables, first: Opened, seed: int = 0) -> str:
    table_id = await tables.open(first)
    await play_on(tables, table_id, is_over, Random(seed))
    return table_id


async def all_changes(store: Store) -> list[RatingChange]:
    query = sa.select(rating).order_by(rating.c.n, rating.c.seat)
    rows = await store.database.read(lambda connection: connection.execute(query).all())
    return [*map(RatingChange.of, rows)]


def test_a_match_is_entered_once_though_more_is_said_after_its_end(database: str) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        table_id = await play(tables, rated_opening(ANNE, BASILE))
        other_node = tables_of(store)
        await other_node.do(table_id, ask.Speak(0, "thanks"))
        await other_node.do(table_id, ask.Revanche(1))
        changes = await all_changes(store)
        assert [change.seat for change in changes] == [0, 1]
        winner = next(change for change in changes if change.place == 1)
        loser = next(change for change in changes if change.place == 2)
        assert winner.after.mean > 1500 > loser.after.mean
        assert (await present(tables, table_id)).match.winner == winner.seat

    with_store(database, go)


def test_what_ends_a_rated_match_may_change_more_in_the_same_write(sqlite: str) -> None:
    """Who is erased in a rated match leaves it, so that it is entered, and is named nowhere from then on."""

    async def go(store: Store) -> None:
        tables, also = tables_of(store), list[sa.Connection]()
        table_id = await tables.open(rated_opening(ANNE, BASILE))
        await play_on(tables, table_id, lambda table: table.phase is Phase.PLAY)
        table = await tables.do(table_id, ask.Leave(0), also=[also.append])
        assert table.phase is Phase.OVER
        assert [change.place for change in await all_changes(store)] == [2, 1]
        assert len(also) == 1

    with_store(sqlite, go)


def test_a_single_entry_may_change_more_in_the_same_write(sqlite: str) -> None:
    """Where nothing else changes an entry is written by a shorter way."""

    async def go(store: Store) -> None:
        tables, also = tables_of(store), list[sa.Connection]()
        chairs = [SeatHolder("person", name, name * 32) for name in "ab"]
        table_id = await tables.open(opening(chairs=chairs))
        await play_on(tables, table_id, lambda table: table.phase is Phase.PLAY)
        await tables.do(table_id, ask.Speak(0, "thanks"), also=[also.append])
        assert len(also) == 1

    with_store(sqlite, go)


def test_matches_that_end_on_two_nodes_at_once_are_both_entered(database: str) -> None:
    async def go(store: Store) -> None:
        async with store_at(database) as beside:
            nodes = [tables_of(store), tables_of(beside)]
            opened_here = [
                await tables.open(rated_opening(ANNE, BASILE)) for tables in nodes for _ in range(4)
            ]
            left = [
                nodes[nth % 2].do(table_id, ask.ForfeitMatch(nth % 2))
                for nth, table_id in enumerate(opened_here)
            ]
            await asyncio.gather(*left)
        changes = await all_changes(store)
        assert [change.n for change in changes[::2]] == [*range(1, 9)]
        chain = [change for change in changes if change.guest == ANNE]
        assert all(later.before.mean == earlier.after.mean for earlier, later in itertools.pairwise(chain))

    with_store(database, go)


@pytest.mark.parametrize(
    "unrated",
    [
        rated_opening(ANNE, BASILE, rated=False),
        rated_opening(ANNE, ANNE),
        rated_opening(ANNE, BASILE, rules="classic;head=always"),
        opening(
            chairs=[SeatHolder("person", "A", ANNE, rated=True), SeatHolder("level:1", "Lison")], clock=CLOCK
        ),
        opening(chairs=[SeatHolder("person", name, name * 32, rated=True) for name in "ab"]),
    ],
    ids=["not agreed", "one person", "house rule", "computer", "no clock"],
)
def test_nothing_else_is_rated(sqlite: str, unrated: Opened) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        table_id = await tables.open(unrated)
        await tables.do(table_id, ask.ForfeitMatch(0))
        assert await all_changes(store) == []

    with_store(sqlite, go)


def test_one_who_sits_down_must_agree_too_and_stays_agreed_on_another_device(sqlite: str) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        for rated in (False, True):
            empty = SeatHolder("person", "")
            own = SeatHolder("person", "A", ANNE, rated=True)
            table_id = await tables.open(opening(chairs=[own, empty], clock=CLOCK))
            await tables.do(table_id, ask.Sit(1, BASILE, "B", rated=rated))
            table = await tables.do(table_id, ask.Sit(1, CHLOE, "B", BASILE))
            assert table.rated is rated

    with_store(sqlite, go)


@pytest.mark.parametrize("rules", ["classic", "three", "four"])
def test_whoever_leaves_or_lets_the_clock_run_out_is_last(sqlite: str, rules: str) -> None:
    async def go(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        guests = [ANNE, BASILE, CHLOE, "d" * 32][: {"classic": 2, "three": 3, "four": 4}[rules]]
        table_id = await tables.open(rated_opening(*guests, rules=rules, terms="3"))
        table = await play_on(tables, table_id, lambda table: table.phase is Phase.PLAY)
        clock.now += 10_000
        if table.window:
            await tables.do(table_id, ask.Tick())
            clock.now += 10_000
        over = await tables.do(table_id, ask.Tick())
        late = over.match.entries[-1].seat  # type: ignore[union-attr]
        changes = await all_changes(store)
        assert max(changes, key=lambda change: change.place).seat == late
        assert changes[late].after.mean < 1500
        assert {change.variant for change in changes} == {over.match.rules.preset}

    with_store(sqlite, go)


def test_doing_all_again_gives_the_same_and_mends_what_is_wrong(database: str) -> None:
    async def go(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        for seed in range(6):
            clock.now += 50 * 24 * 3600
            await play(
                tables, rated_opening(*((ANNE, BASILE), (BASILE, CHLOE), (CHLOE, ANNE))[seed % 3]), seed
            )
        await play(tables, rated_opening(ANNE, BASILE, CHLOE, rules="three", terms="3"))
        before = await all_changes(store)
        assert fold(before) == before
        assert (await redo(tables_of(store, clock))).differing == 0
        wrong = rating.update().where(rating.c.n == 2).values(place=7, mean=9999.0)
        await store.database.write(lambda connection: connection.execute(wrong))
        assert (await redo(tables_of(store, clock))).differing > 0
        assert await all_changes(store) == before
        lost = rating.delete().where(rating.c.n == 7)
        await store.database.write(lambda connection: connection.execute(lost))
        assert (await redo(tables_of(store, clock))).entered == 1
        assert [each.after for each in await all_changes(store)] == [each.after for each in before]

    with_store(database, go)


def test_who_is_erased_leaves_the_figures_that_explain_others(database: str) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        for seed in range(4):
            await play(
                tables, rated_opening(ANNE, BASILE) if seed % 2 else rated_opening(BASILE, CHLOE), seed
            )
        going = await tables.open(rated_opening(ANNE, BASILE))
        await show(store, BASILE, rating=True, play=False, at=0.0)
        before = [change.after for change in await all_changes(store) if change.guest == ANNE]
        await erase(tables, Contests(store, tables.clock), BASILE)
        after = await all_changes(store)
        assert not any(change.guest == BASILE for change in after)
        own = [change for change in after if change.guest == ANNE]
        assert [change.after for change in own][:-1] == before
        assert own[-1].table_id == going
        assert own[-1].place == 1
        assert (await redo(tables_of(store))).differing == 0
        assert await shown_of(store, BASILE) == (False, False)

    with_store(database, go)


def test_what_an_older_node_left_of_somebody_erased_goes_with_the_next_pruning(database: str) -> None:
    async def go(store: Store) -> None:
        await play(tables_of(store), rated_opening(ANNE, BASILE))
        await show(store, BASILE, rating=True, play=True, at=0.0)
        noted = erasure.insert().values(guest=BASILE, at=0.0)
        await store.database.write(lambda connection: connection.execute(noted))
        await erase_again(store)
        assert {change.guest for change in await all_changes(store)} == {ANNE, ""}
        assert await shown_of(store, BASILE) == (False, False)

    with_store(database, go)


def test_ratings_move_with_a_person_and_are_in_the_archive(sqlite: str) -> None:
    async def go(store: Store) -> None:
        tables = tables_of(store)
        await play(tables, rated_opening(ANNE, BASILE))
        await show(store, ANNE, rating=True, play=True, at=0.0)
        await merge_guests(tables, Contests(store, tables.clock), ANNE, "f" * 32, "token")
        assert await changes_of(store, ANNE) == []
        assert len(await changes_of(store, "f" * 32)) == 1
        assert await shown_of(store, "f" * 32) == (True, True)
        parts = await parts_of(store, "f" * 32)
        assert len(parts["ratings"]) == len(parts["showing"]) == 1

    with_store(sqlite, go)


@pytest.mark.parametrize(("waits", "joins"), [(True, True), (True, False), (False, True)])
def test_strangers_agree_on_both_sides(database: str, waits: bool, joins: bool) -> None:  # noqa: FBT001
    async def go(store: Store) -> None:
        tables = tables_of(store)
        partners = Partners(store, tables.clock)
        await partners.wait(ANNE, "Anne", rated=waits)
        (waiter,) = await partners.waiting_list(BASILE)
        assert waiter.rated is waits
        table_id = await partners.join(tables, BASILE, "Basile", waiter.id, rated=joins)
        assert (await present(tables, table_id)).rated is (waits and joins)

    with_store(database, go)
