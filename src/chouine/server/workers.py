"""Computers' moves computed by workers on any machine, over SAQ, a job queue in Redis.

A job holds a request and the account it is charged to; its key is a digest. It runs at least once: if a worker is
killed another takes over, and a node that asks again finds the same job. The table refuses a late answer.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from socket import gethostname
from typing import Any

import structlog
from msgspec import convert, to_builtins
from redis.asyncio import Redis
from redis.exceptions import RedisError
from saq import Job, Status, Worker
from saq.queue.redis import RedisQueue
from saq.types import Context
from saq.utils import now

from chouine.server.fair_queue import NOBODY, ComputeAccount
from chouine.server.pubsub import redis_at
from chouine.server.thinking import (
    Backlog,
    ComputerMove,
    ThinkerPool,
    ThoughtRequest,
    decode,
    encode,
    needs_kernels,
)

log = structlog.get_logger()

AT_ONCE, PEOPLE, OTHERS = "chouine-quick", "chouine-people", "chouine"
"""Queues: quick requests; slow requests of tables with a person; other slow requests."""
AHEAD = 4
"""Jobs that a worker fetches for each that it runs at a time, so that it can choose whose turn is next."""
LOOK = 0.1
"""Seconds between two polls for results: a fifth of the half second that a computer's act is delayed in any case."""
LONGEST = 60
"""Time limit of a job in seconds."""
SIGN = 1.0
"""Seconds between a worker's heartbeats for a running job."""
LOST = 4
"""Seconds without a heartbeat after which a job goes to another worker."""
FORSAKEN = 16
"""Seconds without a heartbeat after which no worker is left to take the job: SAQ reassigns within eleven."""
KEPT = 60
"""Seconds that a result is stored, for another node with the same request."""


def queue_at(redis: Redis, name: str = AT_ONCE) -> RedisQueue:
    return RedisQueue(redis, name=name, swept_error_message="lost")


def queue_of(thought: ThoughtRequest, share: ComputeAccount) -> str:
    """The queue of a request."""
    return (PEOPLE if share.person else OTHERS) if needs_kernels(thought) else AT_ONCE


class Workers:
    """Sends requests to the workers. Without Redis this node's own processes compute."""

    def __init__(self, url: str, alone: ThinkerPool) -> None:
        redis = redis_at(url)
        self.asked = {name: WorkerQueue(queue_at(redis, name)) for name in (AT_ONCE, PEOPLE, OTHERS)}
        self.alone = alone

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:
        key = sha256(name.encode()).hexdigest()
        try:
            return await self.asked[queue_of(thought, share)].answer(thought, key, share)
        except (RedisError, OSError, Unreadable) as error:
            log.warning("workers out of reach", kind=type(error).__name__)
            return await self.alone.think(thought, name, share)

    async def backlog(self) -> Backlog:
        """How much waits in all queues. Raises `RedisError` or `OSError`."""
        queues = [asked.queue for asked in self.asked.values()]
        queued = [await queue.count("queued") for queue in queues]
        return Backlog(sum(queued), len(await hosts_of_workers(queues[0])))

    async def close(self) -> None:
        for asked in self.asked.values():
            await asked.close()
        await self.alone.close()


class Unreadable(Exception):
    """A record in Redis was not written by a node or a worker."""


