"""What stands before every page: limits of size, time and number, security headers, and an answer to every fault."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator, Mapping
from contextlib import suppress
from functools import cache
from time import monotonic, thread_time
from types import MappingProxyType
from typing import Any

from prometheus_client import Histogram
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chouine.server.limits import Limits
from chouine.server.metrics import LIMITED, REQUESTS
from chouine.server.policy import POLICY
from chouine.server.proxies import NO_PROXIES, Proxies, is_nearby
from chouine.server.request_parts import LARGEST, TAKEN, announced_length, is_form
from chouine.server.routes.failures import (
    failure_page,
    failure_response,
    is_for_programs,
    sentence_response,
    stranger,
    wrong_site_page,
)
from chouine.server.site import Site


class Stopwatch:
    """Awaits a coroutine, and adds up the processor time of its steps: not its waits, nor what other threads do."""

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self.work = work
        self._before = 0.0
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """The time so far, the present step's included."""
        return self._before + (thread_time() - self._since if self._since is not None else 0.0)

    def __await__(self) -> Generator[Any, Any, None]:
        thrown: BaseException | None = None
        while True:
            self._since = thread_time()
            try:
                waits_for = self.work.throw(thrown) if thrown is not None else self.work.send(None)
            except StopIteration:
                return
            finally:
                self._before, self._since = self.seconds, None
            try:
                yield waits_for
                thrown = None
            except BaseException as error:  # noqa: BLE001  # a cancellation too is the coroutine's
                thrown = error


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
LARGEST_GIVEN_BACK = 256 * 1024
"""Largest form that is read although it is too large, so that what was typed can be given back."""
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


class GzipPages(GZipMiddleware):
    """Pages and files are compressed. Answers to commands and programs are short, and a stream is sent as it comes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        plain = not path or scope["method"] == "POST" or path.endswith("/stream") or is_for_programs(path)
        await (self.app(scope, receive, send) if plain else super().__call__(scope, receive, send))


class OnlyHead(Exception):
    """The headers of the answer to HEAD have been sent: nothing else is wanted."""


class EdgeMiddleware:
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
        takes: Mapping[str, int] = NO_UPLOADS,
    ) -> None:
        """`site`: None where no setting tells the site's address, as at the desk.

        `uploads`: by path, the largest body where it may be more than `LARGEST_BODY`; no stranger's is read there.
        `takes`: by path, the largest file that the application takes, where that is less than the body.
        """
        self.app, self.limits, self.site, self.proxies = app, limits, site, proxies
        self.most, self.uploads, self.takes = most, uploads, takes
        self.unanswered = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await RequestCycle(self, self.proxies.unwrap(scope), receive, send).run()
        else:
            await self.app(scope, receive, send)

    def refusal(self, scope: Scope) -> ASGIApp | None:
        """The refusal of a request that the application shall not see, the cheapest first; None if there is none.

        Whoever has filled in a form is given it back, if it is not too long even for that.
        """
        error = self.too_many(scope)
        if error is None:
            if (wrong := self.wrong_site(scope)) is not None:
                return wrong
            if not is_longer(scope, scope[LARGEST]):
                return None
            error = HTTPException(413, "too-large")
        too_large = error.status_code == 413
        most = LARGEST_GIVEN_BACK if too_large else LARGEST_BODY
        gives_back = is_form(scope) and not is_longer(scope, most) and self.limits.gives_back(scope)
        if gives_back and (too_large or not self.wrong_site(scope)):
            return FormRefusal(error)
        return page_of(scope, error) if too_large else sentence_response(scope, error)

    def wrong_site(self, scope: Scope) -> Response | None:
        """The refusal of a request for another host than this site, or from another site's page; None if it is right.

        Files are for any host: the page of the refusal needs them.
        """
        site, path = self.site or Site(), scope["path"]
        open_to_all = path in WATCHED or path.startswith("/static/")
        found = site.mismatch_of(scope, watched=open_to_all) or site.cross_site(scope)
        return wrong_site_page(scope, found, settings=self.site is not None) if found else None

    def too_many(self, scope: Scope) -> HTTPException | None:
        """What a request above a limit is refused with (503: too many in all, 429: too many of one address), or None.

        Decided before the request is parsed, so that refusing is cheap. Files may be asked for at will, but not by who
        keeps the loop busy: an address of no file is answered with a page. Monitoring from nearby is always answered:
        a proxy that got 429 from `/ready` would take this node for dead.
        """
        if scope["path"] in WATCHED and is_nearby(scope):
            return None
        at_will = scope["path"].startswith(("/static/", "/offline/static/")) or scope["path"] in WATCHED
        if self.unanswered > self.most and not at_will:
            LIMITED.labels("unanswered").inc()
            return HTTPException(503, "busy", {"Retry-After": "2"})
        try:
            self.limits.check("busy", scope)
            if not at_will:
                self.limits.of_address("requests", scope)
        except HTTPException as error:
            return error
        return None


class RequestCycle:
    """A request and its response. Until its response begins it is unanswered, and what it costs is added up."""

    def __init__(self, edge: EdgeMiddleware, scope: Scope, receive: Receive, send: Send) -> None:
        scope[LARGEST] = edge.uploads.get(scope["path"], LARGEST_BODY)
        scope[TAKEN] = edge.takes.get(scope["path"], scope[LARGEST])
        self.edge, self.scope, self.connection = edge, scope, send
        self.body = BoundedBody(receive, scope[LARGEST])
        self.head = scope["method"] == "HEAD"
        self.watch: Stopwatch | None = None
        self.since, self.begun = monotonic(), False

    async def run(self) -> None:
        """Refuse the request or let the application answer it, and answer every fault with its page."""
        self.edge.unanswered += 1
        inner = {**self.scope, "method": "GET", "head": True} if self.head else self.scope
        try:
            answer = self.edge.refusal(self.scope) or self.edge.app
            if isinstance(answer, FormRefusal):
                self.body.largest = max(self.body.largest, LARGEST_GIVEN_BACK)
            self.watch = Stopwatch(work(answer, inner, self.receive, self.send))
            await self.watch
        except ClientDisconnect:
            pass  # who left in the middle of a body needs no answer
        except Exception as error:  # noqa: BLE001  # whatever it is, no traceback may leave
            if not (self.head and self.begun):  # then it is `OnlyHead`, perhaps in a group
                fault = failure_page(self.scope, error)
                if not self.begun:
                    with suppress(OnlyHead):
                        await fault(self.scope, self.receive, self.send)
        finally:
            self.begin()

    def begin(self) -> None:
        """The response begins, or none will: the request no longer counts, and its address is charged for it."""
        if self.begun:
            return
        self.begun = True
        self.edge.unanswered -= 1
        if self.watch is not None:
            self.edge.limits.spend("busy", self.scope, round(self.watch.seconds * 1000))

    async def receive(self) -> Message:
        """Receive a part of the body. A request does not count as concurrent while it waits for one."""
        if self.begun:
            return await self.body()
        self.edge.unanswered -= 1
        try:
            return await self.body()
        finally:
            self.edge.unanswered += 1

    async def send(self, message: Message) -> None:
        """Send a part of the response, the headers with those of every response; for HEAD nothing follows them."""
        if message["type"] == "http.response.start":
            self.begin()
            status = message["status"] // 100
            histogram_of(self.scope["method"], status).observe(monotonic() - self.since)
            message["headers"] = [*message["headers"], *headers_added(self.scope, message)]
        await in_pieces(message, self.connection)
        if self.head:
            await self.connection({"type": "http.response.body", "body": b""})
            raise OnlyHead


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


class FormRefusal:
    """A refusal of a form that somebody has filled in: a page of the application's own that gives it back."""

    def __init__(self, error: HTTPException) -> None:
        self.error = error

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = scope["app"].exception_handlers[HTTPException]
        answer = await handler(Request(scope, receive), self.error)
        await answer(scope, receive, send)


