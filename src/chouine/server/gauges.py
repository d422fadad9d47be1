"""Metrics that are measured when they are asked for, and the event loop's delay, which is measured all the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from math import nan
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from redis.exceptions import RedisError

from chouine.server.database import Damaged, Unreachable
from chouine.server.metrics import DATABASE_SIZE, LOOP_DELAY, QUEUED, ROWS, WORKERS
from chouine.server.programs import Programs
from chouine.server.schema import mailbox, session, subscription
from chouine.server.store import Store
from chouine.server.thinking import Backlog, ThinkerPool
from chouine.server.workers import Workers

EVERY = 0.5
"""Seconds between two measurements of the loop's delay."""
PATIENCE = 2.0
"""Seconds that a collector waits for the database, and for Redis."""
COUNTED = {"sessions": session, "push": subscription, "mail": mailbox}
"""What is counted in the database, by its label."""

Measured = TypeVar("Measured")


class Sizes(NamedTuple):
    """What a database holds."""

    rows: dict[str, float]
    size: float


UNKNOWN = Sizes(dict.fromkeys(COUNTED, nan), nan)


async def measure_delay() -> None:
    """Measure until cancelled by how much the event loop is late."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        LOOP_DELAY.observe(max(0.0, loop.time() - due))


async def measure_now(store: Store, thinker: Programs | ThinkerPool | Workers) -> None:
    """Set the gauges of the database, the queue and the workers; to NaN what cannot be measured."""
    sizes = await in_time(store.database.read(sizes_in), UNKNOWN)
    for what, rows in sizes.rows.items():
        ROWS.labels(what).set(rows)
    DATABASE_SIZE.set(sizes.size)
    backlog = await in_time(thinker.backlog(), Backlog(nan, nan))
    QUEUED.set(backlog.queued)
    WORKERS.set(backlog.workers)


async def in_time(measuring: Awaitable[Measured], otherwise: Measured) -> Measured:
    """What is measured, or `otherwise` if that fails or takes too long."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await measuring
    except (Unreachable, Damaged, RedisError, OSError):
        return otherwise


def sizes_in(connection: sa.Connection) -> Sizes:
    """The rows of the counted tables, and the database's size in bytes."""
    rows = {
        what: float(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
        for what, table in COUNTED.items()
    }
    if connection.dialect.name == "sqlite":
        size = "select page_count * page_size from pragma_page_count(), pragma_page_size()"
    else:
        size = "select pg_database_size(current_database())"
    return Sizes(rows, float(connection.execute(sa.text(size)).scalar_one()))
