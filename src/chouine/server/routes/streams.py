"""Answers that last: sent piece by piece until their reader leaves or the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from zlib import crc32

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from chouine.server.routes.context import Context
from chouine.server.services import services_of


class LongAnswer(StreamingResponse):
    """An answer that lasts. The next piece is made once the reader has taken what came before.

    So a slow reader costs no more than another.
    """

    account = ""
    """The account of a program, whose streams are counted; empty for a browser's."""

    def __init__(self, context: Context, pieces: AsyncIterable[bytes]) -> None:
        super().__init__(pieces, headers={"X-Accel-Buffering": "no"})
        self.context = context
        self.moved = asyncio.Event()
        """Set whenever there may be news, and at the end."""
        self.left = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.context.limits.stream(scope, self.account):
            leaving = asyncio.create_task(self.until_left(receive))
            try:
                await self.stream_response(send)
            finally:
                leaving.cancel()

    async def stream_response(self, send: Send) -> None:
        """Send the pieces without keeping references to those already sent."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for chunk in self.body_iterator:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            del chunk
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def until_left(self, receive: Receive) -> None:
        await self.listen_for_disconnect(receive)
        self.left = True
        self.moved.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news, and tell whether there may be some."""
        try:
            async with asyncio.timeout(seconds):
                return await self.moved.wait()
        except TimeoutError:
            return False

    @property
    def over(self) -> bool:
        """Whether the stream must end: its reader is gone, or signed out, or goes to another node."""
        stopping = services_of(self.context.request).stopping.is_set()
        return self.left or stopping or self.context.tables.superseded or self.context.signed_out


def spread_over(guest: str, span: int) -> int:
    """A number below `span`, always the same for a guest: so that clients do not all return at once."""
    return crc32(guest.encode()) % span
