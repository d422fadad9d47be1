"""A light HTTP/1.1 client: thousands of browsers in one process, with little processor time."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode, urlsplit

from httptools import HttpParserError, HttpResponseParser

Told = Callable[[bytes], None]
"""Receives a stream's bytes as they arrive."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete response."""

    status: int
    headers: Mapping[bytes, bytes]
    body: bytes

    @property
    def text(self) -> str:
        packed = self.headers.get(b"content-encoding") == b"gzip"
        return (zlib.decompress(self.body, 31) if packed else self.body).decode()

    @property
    def location(self) -> str:
        return self.headers.get(b"location", b"").decode()


class Lost(ConnectionError):
    """The connection closed before the response was complete."""


class Connection(asyncio.Protocol):
    """A connection for successive responses, or for one stream."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self.ended = False
        self.outputs: Told | None = None
        self._parser = HttpResponseParser(self)
        self._status, self._headers, self._body = 0, dict[bytes, bytes](), list[bytes]()
        self._waiting: asyncio.Future[Answer] | None = None
        self._closed, self._last = asyncio.Event(), 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's own type

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self._closed.set()
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(Lost(str(exc or "closed")))

    def data_received(self, data: bytes) -> None:
        self._last = asyncio.get_running_loop().time()
        try:
            self._parser.feed_data(data)
        except HttpParserError:
            self.close()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        self._status = self._parser.get_status_code()
        if self.outputs is not None and self._status == 200 and self._waiting is not None:
            self._waiting.set_result(Answer(self._status, self._headers, b""))

    def on_body(self, body: bytes) -> None:
        if self.outputs is not None and self._status == 200:
            self.outputs(body)
        else:
            self._body.append(body)

    def on_message_complete(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(Answer(self._status, self._headers, b"".join(self._body)))
        if self.outputs is not None:
            self.close()

    async def ask(self, request: bytes, patience: float, told: Told | None = None) -> Answer:
        """Send a request; return its response, or only the head if `told` receives the body."""
        self._headers, self._body, self.outputs = {}, [], told
        self._waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        try:
            async with asyncio.timeout(patience):
                return await self._waiting
        except BaseException:
            self.close()
            raise

    async def wait_until_closed(self, silence: float) -> None:
        """Wait until a stream ends; raises `TimeoutError` after `silence` seconds without data."""
        now = asyncio.get_running_loop().time
        self._last = now()
        while not self._closed.is_set():
            left = self._last + silence - now()
            if left <= 0:
                raise TimeoutError("a silent stream")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), left)

    def close(self) -> None:
        self.ended = True
        self._closed.set()
        self.transport.close()


class Network:
    """The server's nodes, with pooled connections to each, like a reverse proxy."""

    def __init__(self, addresses: list[str], patience: float = 8.0) -> None:
        self.nodes = [urlsplit(address) for address in addresses]
        self.host = self.nodes[0].netloc
        self.patience = patience
        self._idle: dict[int, list[Connection]] = {nth: [] for nth in range(len(self.nodes))}
        self._turn = 0

    def node(self, avoid: int | None = None) -> int:
        """The next node in turn, if possible not `avoid`."""
        self._turn += 1
        nth = self._turn % len(self.nodes)
        return nth if nth != avoid else (nth + 1) % len(self.nodes)

    async def connect(self, node: int) -> Connection:
        where, loop = self.nodes[node], asyncio.get_running_loop()
        async with asyncio.timeout(self.patience):
            _, connection = await loop.create_connection(Connection, str(where.hostname), where.port or 80)
        return connection

    async def ask(self, request: bytes, node: int) -> Answer:
        """Send a request over an idle connection, or a new one."""
        idle = self._idle[node]
        while idle and idle[-1].ended:
            idle.pop()
        connection = idle.pop() if idle else await self.connect(node)
        answer = await connection.ask(request, self.patience)
        if not connection.ended and answer.headers.get(b"connection") != b"close":
            idle.append(connection)
        return answer

    def close(self) -> None:
        for idle in self._idle.values():
            for connection in idle:
                connection.close()


class Browser:
    """A visitor: a cookie, a forwarded address of its own, and the node that answered last."""

    def __init__(self, network: Network, number: int) -> None:
        self.network = network
        self.node = network.node()
        self.cookie = ""
        address = ".".join(str(part) for part in (10, *number.to_bytes(3, "big")))
        self._head = (
            f"Host: {network.host}\r\nX-Forwarded-For: {address}\r\nX-Forwarded-Proto: http\r\n"
            "Accept-Encoding: gzip\r\nAccept-Language: fr\r\nSec-Fetch-Site: same-origin\r\n"
        )

    async def get(self, path: str, accept: str = "text/html") -> Answer:
        return await self._ask(f"GET {path} HTTP/1.1\r\n{self._head}Accept: {accept}\r\n")

    async def post(self, path: str, fields: Mapping[str, str], accept: str = "text/html") -> Answer:
        body = urlencode(fields)
        return await self._ask(
            f"POST {path} HTTP/1.1\r\n{self._head}Accept: {accept}\r\nOrigin: http://{self.network.host}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n",
            body,
        )

    async def stream(self, path: str, told: Told) -> Connection:
        """Open an event stream; raises `Lost` if the server refuses it."""
        request = f"GET {path} HTTP/1.1\r\n{self._head}Accept: text/event-stream\r\n{self.cookie}\r\n"
        try:
            connection = await self.network.connect(self.node)
            answer = await connection.ask(request.encode(), self.network.patience, told)
        except OSError:
            self._elsewhere()
            raise
        if answer.status != 200:
            connection.close()
            raise Lost(f"a stream is refused with {answer.status}")
        return connection

    async def _ask(self, head: str, body: str = "") -> Answer:
        try:
            answer = await self.network.ask(f"{head}{self.cookie}\r\n{body}".encode(), self.node)
        except OSError:
            self._elsewhere()
            raise
        given = answer.headers.get(b"set-cookie", b"").partition(b";")[0].decode()
        if given:
            self.cookie = f"Cookie: {given}\r\n"
        return answer

    def _elsewhere(self) -> None:
        """Switch to another node after a failure, like a reverse proxy."""
        self.node = self.network.node(self.node)
