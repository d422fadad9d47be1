"""The order of thoughts: people first, addresses and visitors in turn, quick levels never behind slow ones."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest
from starlette.exceptions import HTTPException

from chouine.server import thinking
from chouine.server.fair_queue import ComputeAccount, TurnQueue
from chouine.server.limits import STUDIES, Limits
from chouine.server.store import Store
from chouine.server.thinking import ComputerMove, ThinkerPool, ThoughtRequest
from chouine.table.entries import SeatHolder
from tests.patience import PATIENCE
from tests.server.matches import is_over, opening, person
from tests.server.stores import set_table, tables_of, with_store
from tests.server.tables.computers import Listening, computers_at, until

FLOOD = [ComputeAccount(person=False, visitor="flooder", address="flood")] * 20
HONEST = ComputeAccount(person=True, visitor="honest", address="home")


def thought_of(player: str, seed: int = 0) -> ThoughtRequest:
    return ThoughtRequest(player, 0, "", (), (), seed)


def order_of(shares: Iterable[ComputeAccount], number: int = 1) -> list[ComputeAccount]:
    """The order in which requests get their turns that arrive while all turns are taken."""

    async def test() -> list[ComputeAccount]:
        turns, had = TurnQueue(number), list[ComputeAccount]()
        for _ in range(number):
            await turns.take(ComputeAccount())

        async def one(share: ComputeAccount) -> None:
            await turns.take(share)
            had.append(share)
            turns.give_back()

        tasks = []
        for share in shares:
            tasks.append(asyncio.create_task(one(share)))
            await asyncio.sleep(0)
        turns.give_back()
        await asyncio.gather(*tasks)
        return had

    return asyncio.run(test())


def test_who_sits_at_a_table_comes_before_all_computers_alone() -> None:
    assert order_of([*FLOOD, HONEST])[0] == HONEST


def test_addresses_take_turns_and_their_visitors() -> None:
    """Addresses alternate, and so do the visitors of an address, whatever the number of their requests."""
    flood = [ComputeAccount(person=True, visitor=f"v{nth % 2}", address="flood") for nth in range(20)]
    lone = [ComputeAccount(person=True, visitor="w", address="flood")] * 3
    home = [HONEST] * 5
    had = order_of([*flood, *lone, *home])
    assert [nth for nth, share in enumerate(had) if share == HONEST] == [1, 3, 5, 7, 9]
    others = [share for share in had if share != HONEST]
    assert {share.visitor for share in others[:3]} == {"v0", "v1", "w"}


def test_who_comes_later_is_level_with_the_others() -> None:
    """A later address starts level with the others: no credit or debt from before."""

    async def test() -> None:
        turns, had = TurnQueue(1), list[str]()
        await turns.take(ComputeAccount())
        one, other = ComputeAccount(address="one"), ComputeAccount(address="other")

        async def take(share: ComputeAccount) -> None:
            await turns.take(share)
            had.append(share.address)

        tasks = [asyncio.create_task(take(one)) for _ in range(10)]
        await asyncio.sleep(0)
        for _ in range(6):
            turns.give_back()
            await asyncio.sleep(0)
        tasks += [asyncio.create_task(take(other)) for _ in range(4)]
        await asyncio.sleep(0)
        for _ in range(8):
            turns.give_back()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert had[:6] == ["one"] * 6
        assert had[6:12].count("other") == 3

    asyncio.run(test())


def test_who_no_longer_waits_takes_no_turn() -> None:
    async def test() -> None:
        turns = TurnQueue(1)
        await turns.take(HONEST)
        gone = asyncio.create_task(turns.take(HONEST))
        await asyncio.sleep(0)
        gone.cancel()
        turns.give_back()
        await asyncio.wait_for(turns.take(HONEST), 10)
        leaving = asyncio.create_task(turns.take(HONEST))
        await asyncio.sleep(0)
        turns.give_back()
        leaving.cancel()  # after its turn has come
        with pytest.raises(asyncio.CancelledError):
            await leaving
        await asyncio.wait_for(turns.take(HONEST), 10)

    asyncio.run(test())


def test_one_visitor_or_address_waits_for_few_at_a_time() -> None:
    """Each visitor and each address may wait for a few studies at a time; more are refused."""

    async def test() -> None:
        turns, limits = TurnQueue(1), Limits(per_address=2)
        await turns.take(HONEST)
        waiting = list[asyncio.Task[None]]()

        def asks(visitor: str, address: str) -> bool:
            share = ComputeAccount(person=True, visitor=visitor, address=address)
            try:
                limits.studies(*turns.waiting_with(share))
            except HTTPException:
                return False
            waiting.append(asyncio.create_task(turns.take(share)))
            return True

        answers = []
        for visitor in ("one", "two", "three"):
            for _ in range(STUDIES + 1):
                answers.append(asks(visitor, "flood"))
                await asyncio.sleep(0)
        assert answers == 2 * [*[True] * STUDIES, False] + [False] * (STUDIES + 1)
        assert asks("one", "home"), "another address's visitor"
        for task in waiting:
            task.cancel()

    asyncio.run(test())


def test_a_level_that_answers_at_once_never_waits_behind_deep_thought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With real threads: quick levels answer while every slow thought is blocked."""
    answered, deep = threading.Event(), list[str]()

    def slow(asked: bytes) -> ComputerMove:
        told = thinking.decode(asked)
        if told.player == "level:8":
            deep.append(told.player)
            assert answered.wait(PATIENCE)
        return ComputerMove(told.player)

    monkeypatch.setattr(thinking, "think", slow)

    async def test() -> None:
        pool = ThinkerPool(1, ThreadPoolExecutor, ThreadPoolExecutor)
        flood = [
            asyncio.create_task(pool.think(thought_of("level:8", nth), "", FLOOD[0])) for nth in range(20)
        ]
        async with asyncio.timeout(PATIENCE):
            for player in ("level:1", "level:5", "level:6", "heuristic"):
                assert (await pool.think(thought_of(player), "", HONEST)).token == player
            while not deep:  # noqa: ASYNC110  # a thread, which may begin late
                await asyncio.sleep(0.01)
        assert len(deep) == 1, "one at a time"
        honest = asyncio.create_task(pool.think(thought_of("level:8", 99), "", HONEST))
        await asyncio.sleep(0)
        answered.set()
        await asyncio.wait_for(honest, PATIENCE)
        assert sum(task.done() for task in flood) < 20, "a person's comes before those that waited longer"
        await asyncio.gather(*flood)
        await pool.close()

    asyncio.run(test())


