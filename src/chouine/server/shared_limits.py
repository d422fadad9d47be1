"""Limits that hold over all nodes of a server together, where these share a Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic

import structlog
from redis.exceptions import RedisError

from chouine.server.limits import Rate, refuse
from chouine.server.pubsub import redis_at

log = structlog.get_logger()

RARE = 60
"""Seconds from which on a window is shared: what is counted in a shorter one is too frequent to ask Redis for."""
PREFIX = "chouine:limit"
WAIT, AGAIN = 0.25, 10.0
"""Seconds until an answer counts as lost; and then without asking again, so that no visitor waits for Redis."""


class SharedWindows:
    """Counters in Redis. Out of its reach nobody is refused here: each node has counted on its own already."""

    def __init__(self, url: str) -> None:
        self.redis = redis_at(url)
        self.absent_until = 0.0

    async def count(self, what: str, whose: Mapping[str, Rate]) -> None:
        """Count a request for each of these. Raises 429 beyond the limit of one."""
        rates = {key: rate for key, rate in whose.items() if rate.seconds >= RARE}
        if not rates or monotonic() < self.absent_until:
            return
        try:
            async with asyncio.timeout(WAIT), self.redis.pipeline() as pipe:
                for key, rate in rates.items():
                    pipe.incr(f"{PREFIX}:{what}:{key}")
                    pipe.expire(f"{PREFIX}:{what}:{key}", rate.seconds, nx=True)
                    pipe.ttl(f"{PREFIX}:{what}:{key}")
                answers = await pipe.execute()
        except (RedisError, OSError) as error:
            self.absent_until = monotonic() + AGAIN
            log.warning("limits out of reach", kind=type(error).__name__)
            return
        for count, left, rate in zip(answers[::3], answers[2::3], rates.values(), strict=True):
            if count > rate.most:
                refuse(what, max(1, left))

    async def close(self) -> None:
        await self.redis.aclose()
