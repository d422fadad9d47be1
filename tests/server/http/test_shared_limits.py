"""Where nodes share a Redis, limits hold over all of them; without it each node's own hold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from redis import Redis
from starlette.exceptions import HTTPException

from chouine.server.limits import VISITOR, Rate
from chouine.server.shared_limits import PREFIX, RARE, SharedWindows
from tests.needs import need
from tests.patience import soon_takes_less_than
from tests.server.redis import RedisServer, redis_server
from tests.server.serving import serving


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    need("redis")
    with redis_server() as server:
        yield server


async def is_refused(node: SharedWindows, whose: dict[str, Rate], what: str = "tables") -> bool:
    return await wait_after(node, whose, what) > 0


async def wait_after(node: SharedWindows, whose: dict[str, Rate], what: str = "tables") -> int:
    """The seconds that a refusal tells to wait; 0 without one."""
    try:
        await node.count(what, whose)
    except HTTPException as error:
        return int((error.headers or {})["Retry-After"])
    return 0


def test_a_visitor_of_two_nodes_has_one_limit(tmp_path: Path, redis: RedisServer) -> None:
    """And no address lies in Redis."""
    database, options = f"sqlite:///{tmp_path / 'chouine.db'}", ("--redis", redis.url)
    new, most = {"format": "1x1", "chair-0": "me", "chair-1": "friend"}, VISITOR["tables"].most
    with (
        serving(database, tmp_path / "one", options=options) as one,
        serving(database, tmp_path / "two", options=options) as two,
    ):
        here, there = one.visit(), two.visit()
        codes = [here.post("/new", **new).status_code]
        there.http.cookies, there.csrf = here.http.cookies, here.csrf
        codes += [(here, there)[nth % 2].post("/new", **new).status_code for nth in range(most)]
    assert codes == [303] * most + [429]
    with Redis.from_url(redis.url) as kept:
        keys = [key.decode() for key in kept.scan_iter(f"{PREFIX}:*")]
        assert len(keys) == 2
        assert not [key for key in keys if "127.0.0.1" in key]
        assert all(0 < kept.ttl(key) <= VISITOR["tables"].seconds for key in keys)


def test_nodes_count_together_what_is_rare(redis: RedisServer) -> None:
    async def test() -> None:
        one, two = SharedWindows(redis.url), SharedWindows(redis.url)
        anne, often = {"anne": Rate(3, RARE)}, {"anne": Rate(1, RARE - 1)}
        assert [await is_refused(node, anne) for node in (one, two, one, two)] == [False] * 3 + [True]
        assert not await is_refused(two, anne, "letters")
        assert not await is_refused(two, {"basile": Rate(1, RARE)})
        assert await is_refused(one, {"basile": Rate(1, RARE), "clotilde": Rate(9, RARE)})
        assert [await is_refused(one, often) for _ in range(3)] == [False] * 3
        await one.redis.expire(f"{PREFIX}:tables:anne", 20)
        assert 15 < await wait_after(two, anne) <= 20
        await one.close()
        await two.close()

    asyncio.run(test())


def test_nobody_waits_for_a_redis_that_is_gone(redis: RedisServer) -> None:
    async def test() -> None:
        node, anne = SharedWindows(redis.url), {"anne": Rate(1, RARE)}
        assert not await is_refused(node, anne)
        redis.kill()
        assert not await is_refused(node, anne)

        async def ask_often() -> float:
            begun = monotonic()
            assert [await is_refused(node, anne) for _ in range(1000)] == [False] * 1000
            return monotonic() - begun

        assert await soon_takes_less_than(5, ask_often)
        redis.start()
        node.absent_until = 0.0
        assert [await is_refused(node, anne) for _ in range(2)] == [False, True]
        await node.close()

    asyncio.run(test())
