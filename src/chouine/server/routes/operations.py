"""Endpoints for monitoring: liveness, readiness, metrics."""

from __future__ import annotations

import asyncio

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chouine.server.database import Damaged, Unreachable
from chouine.server.gauges import measure_now
from chouine.server.proxies import is_nearby
from chouine.server.schema import VERSION
from chouine.server.services import services_of

log = structlog.get_logger()

OF_DATABASE = "another shape", "cannot write", "damaged database", "no database"
"""Reasons for not being ready that lie in the database, which a setting names."""
PATIENCE = 2.0
"""Timeout for the database in seconds."""


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
