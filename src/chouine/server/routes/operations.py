"""For whoever runs the server: is it alive, can it be played at, what has it counted."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chouine.server.database import Unreachable
from chouine.server.migrations import newest
from chouine.server.tables import Tables

PATIENCE = 2.0
"""Seconds the database has to answer."""


async def health(_: Request) -> Response:
    """The process answers."""
    return JSONResponse({"ok": True})


async def ready(request: Request) -> Response:
    """The database is there in the shape that this program knows, and is written to; the node is not about to stop."""
    tables: Tables = request.app.state.tables
    why = "stopping" if request.app.state.stopping.is_set() else ""
    if not tables.in_time():  # no sign of life could be written lately
        why = "cannot write"
    try:
        async with asyncio.timeout(PATIENCE):
            if await tables.store.shape() != newest():
                why = "another shape"
    except (Unreachable, TimeoutError):
        why = "no database"
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