def page_of(scope: Scope, error: HTTPException) -> Response:
    """The page for an error, or its JSON."""
    request = Request(scope)
    return failure_response(request, stranger(request), error.status_code, error.detail, error.headers)


@cache
def histogram_of(method: str, hundred: int) -> Histogram:
    """The histogram of response times for a method and a class of status (2 for 2xx)."""
    return REQUESTS.labels(method, f"{hundred}xx")


def headers_added(scope: Scope, message: Message) -> list[tuple[bytes, bytes]]:
    """The headers that every response has, without those that this response sets itself."""
    given = dict(message["headers"])
    ours = {**HEADERS, b"cache-control": cache_control(scope, message)}
    if scope["scheme"] == "https":
        ours[b"strict-transport-security"] = HTTPS_ONLY
    return [(name, value) for name, value in ours.items() if name not in given]


def cache_control(scope: Scope, message: Message) -> bytes:
    """The `Cache-Control` of a response: none for pages, a year for files asked for with `?v=…`, else revalidation."""
    if not scope["path"].startswith("/static/") or message["status"] >= 400:
        return b"no-store"
    return LASTING if scope["query_string"].startswith(b"v=") else b"no-cache"


class BoundedBody:
    """Receives a request's body, with limits on what is read and not on what was announced.

    Raises `HTTPException` 413 above `largest` bytes, 408 if the body has not arrived within `SLOWEST` seconds.
    """

    def __init__(self, receive: Receive, largest: int = LARGEST_BODY) -> None:
        self.receive, self.largest = receive, largest
        self.read, self.whole, self.until = 0, False, 0.0

    async def __call__(self) -> Message:
        if self.whole:
            return await self.receive()
        self.until = self.until or asyncio.get_running_loop().time() + SLOWEST
        try:
            async with asyncio.timeout_at(self.until):
                message = await self.receive()
        except TimeoutError:
            raise HTTPException(408, "too-slow") from None
        self.read += len(message.get("body", b""))
        self.whole = not message.get("more_body", False)
        if self.read > self.largest:
            raise HTTPException(413, "too-large")
        return message


def is_longer(scope: Scope, most: int) -> bool:
    """Whether a request's body is announced as longer, or not by a number."""
    length = announced_length(scope)
    return scope["method"] not in ("GET", "HEAD") and (length is None or length > most)
