"""Notifications between nodes over Redis: "this table now has n entries". All else is read from the database.

A notification holds a table's identifier and its length alone. It may be late, lost or repeated: watched tables are
also polled in the database every second; less often while notifications arrive, and at once when some may be lost.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from chouine.server.database import Unreachable
from chouine.server.logs import place_of
from chouine.server.metrics import HINTS
from chouine.server.tables import Tables

log = structlog.get_logger()

CHANNEL = "chouine:moved"
POLL, POLL_NOTIFIED = 1.0, 5.0
"""Polling interval in seconds, without and with notifications."""
AT_ONCE = 200
"""Tables polled in one query."""
AGAIN = 1.0
"""Seconds before reconnecting to Redis."""
MOST = 10_000
"""Most notifications queued for sending; tables beyond it are found by polling."""


def redis_at(url: str) -> Redis:
    """A Redis client with short timeouts: everything works without it."""
    never = Retry(NoBackoff(), 0)
    return Redis.from_url(
        url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=5, retry=never
    )


async def poll(tables: Tables, channel: MoveChannel | None) -> None:
    """Poll the database for new entries of the watched tables."""
    while True:
        await (channel.wait_for_poll() if channel else asyncio.sleep(POLL))
        watched = list(tables.watched_lengths())
        for start in range(0, len(watched), AT_ONCE):
            await asyncio.sleep(0)  # SQLite is read on the spot: others come in between
            with suppress(Unreachable):
                for table_id, n in (await tables.store.lengths(watched[start : start + AT_ONCE])).items():
                    await note_move(tables, table_id, n)


async def note_move(tables: Tables, table_id: str, n: int) -> None:
    """Bring a watched table up to date. Raises `Unreachable`; any other error is only this table's, and is logged."""
    try:
        await tables.note_move(table_id, n)
    except Unreachable:
        raise
    except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
        place = place_of(error.__traceback__)
        log.warning("cannot read a watched table", kind=type(error).__name__, place=place)


class MoveChannel:
    """Sends this node's notifications and receives those of other nodes."""

    def __init__(self, url: str, tables: Tables) -> None:
        self.redis = redis_at(url)
        self.tables = tables
        self.heard = False
        """Whether notifications are being received."""
        self.missed = asyncio.Event()
        """Set when notifications may have been missed."""
        self.waiting: dict[str, int] = {}
        self.some = asyncio.Event()
        self.looking: set[asyncio.Task[None]] = set()
        tables.tell = self.tell

    def tell(self, table_id: str, n: int) -> None:
        """Queue a notification; does not wait."""
        if len(self.waiting) < MOST:
            self.waiting[table_id] = n
            self.some.set()

    async def send(self) -> None:
        """Send queued notifications in batches, each until Redis takes it; runs until cancelled."""
        while True:
            await self.some.wait()
            self.some.clear()
            batch = dict(self.waiting)
            try:
                async with self.redis.pipeline(transaction=False) as pipe:
                    for table_id, n in batch.items():
                        pipe.publish(CHANNEL, f"{table_id} {n}")
                    await pipe.execute()
            except (RedisError, OSError):
                self.some.set()
                await asyncio.sleep(AGAIN)
            else:
                HINTS.labels("sent").inc(len(batch))
                self.waiting = {
                    table_id: n for table_id, n in self.waiting.items() if n != batch.get(table_id)
                }

    async def wait_for_poll(self) -> None:
        """Wait until the database is to be polled."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.missed.wait(), POLL_NOTIFIED if self.heard else POLL)
        self.missed.clear()

    async def hear(self) -> None:
        """Receive notifications until cancelled; those missed meanwhile are replaced by polling."""
        while True:
            try:
                async with self.redis.pubsub() as heard:
                    await heard.subscribe(CHANNEL)
                    while True:
                        message = await heard.get_message(timeout=AGAIN)
                        if message and message["type"] == "subscribe":  # from now on none is missed
                            self.heard = True
                            self.missed.set()
                        elif message and message["type"] == "message":
                            self.looking.add(looked := asyncio.create_task(self.take(message["data"])))
                            looked.add_done_callback(self.looking.discard)
            except (RedisError, OSError) as error:
                log.warning("hints out of reach", kind=type(error).__name__)
            self.heard = False
            self.missed.set()
            await asyncio.sleep(AGAIN)

    async def take(self, data: bytes) -> None:
        """Handle a notification. Its content is not trusted: it only makes this node read the database."""
        table_id, _, n = data.decode(errors="replace").partition(" ")
        if n.isdecimal() and len(n) < 9:
            HINTS.labels("heard").inc()
            with suppress(Unreachable):
                await note_move(self.tables, table_id, int(n))

    async def close(self) -> None:
        await self.redis.aclose()
