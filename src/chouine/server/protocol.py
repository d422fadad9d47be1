"""uvicorn's HTTP protocol with limits: a request's head and body must arrive in time, its head within a size."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from chouine.server.metrics import MALFORMED

HEAD_SECONDS = 10.0
"""Seconds from the connection, or from a request's first byte, to the end of its head."""
BODY_SECONDS = 17.0
"""Seconds from a request's first byte to the end of its body. Most late bodies are answered earlier, by `bounded`."""
LINGER = 2.0
"""Seconds between a response that did not wait for the body and the end of the connection, unless the body ends."""
LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 8\r\n"
    b"Connection: close\r\n\r\ntoo slow"
)
LARGEST_HEAD = 512 * 1024
"""Most bytes read before the end of a head; a single read from the socket may be half of this."""
LARGEST_FIELDS = 32 * 1024
"""Most bytes of a request's address and header fields, counting `FIELD` more for each: they are read often."""
FIELD = 32
UNREAD = 30_000
"""Milliseconds that sent data may stay unacknowledged before the kernel closes the connection."""


class BufferedTransport:
    """A transport that joins the writes of one loop iteration: a response's head and body cost one system call."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        self._send()
        self._transport.close()

    def _send(self) -> None:
        held, self._held = self._held, []
        if held:
            self._transport.write(b"".join(held))


class TimeoutHttpProtocol(HttpToolsProtocol):
    """Closes connections that are too slow or send too large a head; only a late body is answered, with 408."""

    late: asyncio.TimerHandle | None = None
    head: int | None = 0
    """Bytes of the head so far; None while a body is read."""
    since = 0.0
    """The loop's time at a request's first byte."""
    given_up = False
    """Whether the body was late, and nothing more is read."""
    fields = 0
    """Bytes of the address and header fields so far."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast("asyncio.Transport", BufferedTransport(transport, self.loop)))
        self.wait_for_head()

    def wait(self, seconds: float, end: Callable[[], None]) -> None:
        """Start the one timeout of the connection anew."""
        self.stop_timeout()
        self.late = self.loop.call_later(seconds, end)

    def wait_for_head(self) -> None:
        self.head = 0
        self.wait(HEAD_SECONDS, self.transport.abort)

    def stop_timeout(self) -> None:
        """Stop the timeout: the request has arrived, or the connection is closed."""
        if self.late is not None:
            self.late.cancel()
            self.late = None

    def data_received(self, data: bytes) -> None:
        if self.given_up:
            return
        if self.head is not None:
            self.head += len(data)
            if self.head > LARGEST_HEAD:
                self.transport.abort()
                return
        super().data_received(data)
        if self.late is None and getattr(self.cycle, "response_complete", True):
            self.wait_for_head()  # what has come is no request, such as empty lines

    def send_400_response(self, msg: str) -> None:
        MALFORMED.inc()
        super().send_400_response(msg)

    def on_message_begin(self) -> None:
        self.since = self.loop.time()
        self.wait_for_head()
        self.fields = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self.weigh(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.weigh(name, value)
        super().on_header(name, value)

    def weigh(self, *parts: bytes) -> None:
        """Count a part of the head. Raises `OverflowError` beyond the limit, which the parser answers with 400."""
        self.fields += sum(map(len, parts)) + FIELD
        if self.fields > LARGEST_FIELDS:
            raise OverflowError

    def on_headers_complete(self) -> None:
        self.head = None
        self.wait(self.since + BODY_SECONDS - self.loop.time(), self.give_up)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.stop_timeout()
        self.head = 0
        super().on_message_complete()

    def give_up(self) -> None:
        """Answer a body that is late with 408, if nothing was answered, and close."""
        if self.pipeline or self.cycle.response_started:
            self.transport.abort()
            return
        self.given_up = True
        self.transport.write(LATE)
        self.cycle.disconnected = True  # the application is told that nobody is there
        self.cycle.message_event.set()
        self.wait(LINGER, self.transport.abort)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if (
            self.cycle.response_complete and self.cycle.more_body
        ):  # closed at once, the response could be lost
            self.wait(LINGER, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_timeout()
        super().connection_lost(exc)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket with a long backlog; the kernel drops connections whose peer stops reading.

    `host` is an address of either kind or a name; `::` answers IPv4 too. Raises `OSError`.
    """
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    both = host == "::" and socket.has_dualstack_ipv6()
    place = cast("tuple[str, int]", address)
    listening = socket.create_server(place, family=family, backlog=2048, dualstack_ipv6=both)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return listening
