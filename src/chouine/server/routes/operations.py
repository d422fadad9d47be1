"""Endpoints for monitoring: liveness, readiness, metrics."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chouine.server.database import Damaged, Unreachable
from chouine.server.migrations import newest
from chouine.server.supervisor import Supervisor
from chouine.server.tables import Tables

PATIENCE = 2.0
"""Timeout for the database in seconds."""


async def health(_: Request) -> Response:
    """Liveness: 200 if the process answers."""
    return JSONResponse({"ok": True})


async def ready(request: Request) -> Response:
    """Readiness: the database has the right schema and can be written, and the node works and is not stopping."""
    tables: Tables = request.app.state.tables
    supervisor: Supervisor = request.app.state.supervisor
    why = "stopping" if request.app.state.stopping.is_set() else ""
    if supervisor.failing:
        why = f"failing: {', '.join(supervisor.failing)}"
    if not tables.in_time():  # no sign of life could be written lately
        why = "cannot write"
    try:
        async with asyncio.timeout(PATIENCE):
            if await tables.store.shape() != newest():
                why = "another shape"
    except (Unreachable, TimeoutError):
        why = "no database"
    except Damaged:
        why = "damaged database"
    return JSONResponse({"ok": not why, **({"why": why} if why else {})}, 503 if why else 200)


async def metrics(request: Request) -> Response:
    """Metrics, for a collector on this machine or its private network.

    404 from elsewhere, and through a proxy that is not trusted: the origin is then unknown.
    """
    try:
        near = ip_address(request.client.host if request.client else "").is_private
    except ValueError:
        near = False
    if not near or ("x-forwarded-for" in request.headers and not request.app.state.proxied):
        raise HTTPException(404)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
