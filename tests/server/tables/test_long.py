"""Long matches: opened without blocking the event loop, at a cost linear in their length."""

from __future__ import annotations

import asyncio
from random import Random
from time import process_time, thread_time

import pytest

from chouine.match.score import Format
from chouine.server.codec import decode_brief
from chouine.server.store import Append, Store
from chouine.server.terms import LONGEST_MANCHE
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.brief import Brief
from chouine.table.commands import Refused
from chouine.table.evolve import rebuild
from chouine.table.state import TableState
from tests.server.matches import Table, is_over, opening
from tests.server.stores import Clock, play_on, present, set_table, tables_of, with_store


def longest(seed: int = 0, parties: int = LONGEST_MANCHE) -> Table:
    """A match of the greatest number of parties, conceded by both in turn at the last card."""
    table = Table.set(opening(terms=str(Format(parties, 2))), seed)
    while not is_over(table.table):
        room = table.table
        if room.state is not None and room.state.result is None and room.state.position.tricks == 15:
            table.do(ask.Concede(len(room.played) % 2))
        else:
            table.step()
    return table


async def keep_in_pieces(store: Store, table: Table) -> None:
    """Store a table in pieces of 300 entries."""
    (first, at), *others = table.log
    await store.open(Append("long", 0, at, None, [first], None, over=False, seats=[(0, "guest-0")]))
    for n in range(0, len(others), 300):
        piece = [entry for entry, _ in others[n : n + 300]]
        await store.append(Append("long", n + 1, at, None, piece, None, over=False))


def test_the_longest_match_opens_at_once(sqlite: str) -> None:
    """Opening the longest match gives the state of a replay, of which the event loop's thread does less than half."""
    table = longest()
    assert len(table.table.played) >= 5 * LONGEST_MANCHE

    async def test(store: Store) -> None:
        await keep_in_pieces(store, table)
        entries, opened, replayed = await store.log("long"), [], []
        for _ in range(3):
            tables, begun = tables_of(store), thread_time()
            room = await present(tables, "long")
            opened.append(thread_time() - begun)
            begun = thread_time()
            room_again = rebuild(entries)
            replayed.append(thread_time() - begun)
            assert room == room_again
        assert min(opened) < min(replayed) / 2

    with_store(sqlite, test)


def test_a_long_log_is_folded_once_for_all_who_ask(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, read = longest(), []

    async def test(store: Store) -> None:
        await keep_in_pieces(store, table)
        tables, log_of = tables_of(store), store.log

        async def record_and_read(
            of: str, after: int = 0, most: int = 10**6
        ) -> list[tuple[log.LogEntry, float]]:
            read.append(after)
            return await log_of(of, after, most)

        monkeypatch.setattr(store, "log", record_and_read)
        rooms = await asyncio.gather(*(present(tables, "long") for _ in range(10)))
        assert all(room == rooms[0] for room in rooms)
        pieces = [after for after in read if 0 < after < len(table.log)]
        assert len(pieces) == len(set(pieces)) == len(table.log) // 200 + 1

    with_store(sqlite, test)


def test_the_cost_of_a_match_grows_with_its_length_and_no_faster() -> None:
    """The processor time per entry less than doubles from 3 to 30 parties a manche."""

    def cost(table: Table) -> float:
        times = []
        for _ in range(5):
            begun = process_time()
            rebuild(table.log)
            times.append(process_time() - begun)
        return min(times) / len(table.log)

    assert cost(longest(parties=30)) < 2 * cost(longest(parties=3))


def test_a_match_that_is_too_long_is_set_nowhere(sqlite: str) -> None:
    async def test(store: Store) -> None:
        with pytest.raises(Refused, match="to 10 parties"):
            await tables_of(store).open(opening(terms=str(Format(LONGEST_MANCHE + 1, 1))))
        assert await store.table_ids_of("guest-0") == []

    with_store(sqlite, test)


def test_what_is_over_is_listed_without_its_log(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of matches shows the summary stored at a match's end; for an older match it is made once."""

    async def test(store: Store) -> None:
        tables = tables_of(store, Clock())
        table_id, _ = await set_table(tables, opening())
        room = await play_on(tables, table_id, is_over, Random(2))
        ((_, told),) = await store.table_ids_of("guest-0")
        assert told is not None
        assert_tells(told, room)
        older = longest(parties=1)
        await keep_in_pieces(store, older)
        await store.append(Append("long", len(older.log), 0.0, None, [], None, over=True))
        assert dict(await store.table_ids_of("guest-0"))["long"] is None
        assert await tables_of(store).brief("long") is not None
        again = dict(await store.table_ids_of("guest-0"))["long"]
        assert again is not None
        assert_tells(again, older.table)

    with_store(sqlite, test)


def assert_tells(brief: bytes, room: TableState) -> None:
    assert decode_brief(brief) == Brief.of(room)
