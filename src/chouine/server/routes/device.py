"""The page that tests the visitor's device."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from chouine.server.frame_updates import HELLO
from chouine.server.limits import Limits
from chouine.server.pages.device import device_page
from chouine.server.routes.context import Context

PAUSE = 1.5
"""Seconds between the two events of the trial stream."""


async def page(request: Request) -> Response:
    """Test this device, or tell what the code of another says."""
    context = await Context.of(request)
    code = request.query_params.get("code", "")
    return await context.page(device_page(context.visit, code, int(context.tables.clock())))


class StreamTrial(StreamingResponse):
    """Two events with a pause between them: together they come through what holds streams back."""

    media_type = "text/event-stream"

    def __init__(self, limits: Limits) -> None:
        super().__init__(self.server_sent(), headers={"X-Accel-Buffering": "no"})
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.limits.stream(scope):
            await super().__call__(scope, receive, send)

    async def server_sent(self) -> AsyncIterator[bytes]:
        yield HELLO
        await asyncio.sleep(PAUSE)
        yield b"data: .\n\n"


async def news(request: Request) -> Response:
    """The trial stream."""
    return StreamTrial((await Context.of(request)).limits)
