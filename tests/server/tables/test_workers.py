"""Thinking in `chouine worker` processes over a real Redis, killed and restarted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
from msgspec import to_builtins
from saq import Job, Status
from saq.queue.redis import RedisQueue
from saq.utils import now

from chouine.cli import main
from chouine.server.fair_queue import NOBODY
from chouine.server.pubsub import redis_at
from chouine.server.store import Store
from chouine.server.tables import Tempo
from chouine.server.thinking import ComputerMove, ThinkerPool, ThoughtRequest, encode
from chouine.server.workers import AT_ONCE, PEOPLE, Workers, backlog_at, queue_at
from chouine.table import entries as log
from chouine.table.evolve import rebuild
from tests.forked import ForkedProcess
from tests.needs import need
from tests.patience import PATIENCE, wait_until
from tests.server.matches import Table, is_over, opening, person, playing
from tests.server.redis import RedisServer, redis_server
from tests.server.stores import play_on, present, set_table, store_at, tables_of, with_store
from tests.server.tables.computers import COMPUTER, Listening, computers_at, threads, until

QUICK = Tempo(rest=0.0, thinking=0.01, every=0.01, absent=0.5)


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    need("redis")
    with redis_server() as server:
        yield server


@contextmanager
def worker(url: str, errors: Path) -> Iterator[ForkedProcess]:
    """Run `chouine worker` in a process."""
    process = ForkedProcess(main, ["worker", "--processes", "1", "--redis", url], errors)
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stdout.close()


class Nobody(ThinkerPool):
    """A thinker that must not be used."""

    def __init__(self) -> None:
        super().__init__(1)

    async def think(self, *_: object) -> ComputerMove:
        raise AssertionError("it thought for itself")


def test_workers_play_a_match_for_two_nodes(database: str, redis: RedisServer, tmp_path: Path) -> None:
    async def test() -> None:
        async with store_at(database) as first, store_at(database) as second:
            one, two = tables_of(first, tempo=QUICK), tables_of(second, tempo=QUICK)
            table_id, _ = await set_table(one, opening("classic", "1x1", (COMPUTER, COMPUTER)))
            workers = [Workers(redis.url, Nobody()) for _ in range(2)]
            async with computers_at(one, workers[0]), computers_at(two, workers[1]):
                table = await until(one, table_id, is_over)
            assert table == rebuild(await first.log(table_id))

    with worker(redis.url, tmp_path / "errors"):
        asyncio.run(test())
    assert "failure" not in (tmp_path / "errors").read_text()


def test_a_worker_is_seen_and_its_queue_measured(redis: RedisServer, tmp_path: Path) -> None:
    """`chouine worker --check` as a container calls it; the node's metrics count what waits and who works."""
    command = [sys.executable, "-m", "chouine", "worker", "--check", "--redis", redis.url]

    def check() -> int:
        return subprocess.run(command, capture_output=True, check=False).returncode

    async def wait_in_queue() -> None:
        queue = queue_at(redis_at(redis.url), PEOPLE)
        await queue.enqueue(Job("another", key="k"))
        await queue.disconnect()

    assert check() == 1
    asyncio.run(wait_in_queue())
    assert asyncio.run(backlog_at(redis.url)) == (1, 0)
    with worker(redis.url, tmp_path / "errors"):
        wait_until("a worker is seen", lambda: check() == 0)
        assert asyncio.run(backlog_at(redis.url)).workers == 1
    wait_until("its last sign of life is over", lambda: check() == 1)
    redis.kill()
    assert check() == 1


def test_a_match_waits_for_workers_and_goes_on_with_the_next(
    sqlite: str, redis: RedisServer, tmp_path: Path
) -> None:
    """The match waits without a worker, shows its computer as away, and continues with each new worker."""

    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=QUICK)
        table_id, _ = await set_table(tables, opening("classic", "1x1", (COMPUTER, COMPUTER)))
        with ExitStack() as first:
            async with computers_at(tables, Workers(redis.url, Nobody())):
                waiting = await until(tables, table_id, lambda table: bool(table.missing))
                await asyncio.sleep(0.5)
                assert (await present(tables, table_id)).n == waiting.n
                killed = first.enter_context(worker(redis.url, tmp_path / "errors"))
                table = await until(tables, table_id, lambda table: table.n > waiting.n + 4)
                killed.send_signal(signal.SIGKILL)
                waiting = await until(tables, table_id, lambda table: bool(table.missing) or is_over(table))
                assert not is_over(waiting)
                with worker(redis.url, tmp_path / "errors"):
                    table = await until(tables, table_id, is_over)
        written = await store.log(table_id)
        assert table == rebuild(written)
        assert sum(isinstance(entry, log.Missed) for entry, _ in written) >= 2

    with_store(sqlite, test)


def with_result(**result: object) -> Callable[[dict[str, object]], bytes]:
    """A finished job with an arbitrary result."""
    return lambda job: json.dumps(job | {"status": "complete", "result": result}).encode()


