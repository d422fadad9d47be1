"""How nodes hear of each other's moves: a hint over Redis, "this table is at n", and the database for all else.

A hint holds nothing of a table but its name and its length. It may come late, twice or never: what is watched here
is looked up in the database every second as well, less often while hints come.
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
from chouine.server.metrics import HINTS
from chouine.server.tables import Tables

log = structlog.get_logger()

CHANNEL = "chouine:moved"
POLL, POLL_NOTIFIED = 1.0, 5.0
"""Seconds between looks at the database, without and with hints."""
AT_ONCE = 200
"""Tables looked up together."""
AGAIN = 1.0
"""Seconds before Redis is tried again."""
MOST = 10_000
"""Tables whose hints may wait to be sent; the database tells of any beyond."""


def redis_at(url: str) -> Redis:
    """A client that gives up soon: whoever uses it can do without."""
    never = Retry(NoBackoff(), 0)
    return Redis.from_url(
        url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=5, retry=never
    )


async def poll(tables: Tables, channel: MoveChannel | None) -> None:
    """Look up what is watched here."""
    while True:
        await asyncio.sleep(POLL_NOTIFIED if channel and channel.heard else POLL)
        watched = list(tables.watched())
        for start in range(0, len(watched), AT_ONCE):
            await asyncio.sleep(0)  # SQLite is read on the spot: others come in between
            with suppress(Unreachable):
                for game, n in (await tables.store.lengths(watched[start : start + AT_ONCE])).items():
                    await tables.moved(game, n)


class MoveChannel:
    """Sends this node's hints and hears those of the others."""

    def __init__(self, url: str, tables: Tables) -> None:
        self.redis = redis_at(url)
        self.tables = tables
        self.heard = False
        """Whether hints come through."""
        self.waiting: dict[str, int] = {}
        self.some = asyncio.Event()
        self.looking: set[asyncio.Task[None]] = set()
        tables.tell = self.tell

    def tell(self, game: str, n: int) -> None:
        """Have a hint sent soon; nobody waits for it."""
        if len(self.waiting) < MOST:
            self.waiting[game] = n
            self.some.set()

    async def send(self) -> None:
        """Send what waits, all at once, until cancelled."""
        while True:
            await self.some.wait()
            self.some.clear()
            waiting, self.waiting = self.waiting, {}
            try:
                async with self.redis.pipeline(transaction=False) as pipe:
                    for game, n in waiting.items():
                        pipe.publish(CHANNEL, f"{game} {n}")
                    await pipe.execute()
                HINTS.labels("sent").inc(len(waiting))
            except (RedisError, OSError):
                await asyncio.sleep(AGAIN)

    async def hear(self) -> None:
        """Listen until cancelled; what was missed meanwhile is in the database."""
        while True:
            try:
                async with self.redis.pubsub(ignore_subscribe_messages=True) as heard:
                    await heard.subscribe(CHANNEL)
                    self.heard = True
                    while True:
                        message = await heard.get_message(timeout=AGAIN)
                        if message and message["type"] == "message":
                            self.looking.add(looked := asyncio.create_task(self.take(message["data"])))
                            looked.add_done_callback(self.looking.discard)
            except (RedisError, OSError) as error:
                log.warning("hints out of reach", kind=type(error).__name__)
            self.heard = False
            await asyncio.sleep(AGAIN)

    async def take(self, data: bytes) -> None:
        """One hint, believed only as far as it makes this node look."""
        game, _, n = data.decode(errors="replace").partition(" ")
        if n.isdecimal() and len(n) < 9:
            HINTS.labels("heard").inc()
            with suppress(Unreachable):
                await self.tables.moved(game, int(n))

    async def close(self) -> None:
        await self.redis.aclose()
