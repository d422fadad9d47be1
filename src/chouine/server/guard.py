"""What stands before every page: limits of size, time and number, security headers, and an answer to every fault."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from time import monotonic
from types import MappingProxyType

from prometheus_client import Histogram
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chouine.server.busy import Stopwatch
from chouine.server.limits import Limits
from chouine.server.metrics import LIMITED, REQUESTS
from chouine.server.policy import POLICY
from chouine.server.proxies import NO_PROXIES, Proxies, is_nearby
from chouine.server.routes.failures import failed, misfit
from chouine.server.site import Site

HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
HTTPS_ONLY = b"max-age=31536000"
"""`Strict-Transport-Security`: for a year the browser uses HTTPS alone for this host."""
LARGEST_BODY = 64 * 1024
NO_UPLOADS: Mapping[str, int] = MappingProxyType({})
PIECE = 64 * 1024
"""Most bytes of a body that are sent before the reader has taken what came before."""
SLOWEST = 15.0
"""Seconds within which a request's body must have arrived: forms are short."""
MAX_CONCURRENT = 1000
"""Maximum concurrent requests, not counting those whose body is still being received. Above it the server answers
503, so that the requests it has accepted finish before their browsers time out."""
WATCHED = ("/health", "/ready", "/metrics")
"""Addresses for monitoring: answered even above `MAX_CONCURRENT`, since an overloaded server is when they matter."""
LASTING = b"public, max-age=31536000, immutable"
"""`Cache-Control` of a file whose address contains its version."""


