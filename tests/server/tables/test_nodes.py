"""Several nodes at one table: they learn of each other's moves by Redis hints, or by polling without Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from random import Random
from time import monotonic
from typing import Self

import pytest

from chouine.server import pubsub as module
from chouine.server.app import end_tasks
from chouine.server.pubsub import CHANNEL, MoveChannel, poll, redis_at
from chouine.server.store import Store
from chouine.server.tables import AT_ONCE, Tables
from chouine.table import commands as ask
from chouine.table.evolve import rebuild
from tests.needs import need
from tests.patience import PATIENCE, soon_takes_less_than
from tests.server.matches import any_answer, is_over, opening
from tests.server.redis import RedisServer, redis_server
from tests.server.stores import present, set_table, store_at, tables_of, with_store


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    need("redis")
    with redis_server() as server:
        yield server


@asynccontextmanager
async def node(store: Store, url: str = "") -> AsyncIterator[tuple[Tables, MoveChannel | None]]:
    """A node's tables, with the tasks that keep them up to date."""
    tables = tables_of(store)
    channel = MoveChannel(url, tables) if url else None
    work = [poll(tables, channel), *((channel.send(), channel.hear()) if channel else ())]
    tasks = [asyncio.create_task(each) for each in work]
    if channel:
        await until(lambda: channel.heard)
    try:
        yield tables, channel
    finally:
        await end_tasks(tasks)
        if channel:
            await channel.close()


@asynccontextmanager
async def two_nodes(database: str, url: str = "") -> AsyncIterator[tuple[Tables, Tables, MoveChannel | None]]:
    """Two nodes over one database, each with separate connections, and the second's channel."""
    async with (
        store_at(database) as first,
        store_at(database) as second,
        node(first, url) as (one, _),
        node(second, url) as (two, channel),
    ):
        yield one, two, channel


async def until(reached: object, seconds: float = PATIENCE) -> None:
    assert callable(reached)
    async with asyncio.timeout(seconds):
        while not reached():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.005)


async def told_after(one: Tables, two: Tables, table_id: str, phrase: str = "hello") -> float:
    """Seconds from a command at one node until a watcher at another has it."""
    moved = asyncio.Event()
    with two.watching(table_id, moved):
        before = await present(two, table_id)
        moved.clear()
        begun = monotonic()
        await one.do(table_id, ask.Speak(0, phrase))
        await asyncio.wait_for(moved.wait(), PATIENCE)
        steps = two.steps(table_id, before.n)
        assert steps is not None
        (step,) = steps
        assert step.after.spoken[-1][1] == phrase
        return monotonic() - begun


def test_a_hint_brings_a_move_to_the_other_node_at_once(database: str, redis: RedisServer) -> None:
    async def test() -> None:
        async with two_nodes(database, redis.url) as (one, two, _):
            table_id, _ = await set_table(one)
            assert await soon_takes_less_than(module.POLL / 2, lambda: told_after(one, two, table_id))

    asyncio.run(test())


def test_without_redis_the_database_is_looked_at(database: str) -> None:
    async def test() -> None:
        async with two_nodes(database) as (one, two, _):
            table_id, _ = await set_table(one)
            assert await soon_takes_less_than(module.POLL * 3, lambda: told_after(one, two, table_id))

    asyncio.run(test())


def test_play_goes_on_while_redis_is_gone_and_hints_come_back_with_it(
    database: str, redis: RedisServer
) -> None:
    async def test() -> None:
        async with two_nodes(database, redis.url) as (one, two, channel):
            assert channel is not None
            table_id, _ = await set_table(one)
            redis.kill()
            await until(lambda: not channel.heard)
            assert await soon_takes_less_than(module.POLL * 3, lambda: told_after(one, two, table_id, "oops"))
            redis.start()
            await until(lambda: channel.heard)
            await asyncio.sleep(module.AGAIN * 2)  # for the sender's next attempt
            assert await soon_takes_less_than(module.POLL, lambda: told_after(one, two, table_id, "thanks"))

    asyncio.run(test())


