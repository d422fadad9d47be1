"""Monitoring: liveness, readiness, and metrics, of which some are measured when they are asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from math import nan
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis.exceptions import RedisError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chouine.server.database import Damaged, Unreachable
from chouine.server.metrics import DATABASE_SIZE, LOOP_DELAY, QUEUED, ROWS, WORKERS
from chouine.server.programs import Programs
from chouine.server.proxies import is_nearby
from chouine.server.schema import VERSION, mailbox, session, subscription
from chouine.server.services import services_of
from chouine.server.store import Store
from chouine.server.thinking import Backlog, ThinkerPool
from chouine.server.workers import Workers

EVERY = 0.5
"""Seconds between two measurements of the loop's delay."""
PATIENCE = 2.0
"""Seconds for which the database and Redis are waited for."""
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


log = structlog.get_logger()

OF_DATABASE = "another shape", "cannot write", "damaged database", "no database"
"""Reasons for not being ready that lie in the database, which a setting names."""


async def health(_: Request) -> Response:
    """Liveness: 200 if the process answers."""
    return JSONResponse({"ok": True})


async def ready(request: Request) -> Response:
    """Readiness: the database has all that this program knows, it can be written, and the node works and stays."""
    tables = services_of(request).tables
    supervisor = services_of(request).supervisor
    why = "stopping" if services_of(request).leaving.is_set() else ""
    if supervisor.failing:
        why = f"failing: {', '.join(supervisor.failing)}"
    if not tables.in_time():  # no sign of life could be written lately
        why = "cannot write"
    try:
        async with asyncio.timeout(PATIENCE):
            if await tables.store.oldest_writer() > VERSION:
                tables.supersede()
                why = "another shape"
    except (Unreachable, TimeoutError):
        why = "no database"
    except Damaged:
        why = "damaged database"
    if why:
        setting = "--database" if why in OF_DATABASE else ""
        log.warning("not ready", kind=why, setting=setting, most=1)
        return JSONResponse({"ok": False, "why": why}, 503)
    return JSONResponse({"ok": True})


async def metrics(request: Request) -> Response:
    """Metrics, for a collector on this machine or its private network; 404 from elsewhere and through any proxy."""
    if not is_nearby(request.scope):
        raise HTTPException(404)
    services = services_of(request)
    await measure_now(services.tables.store, services.thinker)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