class Packed(GZipMiddleware):
    """Pages and files are compressed; answers to commands are short, and a stream is sent as it comes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        plain = scope["type"] != "http" or scope["method"] == "POST" or scope["path"].endswith("/stream")
        await (self.app(scope, receive, send) if plain else super().__call__(scope, receive, send))


class OnlyHead(Exception):
    """The headers of the answer to HEAD have been sent: nothing else is wanted."""


class Guard:
    """Refuses too much, too large, cross-site; gives every answer its security headers, every fault an answer.

    HEAD is answered as GET is, without the body; `scope["head"]` tells that nothing may be stored or begun for it.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        site: Site | None = None,
        proxies: Proxies = NO_PROXIES,
        most: int = MAX_CONCURRENT,
        uploads: Mapping[str, int] = NO_UPLOADS,
    ) -> None:
        """`site`: None where no setting tells the site's address, as at the desk.

        `uploads`: by path, the largest body where it may be more than `LARGEST_BODY`; no stranger's is read there.
        """
        self.app, self.limits, self.site, self.proxies = app, limits, site, proxies
        self.most, self.uploads = most, uploads
        self.unanswered = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        largest = self.uploads.get(scope["path"], LARGEST_BODY)
        begun, since, heard = False, monotonic(), bounded(receive, largest)
        watch: Stopwatch | None = None
        scope, head = self.proxies.unwrap(scope), scope["method"] == "HEAD"
        inner = {**scope, "method": "GET", "head": True} if head else scope
        self.unanswered += 1

        async def received() -> Message:
            """Receive a part of the body. A request does not count as concurrent while it waits for one."""
            if begun:
                return await heard()
            self.unanswered -= 1
            try:
                return await heard()
            finally:
                self.unanswered += 1

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self.unanswered -= 1
                self.charge(scope, watch)
                histogram_of(scope["method"], message["status"] // 100).observe(monotonic() - since)
                message["headers"] = [*message["headers"], *headers_added(scope, message)]
            await in_pieces(message, send)
            if head:
                await send({"type": "http.response.body", "body": b""})
                raise OnlyHead

        try:
            answer = self.too_many(scope) or self.misfit(scope) or too_large(scope, largest) or self.app
            watch = Stopwatch(work(answer, inner, received, with_headers))
            await watch
        except ClientDisconnect:
            return  # who left in the middle of a body needs no answer
        except Exception as error:  # noqa: BLE001  # whatever it is, no traceback may leave
            if head and begun:
                return  # `OnlyHead`, perhaps in a group
            fault = failed(scope, error)
            if not begun:
                with suppress(OnlyHead):
                    await fault(scope, receive, with_headers)
        finally:
            if not begun:
                self.unanswered -= 1
                self.charge(scope, watch)

    def charge(self, scope: Scope, watch: Stopwatch | None) -> None:
        """Count what a request has kept the loop busy until its response begins; a stream costs little later."""
        if watch is not None:
            self.limits.spend("busy", scope, round(watch.seconds * 1000))

    def misfit(self, scope: Scope) -> Response | None:
        """The refusal of a request for another host than this site, or from another site's page; None if it is right.

        Files are for any host: the page of the refusal needs them.
        """
        site, path = self.site or Site(), scope["path"]
        open_to_all = path in WATCHED or path.startswith("/static/")
        found = site.refused(scope, watched=open_to_all) or site.cross_site(scope)
        return misfit(scope, found, settings=self.site is not None) if found else None

    def too_many(self, scope: Scope) -> Response | None:
        """The refusal of a request above a limit (503: too many in all, 429: too many of one address), or None.

        Decided before the request is parsed, so that refusing is cheap. Files may be asked for at will, but not by who
        keeps the loop busy: an address of no file is answered with a page. Monitoring from nearby is always answered:
        a proxy that got 429 from `/ready` would take this node for dead.
        """
        if scope["path"] in WATCHED and is_nearby(scope):
            return None
        at_will = scope["path"].startswith(("/static/", "/offline/static/")) or scope["path"] in WATCHED
        if self.unanswered > self.most and not at_will:
            LIMITED.labels("unanswered").inc()
            return PlainTextResponse("busy", 503, {"Retry-After": "2"})
        try:
            self.limits.check("busy", scope)
            if not at_will:
                self.limits.of_address("requests", scope)
        except HTTPException as error:
            return PlainTextResponse("too fast", error.status_code, error.headers)
        return None


async def in_pieces(message: Message, send: Send) -> None:
    """Send a message, its body in pieces of `PIECE`: whoever does not read keeps no more than one in memory."""
    body = memoryview(message.get("body", b""))
    for start in range(0, len(body) - PIECE, PIECE):
        await send({**message, "body": bytes(body[start : start + PIECE]), "more_body": True})
        await asyncio.sleep(0)  # only then does the transport tell that its reader is behind
    last = max(0, (len(body) - 1) // PIECE * PIECE)
    await send({**message, "body": bytes(body[last:])} if last else message)


async def work(answer: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """The answer as a coroutine, whatever awaitable the application returns."""
    await answer(scope, receive, send)


@cache
def histogram_of(method: str, hundred: int) -> Histogram:
    """The histogram of response times for a method and a class of status (2 for 2xx)."""
    return REQUESTS.labels(method, f"{hundred}xx")


def headers_added(scope: Scope, message: Message) -> list[tuple[bytes, bytes]]:
    """The headers that every response has, without those that this response sets itself."""
    given = dict(message["headers"])
    ours = {**HEADERS, b"cache-control": lasting(scope, message)}
    if scope["scheme"] == "https":
        ours[b"strict-transport-security"] = HTTPS_ONLY
    return [(name, value) for name, value in ours.items() if name not in given]


def lasting(scope: Scope, message: Message) -> bytes:
    """The `Cache-Control` of a response: none for pages, a year for files asked for with `?v=…`, else revalidation."""
    if not scope["path"].startswith("/static/") or message["status"] >= 400:
        return b"no-store"
    return LASTING if scope["query_string"].startswith(b"v=") else b"no-cache"


def bounded(receive: Receive, largest: int = LARGEST_BODY) -> Receive:
    """`receive` with limits on the body, as read and not as announced.

    Raises `HTTPException` 413 above `largest` bytes, 408 if the body has not arrived within `SLOWEST` seconds.
    """
    read, whole, until = 0, False, 0.0

    async def limited() -> Message:
        nonlocal read, whole, until
        if whole:
            return await receive()
        until = until or asyncio.get_running_loop().time() + SLOWEST
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "too-slow") from None
        read += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if read > largest:
            raise HTTPException(413, "too-large")
        return message

    return limited


def too_large(scope: Scope, largest: int) -> Response | None:
    """The refusal of a request whose body is announced as too large to be read, or not by a number."""
    if scope["method"] in ("GET", "HEAD"):
        return None
    length = Headers(scope=scope).get("content-length", "0")
    if length.isascii() and length.isdigit() and len(length) < 9 and int(length) <= largest:
        return None
    return PlainTextResponse("too large", 413)
