"""Thoughts carried out by workers on any machine: SAQ's queue over Redis.

A job holds a thought and on whose account it is, nothing else; its name is a digest. It is done at least once: a
worker that is killed leaves it to the next, a node that asks again finds it. An answer to a question that is past is
refused by the table.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from typing import Any

import structlog
from msgspec import ValidationError, convert, to_builtins
from redis.asyncio import Redis
from redis.exceptions import RedisError
from saq import Job, Status, Worker
from saq.queue.redis import RedisQueue
from saq.types import Context
from saq.utils import now

from chouine.server.fair_queue import NOBODY, Share
from chouine.server.pubsub import redis_at
from chouine.server.thinking import ComputerMove, ThinkerPool, Thought, decode, deep, encode

log = structlog.get_logger()

AT_ONCE, PEOPLE, OTHERS = "chouine-quick", "chouine-people", "chouine"
"""Queues: of who answers at once; of who takes time, for tables with a person, and for others."""
AHEAD = 4
"""Thoughts that a worker takes for each that it can think, so that it chooses whose turn is next."""
LOOK = 0.1
"""Seconds between looks for answers: a fifth of the half second for which a computer's act waits in any case."""
LONGEST = 60
"""Seconds a thought may take."""
SIGN = 1.0
"""Seconds between a worker's signs that it is still thinking."""
LOST = 4
"""Seconds without a sign after which a thought is given to another worker."""
FORSAKEN = 16
"""Seconds without a sign after which no worker has given it to another either: SAQ takes eleven at most."""
KEPT = 60
"""Seconds an answer is kept for another node that asks the same."""


def queue_at(redis: Redis, name: str = AT_ONCE) -> RedisQueue:
    return RedisQueue(redis, name=name, swept_error_message="lost")


def queue_of(thought: Thought, share: Share) -> str:
    """In which queue a thought waits."""
    return (PEOPLE if share.person else OTHERS) if deep(thought) else AT_ONCE


class Workers:
    """Asks the workers. When Redis is gone this node thinks for itself."""

    def __init__(self, url: str, alone: ThinkerPool) -> None:
        redis = redis_at(url)
        self.asked = {name: WorkerQueue(queue_at(redis, name)) for name in (AT_ONCE, PEOPLE, OTHERS)}
        self.alone = alone

    async def think(self, thought: Thought, name: str, share: Share = NOBODY) -> ComputerMove:
        key = sha256(name.encode()).hexdigest()
        try:
            return await self.asked[queue_of(thought, share)].answer(thought, key, share)
        except (RedisError, OSError) as error:
            log.warning("workers out of reach", kind=type(error).__name__)
            return await self.alone.think(thought, name, share)

    async def close(self) -> None:
        for asked in self.asked.values():
            await asked.close()
        await self.alone.close()


class Unreadable(RedisError):
    """What stands in Redis was not written by a node or a worker."""


class WorkerQueue:
    """One queue, and what is waited for in it."""

    def __init__(self, queue: RedisQueue) -> None:
        self.queue = queue
        self.waiting: dict[str, asyncio.Future[ComputerMove]] = {}
        self.looking: asyncio.Task[None] | None = None

    async def answer(self, thought: Thought, key: str, share: Share) -> ComputerMove:
        """From whichever worker comes first."""
        if key not in self.waiting:
            await self.queue.enqueue(job_of(thought, key, share))
            self.expect(key)
        if self.looking is None or self.looking.done():
            self.looking = asyncio.create_task(self.look())
        answer = self.waiting[key]
        while True:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(answer), LOST)
            await self.queue.enqueue(job_of(thought, key, share))  # nothing happens if it is there

    def expect(self, key: str) -> None:
        """Have an answer looked for."""

        def settled(answer: asyncio.Future[ComputerMove]) -> None:
            self.waiting.pop(key, None)
            if not answer.cancelled():
                answer.exception()  # it may be that nobody waits any more

        if key not in self.waiting:
            self.waiting[key] = asyncio.get_running_loop().create_future()
            self.waiting[key].add_done_callback(settled)

    async def look(self) -> None:
        """Ask for all answers at once while anybody waits for one."""
        while self.waiting:
            await asyncio.sleep(LOOK)
            waited = dict(self.waiting)
            try:
                jobs = await self.queue.jobs(waited)
            except (RedisError, OSError) as error:
                fail(waited.values(), error)
                continue
            except (ValueError, TypeError, LookupError, AttributeError):
                fail(waited.values(), Unreadable())
                continue
            for future, job in zip(waited.values(), jobs, strict=True):
                if job and job.status is Status.COMPLETE and not future.done():
                    try:
                        future.set_result(answer_of(job))
                    except (ValidationError, Unreadable):
                        future.set_exception(Unreadable())
                elif job and forsaken(job):
                    with suppress(RedisError, OSError):
                        await self.queue.retry(job, "lost")

    async def close(self) -> None:
        if self.looking is not None:
            self.looking.cancel()
        for future in list(self.waiting.values()):
            future.cancel()
        with suppress(RedisError, OSError):
            await self.queue.disconnect()


def fail(waited: Iterable[asyncio.Future[ComputerMove]], error: Exception) -> None:
    """Give the error to all that still wait."""
    for future in waited:
        if not future.done():
            future.set_exception(error)


def answer_of(job: Job) -> ComputerMove:
    """A worker's answer. `ValidationError` or `Unreadable` if no worker can have given it."""
    answer = convert(job.result, ComputerMove)
    if not 0 <= answer.seconds <= LONGEST:  # the table would wait as long before it shows the act
        raise Unreadable
    return answer


def forsaken(job: Job) -> bool:
    """Whether a started task gives no more sign of life: its worker and the node that would reassign it are gone."""
    return job.status in (Status.ACTIVE, Status.ABORTING) and now() - job.touched > 1000 * FORSAKEN


def job_of(thought: Thought, key: str, share: Share) -> Job:
    """A thought as the queue has it."""
    asked = {"thought": encode(thought).decode(), "share": to_builtins(share)}
    return Job("answer", asked, key=key, timeout=LONGEST, heartbeat=LOST, retries=1000, ttl=KEPT)


async def work(url: str, number: int) -> None:
    """Serve tasks, `number` at a time, until asked to stop."""
    pool = ThinkerPool(number)
    pool.warm()

    async def answer(context: Context, *, thought: str, share: object = None) -> Any:
        thinking = asyncio.ensure_future(pool.think(decode(thought), "", convert(share or {}, Share)))
        try:
            while True:
                done, _ = await asyncio.wait([thinking], timeout=SIGN)
                if done:
                    return to_builtins(thinking.result())
                await context["job"].update()
        finally:
            thinking.cancel()

    timers: Any = {"sweep": 2, "worker_info": 2, "abort": 1, "schedule": 1}
    redis = redis_at(url)
    taken = {AT_ONCE: number, PEOPLE: AHEAD * number, OTHERS: number}
    workers = [
        OneOfSeveral(
            queue_at(redis, name), [("answer", answer)], concurrency=many, timers=timers, dequeue_timeout=2
        )
        for name, many in taken.items()
    ]
    loop = asyncio.get_running_loop()

    def stop() -> None:
        for worker in workers:
            worker.event.set()

    for sign in Worker.SIGNALS:
        loop.add_signal_handler(sign, stop)
    try:
        await asyncio.gather(*(worker.start() for worker in workers))
    finally:
        await redis.aclose()
        await pool.close()


class OneOfSeveral(Worker[Context]):
    """A worker that leaves signals to whoever started them all."""

    SIGNALS: list[signal.Signals] = []  # noqa: RUF012  # as the library declares it