def test_a_turn_lasts_as_long_as_the_process_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancelled thought keeps its turn until its process is free, so that the limit holds."""
    begun, go, at_once = threading.Event(), threading.Event(), list[int]()
    busy = [0]

    def slow(asked: bytes) -> ComputerMove:
        busy[0] += 1
        at_once.append(busy[0])
        begun.set()
        assert go.wait(PATIENCE)
        busy[0] -= 1
        return ComputerMove("x")

    monkeypatch.setattr(thinking, "think", slow)

    def two(_: int) -> Executor:
        return ThreadPoolExecutor(2)

    async def test() -> None:
        pool = ThinkerPool(1, two, two)
        leaving = asyncio.create_task(pool.think(thought_of("level:8"), "", HONEST))
        await asyncio.to_thread(begun.wait)
        leaving.cancel()
        after = asyncio.create_task(pool.think(thought_of("level:8"), "", HONEST))
        await asyncio.sleep(0.05)
        assert at_once == [1]
        go.set()
        await asyncio.wait_for(after, PATIENCE)
        assert at_once == [1, 1]
        await pool.close()

    asyncio.run(test())


def test_a_thought_is_on_its_tables_account(sqlite: str) -> None:
    """Thoughts count for the visitor and address that set the table, both as digests."""
    computers = (SeatHolder("heuristic", "A"), SeatHolder("heuristic", "B"))

    async def test(store: Store) -> None:
        tables, listening = tables_of(store), Listening()
        table_ids = [
            await tables.open(opening(chairs=computers), set_by=("me", where)) for where in ("here", "there")
        ]
        mine, _ = await set_table(tables, opening(chairs=(person(0), computers[1])))
        assert await store.set_by(table_ids[0]) == ("me", "here")
        async with computers_at(tables, listening):
            for table_id in table_ids:
                await until(tables, table_id, is_over)
        shares = set(listening.shares)
        assert {share.person for share in shares} == {False}
        assert len({share.visitor for share in shares}) == 1
        assert len({share.address for share in shares}) == 2
        assert not {"me", "here", "there"} & {
            text for share in shares for text in (share.visitor, share.address)
        }
        assert await store.set_by(table_ids[0]) == ("me", ""), "from where is forgotten once it is over"
        assert mine

    with_store(sqlite, test)