UNREADABLE: dict[str, Callable[[dict[str, object]], bytes]] = {
    "no JSON": lambda _: b"garbage",
    "no object": lambda _: b"[]",
    "of another queue": lambda job: json.dumps(job | {"queue": "another"}).encode(),
    "a field too many": lambda job: json.dumps(job | {"unknown": 1}).encode(),
    "an act that is no text": with_result(token=7),
    "brackets in brackets": lambda _: b"[" * 200_000,
    "a heartbeat that is no number": lambda job: json.dumps(
        job | {"status": "active", "touched": "abc"}
    ).encode(),
    "a thought of thirty years": with_result(token="Ks", seconds=1e9),
}
"""Invalid contents for a job in Redis."""


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_node_thinks_for_itself_when_an_answer_cannot_be_read(redis: RedisServer, name: str) -> None:
    table = Table.set(opening(chairs=(person(0), COMPUTER)), 3).until(playing).table
    assert table.state is not None
    thought = ThoughtRequest.of("heuristic", table.state.view(table.state.turn), 5)

    async def test() -> None:
        workers, alone = Workers(redis.url, threads()), threads()
        hostile = redis_at(redis.url)
        try:
            asking = asyncio.create_task(workers.think(thought, "a thought"))
            while not (keys := await hostile.keys("saq:job:*")):
                assert not asking.done()
            (key,) = keys
            other = asyncio.create_task(workers.think(thought, "another thought"))
            while len(workers.asked[AT_ONCE].waiting) < 2:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
            await hostile.set(key, UNREADABLE[name](json.loads(await hostile.get(key))))
            answer = await asyncio.wait_for(asking, PATIENCE)
            assert answer.token == (await alone.think(thought, "")).token
            assert not await hostile.exists(key)
            assert not other.done(), "the other request still waits for a worker"
            other.cancel()
        finally:
            await hostile.aclose()
            await workers.close()
            await alone.close()

    asyncio.run(test())


@pytest.mark.nightly
@pytest.mark.parametrize(("times", "forsaken"), [(1, False), (3, False), (1, True)])
def test_a_worker_killed_in_mid_thought_leaves_it_to_the_next(
    times: int, redis: RedisServer, tmp_path: Path, *, forsaken: bool
) -> None:
    """A thought survives repeated kills of its worker and of the one that found it, with the same answer."""
    table = (
        Table.set(opening(chairs=(person(0), COMPUTER)), 3)
        .until(lambda table: playing(table) and table.n > 12)
        .table
    )
    assert table.state is not None
    thought = ThoughtRequest.of("heuristic", table.state.view(table.state.turn), 5)

    async def test() -> None:
        workers, alone = Workers(redis.url, Nobody()), threads()
        try:
            asking = asyncio.create_task(workers.think(thought, "a thought"))
            for _ in range(times):
                await killed_in_mid_thought()
                assert not asking.done()
            with worker(redis.url, tmp_path / "errors"):
                assert (await asyncio.wait_for(asking, PATIENCE)).token == (
                    await alone.think(thought, "")
                ).token
        finally:
            await workers.close()
            await alone.close()

    async def killed_in_mid_thought() -> None:
        """Stop a worker's thinking process once the thought has begun, and kill the worker."""
        async with looking_at(redis.url) as queue:
            before = now()
            with worker(redis.url, tmp_path / "errors") as process, stop_thinking(process.pid):
                async with asyncio.timeout(PATIENCE):
                    while (job := await begun_since(queue, before)) is None:  # noqa: ASYNC110  # nobody tells
                        await asyncio.sleep(0.05)
                process.kill()
            if forsaken:
                await queue.abort(job, "found by one that is killed then")

    asyncio.run(test())


@asynccontextmanager
async def looking_at(url: str) -> AsyncIterator[RedisQueue]:
    """A connection to the queue."""
    queue = queue_at(redis_at(url))
    try:
        yield queue
    finally:
        await queue.disconnect()


async def begun_since(queue: RedisQueue, moment: int) -> Job | None:
    """The thought's job, if a worker has begun it after that moment."""
    jobs = [job async for job in queue.iter_jobs()]
    return next((job for job in jobs if job.status is Status.ACTIVE and job.started > moment), None)


@contextmanager
def stop_thinking(worker: int) -> Iterator[None]:
    """Stop a worker's thinking processes, and kill them in the end."""
    deadline = time.monotonic() + PATIENCE
    while not (children := thinking(worker)):
        assert time.monotonic() < deadline, "nobody thinks"
        time.sleep(0.02)
    for child in children:
        os.kill(child, signal.SIGSTOP)
    try:
        yield
    finally:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def thinking(worker: int) -> list[int]:
    """The process identifiers of a worker's thinking processes."""
    children = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_node_thinks_for_itself_while_redis_is_gone(sqlite: str, redis: RedisServer) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=QUICK)
        table_id, _ = await set_table(tables, opening("classic", "1x1", (COMPUTER, COMPUTER)))
        redis.kill()
        async with computers_at(tables, Workers(redis.url, threads())):
            await until(tables, table_id, is_over)

    with_store(sqlite, test)


def test_a_job_holds_a_thought_and_nothing_else(sqlite: str, redis: RedisServer) -> None:
    """§14: a job contains neither table nor guest, only the thought."""

    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=QUICK)
        table_id, _ = await set_table(tables, opening(chairs=(person(0), COMPUTER)))
        table = await play_on(
            tables, table_id, lambda table: playing(table) and table.awaited == {1} and table.n > 12
        )
        listening = Listening()
        computers = computers_at(tables, listening)
        async with computers:
            await until(tables, table_id, lambda now: now.n > table.n)
        thought, name = listening.asked[0]
        workers = Workers(redis.url, threads())
        asking = asyncio.create_task(workers.think(thought, name))
        queue = queue_at(redis_at(redis.url))
        async with asyncio.timeout(PATIENCE):
            while not (jobs := [job async for job in queue.iter_jobs()]):  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.02)
        (job,) = jobs
        assert job.kwargs == {"thought": encode(thought).decode(), "share": to_builtins(NOBODY)}
        assert table_id not in job.key
        kept = b"".join([await queue.redis.get(key) async for key in queue.redis.scan_iter("saq:job:*")])
        assert table_id.encode() not in kept
        assert b"guest-0" not in kept
        asking.cancel()
        await queue.disconnect()
        await workers.close()

    with_store(sqlite, test)
