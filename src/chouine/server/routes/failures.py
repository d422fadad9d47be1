"""Answers to what went wrong: a page or a line of JSON, never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from chouine.server.pages import error_page
from chouine.server.routes.context import Context

log = structlog.get_logger()


async def refused(request: Request, error: Exception) -> Response:
    """An address or a form that cannot be served."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = str(error.detail) if isinstance(error, HTTPException) else "failure"
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"ok": False, "code": code}, status)
    context = await Context.of(request)
    return HTMLResponse(error_page(context.visit, status, code), status)


async def failed(request: Request, error: Exception) -> Response:
    """A fault of ours: told in the log by its kind and place only, since its text might hold a card."""
    log.error("failure", path=request.url.path.split("/")[1], kind=type(error).__name__)
    return JSONResponse({"ok": False, "code": "failure"}, 500)


handlers: dict[Any, Callable[[Request, Exception], Any]] = {HTTPException: refused, Exception: failed}