class WorkerQueue:
    """One queue, and the requests this node waits for in it."""

    def __init__(self, queue: RedisQueue) -> None:
        self.queue = queue
        self.waiting: dict[str, asyncio.Future[ComputerMove]] = {}
        self.looking: asyncio.Task[None] | None = None

    async def answer(self, thought: ThoughtRequest, key: str, share: ComputeAccount) -> ComputerMove:
        """Enqueue a request and wait for its result."""
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
        """Register a job whose result is polled for."""

        def forget_job(answer: asyncio.Future[ComputerMove]) -> None:
            self.waiting.pop(key, None)
            if not answer.cancelled():
                answer.exception()  # retrieved, since the caller may be gone

        if key not in self.waiting:
            self.waiting[key] = asyncio.get_running_loop().create_future()
            self.waiting[key].add_done_callback(forget_job)

    async def look(self) -> None:
        """Poll for all awaited results in one query, while there are any."""
        while self.waiting:
            await asyncio.sleep(LOOK)
            waited = dict(self.waiting)
            try:
                records = await self.queue.redis.mget(map(self.queue.job_id, waited))
            except (RedisError, OSError) as error:
                fail(waited.values(), error)
                continue
            for (key, future), record in zip(waited.items(), records, strict=True):
                try:
                    await self.settle(future, self.queue.deserialize(record))
                except (RedisError, OSError):
                    continue  # the next look tries again
                except Exception:  # noqa: BLE001  # whatever the record holds: this request alone is computed here
                    fail([future], Unreadable())
                    with suppress(RedisError, OSError):
                        await self.queue.redis.delete(self.queue.job_id(key))

    async def settle(self, future: asyncio.Future[ComputerMove], job: Job | None) -> None:
        """Deliver a finished job's result, or queue a forsaken job again. Raises any error for an unreadable record."""
        if job and job.status is Status.COMPLETE and not future.done():
            future.set_result(answer_of(job))
        elif job and forsaken(job):
            await self.queue.retry(job, "lost")

    async def close(self) -> None:
        if self.looking is not None:
            self.looking.cancel()
        for future in list(self.waiting.values()):
            future.cancel()
        with suppress(RedisError, OSError):
            await self.queue.disconnect()


def fail(waited: Iterable[asyncio.Future[ComputerMove]], error: Exception) -> None:
    """Fail the futures that are still waiting with an error."""
    for future in waited:
        if not future.done():
            future.set_exception(error)


def answer_of(job: Job) -> ComputerMove:
    """The result of a finished job. Raises `ValidationError` or `Unreadable` if no worker can have written it."""
    answer = convert(job.result, ComputerMove)
    if not 0 <= answer.seconds <= LONGEST:  # the table would wait as long before it shows the act
        raise Unreadable
    return answer


def forsaken(job: Job) -> bool:
    """Whether a started job has no heartbeat any more: neither its worker nor another node will finish it."""
    return job.status in (Status.ACTIVE, Status.ABORTING) and now() - job.touched > 1000 * FORSAKEN


def job_of(thought: ThoughtRequest, key: str, share: ComputeAccount) -> Job:
    """The job for a request."""
    asked = {"thought": encode(thought).decode(), "share": to_builtins(share)}
    return Job("answer", asked, key=key, timeout=LONGEST, heartbeat=LOST, retries=1000, ttl=KEPT)


async def hosts_of_workers(queue: RedisQueue) -> list[str]:
    """The machine of each worker that gave a sign of life in the last seconds. Raises `RedisError` or `OSError`."""
    found = await queue.info()
    return [str((worker["metadata"] or {}).get("host", "")) for worker in found["workers"].values()]


async def backlog_at(url: str) -> Backlog:
    """How much waits in the queues of a Redis, and for how many workers. Raises `RedisError` or `OSError`."""
    workers = Workers(url, ThinkerPool(1))
    try:
        return await workers.backlog()
    finally:
        await workers.close()


async def is_working(url: str) -> bool:
    """Whether a worker on this machine, or in this container, takes jobs. Raises `RedisError` or `OSError`."""
    queue = queue_at(redis_at(url))
    try:
        return gethostname() in await hosts_of_workers(queue)
    finally:
        await queue.disconnect()


async def work(url: str, number: int) -> None:
    """Run jobs, `number` at a time, until a signal says stop."""
    pool = ThinkerPool(number)
    pool.warm()

    async def answer(context: Context, *, thought: str, share: object = None) -> Any:
        thinking = asyncio.ensure_future(
            pool.think(decode(thought), "", convert(share or {}, ComputeAccount))
        )
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
            queue_at(redis, name),
            [("answer", answer)],
            concurrency=many,
            timers=timers,
            dequeue_timeout=2,
            metadata={"host": gethostname()},
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
    """A worker that does not handle signals: `work` does for all of them."""

    SIGNALS: list[signal.Signals] = []  # noqa: RUF012  # as the library declares it
