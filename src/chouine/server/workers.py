"""Thoughts carried out by workers on any machine: SAQ's queue over Redis.

A job holds a thought and nothing else; its name is a digest. It is done at least once: a worker that is killed
leaves it to the next, a node that asks again finds it. An answer to a question that is past is refused by the table.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from hashlib import sha256
from typing import Any

import structlog
from msgspec import convert, to_builtins
from redis.asyncio import Redis
from redis.exceptions import RedisError
from saq import Job, Status, Worker
from saq.queue.redis import RedisQueue
from saq.types import Context
from saq.utils import now

from chouine.server.hints import redis_at
from chouine.server.thinking import Answer, Pool, Thought, decode, encode

log = structlog.get_logger()

QUEUE = "chouine"
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


def queue_at(redis: Redis) -> RedisQueue:
    return RedisQueue(redis, name=QUEUE, swept_error_message="lost")


class Workers:
    """Asks the workers. When Redis is gone this node thinks for itself."""

    def __init__(self, url: str, alone: Pool) -> None:
        self.queue = queue_at(redis_at(url))
        self.alone = alone
        self.waiting: dict[str, asyncio.Future[Answer]] = {}
        self.looking: asyncio.Task[None] | None = None

    async def think(self, thought: Thought, name: str) -> Answer:
        key = sha256(name.encode()).hexdigest()
        try:
            return await self.answer(thought, key)
        except (RedisError, OSError) as error:
            log.warning("workers out of reach", kind=type(error).__name__)
            return await self.alone.think(thought, name)

    async def answer(self, thought: Thought, key: str) -> Answer:
        """From whichever worker comes first."""
        if key not in self.waiting:
            await self.queue.enqueue(job_of(thought, key))
            self.expect(key)
        if self.looking is None or self.looking.done():
            self.looking = asyncio.create_task(self.look())
        answer = self.waiting[key]
        while True:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(answer), LOST)
            await self.queue.enqueue(job_of(thought, key))  # nothing happens if it is there

    def expect(self, key: str) -> None:
        """Have an answer looked for."""

        def settled(answer: asyncio.Future[Answer]) -> None:
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
                for future in waited.values():
                    if not future.done():
                        future.set_exception(error)
                continue
            for future, job in zip(waited.values(), jobs, strict=True):
                if job and job.status is Status.COMPLETE and not future.done():
                    future.set_result(convert(job.result, Answer))
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
        await self.alone.close()


def forsaken(job: Job) -> bool:
    """Whether a thought was begun and nobody has it now: its worker is gone, and who was giving it to another too."""
    return job.status in (Status.ACTIVE, Status.ABORTING) and now() - job.touched > 1000 * FORSAKEN


def job_of(thought: Thought, key: str) -> Job:
    """A thought as the queue has it."""
    asked = {"thought": encode(thought).decode()}
    return Job("answer", asked, key=key, timeout=LONGEST, heartbeat=LOST, retries=1000, ttl=KEPT)


async def work(url: str, number: int) -> None:
    """Think for whoever asks, `number` thoughts at a time, until told to stop."""
    pool = Pool(number)
    pool.warm()

    async def answer(context: Context, *, thought: str) -> Any:
        thinking = asyncio.ensure_future(pool.think(decode(thought), ""))
        try:
            while True:
                done, _ = await asyncio.wait([thinking], timeout=SIGN)
                if done:
                    return to_builtins(thinking.result())
                await context["job"].update()
        finally:
            thinking.cancel()

    timers: Any = {"sweep": 2, "worker_info": 2, "abort": 1, "schedule": 1}
    worker = Worker(
        queue_at(redis_at(url)), [("answer", answer)], concurrency=number, timers=timers, dequeue_timeout=2
    )
    try:
        await worker.start()
    finally:
        await worker.queue.disconnect()
        await pool.close()
