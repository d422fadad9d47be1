"""A browser as the doctor needs it: one site, its cookies, pages, forms, and a stream read as it comes."""

from __future__ import annotations

import asyncio
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import h11

from chouine.phrases import reason_in_words
from chouine.server.doctor.findings import Trouble
from chouine.server.site import PORTS, in_ascii, is_address

PIECE = 65_536
BUSY = {429: "limits", 502: "away", 503: "away", 504: "away"}
"""What is wrong whatever was asked, by the status of the answer."""
LARGEST = 4_000_000
"""Bytes of a page that are read at most."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait: for an answer; for the first word of a stream; for the next, which a node sends every 15."""

    answer: float = 15.0
    first: float = 5.0
    next: float = 20.0


class StartedResponse:
    """An answer whose headers have arrived."""

    def __init__(self, http: h11.Connection, reader: asyncio.StreamReader, head: h11.Response) -> None:
        self.http, self.reader, self.status = http, reader, head.status_code
        self.headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]

    def header(self, name: str) -> str:
        """The values of a header, separated by commas; empty if there is none."""
        return ", ".join(value for key, value in self.headers if key == name)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        unzip = zlib.decompressobj(31) if self.header("content-encoding") == "gzip" else None
        while isinstance(event := await next_event(self.http, self.reader), h11.Data):
            yield unzip.decompress(event.data) if unzip else bytes(event.data)


@dataclass(frozen=True, slots=True)
class WholeResponse:
    """A whole answer."""

    status: int
    text: str
    answer: StartedResponse


async def next_event(http: h11.Connection, reader: asyncio.StreamReader) -> Any:
    """The next event of a connection. Raises `h11.RemoteProtocolError` if it ends too early."""
    while (event := http.next_event()) is h11.NEED_DATA:
        http.receive_data(await reader.read(PIECE))
    return event


@dataclass
class Browser:
    """A browser without JavaScript. What goes wrong on the way is raised as `Trouble`."""

    url: str
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    patience: Patience = field(default_factory=Patience)
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.url = self.url.rstrip("/")
        if not is_address(self.url):
            raise Trouble("address", url=self.url)
        parts = urlsplit(self.url)
        self.secure, self.host = parts.scheme == "https", in_ascii(parts.hostname or "")
        self.port = parts.port or int(PORTS[parts.scheme][1:])
        self.netloc = in_ascii(parts.netloc.lower()).removesuffix(PORTS[parts.scheme])
        self.origin = f"{parts.scheme}://{self.netloc}"

    async def ask(self, path: str, form: Mapping[str, str] | None = None) -> WholeResponse:
        """A page, or the answer to a form; redirects are not followed."""
        async with self.exchange(path, form) as answer:
            text = b""
            async for piece in answer.pieces():
                text += piece
                if len(text) > LARGEST:
                    break
            return WholeResponse(answer.status, text.decode(errors="replace"), answer)

    @asynccontextmanager
    async def exchange(
        self, path: str, form: Mapping[str, str] | None = None, seconds: float | None = None
    ) -> AsyncIterator[StartedResponse]:
        """A request under way, within `seconds`."""
        seconds = seconds or self.patience.answer
        with self.named_troubles(seconds):
            async with asyncio.timeout(seconds), self.connect("http/1.1") as (reader, writer):
                http, body = h11.Connection(h11.CLIENT), urlencode(form or {}).encode()
                head = h11.Request(
                    method="GET" if form is None else "POST",
                    target=path,
                    headers=self.headers(form, len(body)),
                )
                parts = (head, h11.Data(body), h11.EndOfMessage())
                writer.write(b"".join(filter(None, map(http.send, parts))))
                while isinstance(begun := await next_event(http, reader), h11.InformationalResponse):
                    pass
                answer = StartedResponse(http, reader, begun)
                if code := BUSY.get(answer.status):
                    raise Trouble(code, status=answer.status, where=f"{self.host}:{self.port}")
                self.keep_cookies(answer)
                yield answer

    def headers(self, form: Mapping[str, str] | None, length: int) -> list[tuple[str, str]]:
        """What a browser sends; JSON is accepted so that a refusal tells its code."""
        found = {
            "Host": self.netloc,
            "Accept": "text/html, application/json;q=0.5",
            "Accept-Encoding": "gzip",
            "User-Agent": "chouine doctor",
            "Connection": "close",
        }
        if self.cookies:
            found["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if form is not None:
            found |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": str(length),
                "Origin": self.origin,
                "Sec-Fetch-Site": "same-origin",
            }
        return list(found.items())

    def keep_cookies(self, answer: StartedResponse) -> None:
        """Keep the cookies of an answer; ours are ASCII, as a request must be."""
        for name, value in answer.headers:
            if name == "set-cookie" and value.isascii():
                key, _, text = value.partition(";")[0].partition("=")
                self.cookies[key.strip()] = text.strip()

    async def handshake(self) -> ssl.SSLObject:
        """The TLS of a connection that offers HTTP/2 first, as browsers do."""
        seconds = self.patience.answer
        with self.named_troubles(seconds):
            async with asyncio.timeout(seconds), self.connect("h2", "http/1.1") as (_, writer):
                found: ssl.SSLObject = writer.get_extra_info("ssl_object")
                return found

    @asynccontextmanager
    async def connect(
        self, *protocols: str
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection to the site, which offers these protocols by TLS."""
        where = f"{self.host}:{self.port}"
        if self.secure:
            self.context.set_alpn_protocols(list(protocols))
        try:
            reader, writer = await asyncio.open_connection(
                self.host, self.port, ssl=self.context if self.secure else None
            )
        except (socket.gaierror, ssl.SSLError, TimeoutError, ConnectionResetError):
            raise
        except OSError as error:
            raise Trouble("refused", where=where) from error
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    @contextmanager
    def named_troubles(self, seconds: float) -> Iterator[None]:
        """Raise the network's errors as `Trouble`."""
        where = f"{self.host}:{self.port}"
        try:
            yield
        except socket.gaierror as error:
            raise Trouble("name", host=self.host) from error
        except ssl.SSLCertVerificationError as error:
            raise Trouble("certificate", why=reason_in_words(error, error.verify_message)) from error
        except ssl.SSLError as error:
            raise Trouble("tls", where=where) from error
        except TimeoutError as error:
            raise Trouble("silent", where=where, seconds=f"{seconds:g}") from error
        except (OSError, h11.ProtocolError, EOFError, zlib.error) as error:
            raise Trouble("cut", where=where) from error