@pytest.mark.parametrize("lost", ["heard", "sent"])
def test_a_lost_hint_is_made_up_for(
    lost: str, sqlite: str, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two rounds of polling: who listens polls on coming back, and what Redis refuses is sent again."""
    monkeypatch.setattr(module, "POLL", 2 * PATIENCE)
    monkeypatch.setattr(module, "POLL_NOTIFIED", 2 * PATIENCE)

    async def test() -> None:
        async with two_nodes(sqlite, redis.url) as (one, two, channel), redis_at(redis.url) as keeper:
            assert channel is not None
            table_id, _ = await set_table(one)
            await told_after(one, two, table_id, "hello")
            if lost == "heard":
                await keeper.client_kill_filter(_type="pubsub")
                await until(lambda: not channel.heard)
                await told_after(one, two, table_id, "thanks")
            else:
                await keeper.acl_setuser("default", enabled=True, commands=["-publish"])
                thanks = asyncio.create_task(told_after(one, two, table_id, "thanks"))
                await asyncio.sleep(module.AGAIN / 2)
                await keeper.acl_setuser("default", enabled=True, commands=["+publish"])
                await thanks

    asyncio.run(test())


@pytest.mark.parametrize("moves", [1, AT_ONCE + 1])
def test_whoever_reads_a_move_first_wakes_the_watchers(sqlite: str, moves: int) -> None:
    """A page may read another node's moves before the hint comes, or the next poll, which then tells nothing new."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        table_id, table = await set_table(one)
        await present(two, table_id)
        moved, rng = asyncio.Event(), Random(1)
        with two.watching(table_id, moved):
            for _ in range(moves):
                table = await one.do(table_id, any_answer(table, rng))
            assert await present(two, table_id) == table
            await two.note_move(table_id, table.n)
            assert moved.is_set()

    with_store(sqlite, test)


def test_a_hint_tells_nothing_but_a_name_and_a_number(sqlite: str, redis: RedisServer) -> None:
    """Hints hold a table's identifier and a number only; malformed ones are ignored."""

    async def test() -> None:
        async with store_at(sqlite) as store, node(store, redis.url) as (tables, channel):
            assert channel is not None
            listening = redis_at(redis.url)
            async with listening.pubsub(ignore_subscribe_messages=True) as heard:
                await heard.subscribe(CHANNEL)
                table_id, table = await set_table(tables)
                rng, said = Random(1), []
                for _ in range(20):
                    table = await tables.do(table_id, any_answer(table, rng))
                    while (message := await heard.get_message(timeout=2)) is None:
                        pass
                    said.append(message["data"])
            lengths = [int(data.removeprefix(table_id.encode() + b" ")) for data in said]
            assert lengths == sorted(lengths)
            with tables.watching(table_id, asyncio.Event()):
                for nonsense in (
                    b"",
                    b"x",
                    b"\xff\xfe",
                    f"{table_id} -1".encode(),
                    f"{table_id} ²".encode(),
                    f"{table_id} ".encode() + b"9" * 99,
                ):
                    await listening.publish(CHANNEL, nonsense)
                await listening.publish(CHANNEL, f"{table_id} 99999999")
                await asyncio.sleep(0.2)
            assert channel.heard
            assert await present(tables, table_id) == table
            await listening.aclose()

    asyncio.run(test())


def test_any_node_serves_any_match(database: str, redis: RedisServer) -> None:
    """A whole match with each command at a random node."""

    async def test() -> None:
        async with two_nodes(database, redis.url) as (one, two, _):
            table_id, table = await set_table(one, opening("three"))
            rng = Random(4)
            while not is_over(table):
                table = await rng.choice([one, two]).do(table_id, any_answer(table, rng))
            assert (
                rebuild(await one.store.log(table_id))
                == table
                == await present(two, table_id)
                == await present(one, table_id)
            )

    asyncio.run(test())


def test_a_cancellation_that_is_lost_on_the_way_ends_it_all_the_same(sqlite: str) -> None:
    """Before Python 3.12 `asyncio.wait_for`, and so the Redis client, can lose a cancellation; shutdown still ends."""

    class Deaf:
        """A pipeline that swallows a cancellation."""

        def publish(self, *_: object) -> None:
            pass

        async def __aenter__(self) -> Self:
            return self

        async def __aexit__(self, *_: object) -> None:
            pass

        async def execute(self) -> None:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    async def test() -> None:
        async with store_at(sqlite) as store:
            channel = MoveChannel("redis://127.0.0.1:1", tables_of(store))
            channel.redis.pipeline = lambda **_: Deaf()  # type: ignore[method-assign,assignment]
            sending = asyncio.create_task(channel.send())
            channel.tell("game", 1)
            await asyncio.sleep(0.05)
            await asyncio.wait_for(end_tasks([sending]), PATIENCE)
            await channel.close()

    asyncio.run(test())
