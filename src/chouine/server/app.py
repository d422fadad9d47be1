"""The web application: one process of a deployment, over a database that any other could go on from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic

from prometheus_client import Histogram
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chouine.ai.levels import looks_ahead
from chouine.compilations import advice_ready
from chouine.server.computers import Computers
from chouine.server.counsel import get_ready
from chouine.server.heartbeat import Pulse, steady_clock
from chouine.server.limits import PER_ADDRESS, Limits
from chouine.server.metrics import LIMITED, REQUESTS
from chouine.server.online.contests import Contests
from chouine.server.online.partners import Partners
from chouine.server.online.steward import Steward
from chouine.server.policy import POLICY
from chouine.server.pubsub import Hints, poll
from chouine.server.push.letters import Letters
from chouine.server.push.mail import Mailer
from chouine.server.push.message import Signer, new_secret
from chouine.server.push.sender import Sender
from chouine.server.push.turns import TurnNotifier
from chouine.server.reviews import Reviews
from chouine.server.routes import routes
from chouine.server.routes.failures import failed, handlers
from chouine.server.site import Site
from chouine.server.store import Store
from chouine.server.tables import TEMPO, Tables, Tempo
from chouine.server.thinking import Lane, Thinker, ThinkerPool, processes
from chouine.server.turns import NOBODY
from chouine.server.visitors import Secrets, secrets_of
from chouine.server.workers import Workers

STATIC = Path(__file__).parent / "static"
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
"""A browser that came over HTTPS asks for this host over nothing else for a year."""
LARGEST_BODY = 64 * 1024
SLOWEST = 15.0
"""Seconds from a body being waited for to its end: forms are short."""
MOST_UNANSWERED = 1000
"""Requests in hand, not those whose body is still to come: any more are told to come again, or none would be
answered before its browser gives up."""
WATCHED = ("/health", "/ready", "/metrics")
"""For whoever runs the server, who needs them most when there is too much to do."""
UNHURRIED = 5.0
"""Seconds after which what can wait is begun: the first pages go first."""
LASTING = b"public, max-age=31536000, immutable"
"""For a file whose address changes when it does."""
KEPT_STATIC = Mount("/offline/static", StaticFiles(directory=STATIC))
"""The same files, for pages that are made in the browser: all that those ask for stands under `/offline`."""


def application(
    database: str,
    tempo: Tempo = TEMPO,
    redis: str = "",
    thinkers: int = 1,
    per_address: int = PER_ADDRESS,
    *,
    proxied: bool = False,
    site: Site | None = None,
    mailer: Mailer | None = None,
) -> Starlette:
    """The application over a database in its newest shape, e.g. `sqlite+aiosqlite:///chouine.db`.

    With `redis` nodes tell each other of moves and workers think for computers; without it `thinkers` processes do.
    `proxied`: a proxy that is trusted says where requests come from. `mailer` takes letters to who wants to be told
    of their turns so.
    """
    limits, site = Limits(per_address), site or Site()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store.at(database)
        tables = Tables(store, await steady_clock(store), tempo)
        app.state.tables = tables
        app.state.secrets = await secrets_of(store)
        app.state.stopping = asyncio.Event()
        app.state.studies = studies = Lane(1, processes)
        app.state.reviews = reviews = Reviews(store, thinkers)
        app.state.turns = turns = await turns_of(tables, app.state.secrets, site, mailer)
        app.state.push_key = turns.signer.public if turns else ""
        app.state.letters = turns.letters if turns else None
        pulse, hints = Pulse(tables), Hints(redis, tables) if redis else None
        await pulse.once()
        app.state.contests = contests = Contests(store, tables.clock)
        app.state.partners = Partners(store, tables.clock)
        computers = Computers(tables, thinker(redis, thinkers), pulse)
        steward = Steward(contests, tables, studies, pulse)
        work = [advice_at_hand(studies), pulse.beat(), computers.run(), steward.run(), poll(tables, hints)]
        work += [hints.send(), hints.hear()] if hints else []
        work += [turns.run()] if turns else []
        tasks = [asyncio.create_task(each) for each in work]
        yield
        await ended(tasks)
        if hints:
            await hints.close()
        studies.close()
        await reviews.close()
        await store.close()

    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC)), KEPT_STATIC],
        middleware=[
            Middleware(Guard, limits=limits, site=site),
            Middleware(Packed, minimum_size=1000),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    app.state.limits = limits
    app.state.proxied = proxied
    app.state.site = site
    return app


async def turns_of(
    tables: Tables, secrets: Secrets, site: Site, mailer: Mailer | None
) -> TurnNotifier | None:
    """The sender of turn notifications; None without a public HTTPS address, which push services and e-mail require."""
    contact = site.public_url
    if not contact.startswith("https://"):
        return None
    secret = await tables.store.first_setting("push", new_secret())
    letters = Letters(tables, secrets, mailer, contact) if mailer else None
    return TurnNotifier(tables, Signer(secret, contact), Sender(), letters=letters)


async def ended(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks until they are done: before Python 3.12 `wait_for`, and Redis with it, can lose a cancellation."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1)


async def advice_at_hand(studies: Lane) -> None:
    """Have the process that advises read what it needs before anybody asks, once all is compiled."""
    while looks_ahead():
        await asyncio.sleep(UNHURRIED)
        if advice_ready().exists():
            with suppress(BrokenExecutor):
                await studies.run(NOBODY, get_ready)
            return


def thinker(redis: str, number: int) -> Thinker:
    """The source of computer moves: workers in Redis, or local processes, one of them started in advance."""
    pool = ThinkerPool(number)
    if redis:
        return Workers(redis, pool)
    pool.warm()
    return pool


class Packed(GZipMiddleware):
    """Pages and files are compressed; answers to commands are short, and a stream is sent as it comes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        plain = scope["type"] != "http" or scope["method"] == "POST" or scope["path"].endswith("/stream")
        await (self.app(scope, receive, send) if plain else super().__call__(scope, receive, send))


class Guard:
    """Refuses too much, too large, cross-site; gives every answer its security headers, every fault an answer."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        site: Site | None = None,
        most: int = MOST_UNANSWERED,
        largest: int = LARGEST_BODY,
    ) -> None:
        self.app, self.limits, self.site, self.most, self.largest = app, limits, site or Site(), most, largest
        self.unanswered = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, since, heard = False, monotonic(), bounded(receive, self.largest)
        self.unanswered += 1

        async def received() -> Message:
            """While a body is awaited the request does not count against the limit: a slow sender takes no place."""
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
                counted(scope["method"], message["status"] // 100).observe(monotonic() - since)
                given = dict(message["headers"])
                ours = {**HEADERS, b"cache-control": lasting(scope, message)}
                if scope["scheme"] == "https":
                    ours[b"strict-transport-security"] = HTTPS_ONLY
                added = [(name, value) for name, value in ours.items() if name not in given]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            answer = self.too_many(scope) or self.misnamed(scope) or refused(scope, self.largest) or self.app
            await answer(scope, received, with_headers)
        except ClientDisconnect:
            return  # who left in the middle of a body needs no answer
        except Exception as error:  # noqa: BLE001  # whatever it is, no traceback may leave
            fault = failed(scope, error)
            if not begun:
                await fault(scope, receive, with_headers)
        finally:
            self.unanswered -= not begun

    def misnamed(self, scope: Scope) -> Response | None:
        """An answer to who asks for another site."""
        return self.site.refused(scope, watched=scope["path"] in WATCHED)

    def too_many(self, scope: Scope) -> Response | None:
        """An answer to an address, or to a crowd, that asks for too much, made without a look at what it asks."""
        if scope["path"].startswith(("/static/", "/offline/static/")) or scope["path"] in WATCHED:
            return None
        if self.unanswered > self.most:
            LIMITED.labels("unanswered").inc()
            return PlainTextResponse("busy", 503, {"Retry-After": "2"})
        try:
            self.limits.of_address("requests", scope)
        except HTTPException as error:
            return PlainTextResponse("too fast", error.status_code, error.headers)
        return None


@cache
def counted(method: str, hundred: int) -> Histogram:
    """Where the time of such requests is counted."""
    return REQUESTS.labels(method, f"{hundred}xx")


def lasting(scope: Scope, message: Message) -> bytes:
    """How long an answer may be kept: pages not at all, files while they have this address."""
    if not scope["path"].startswith("/static/") or message["status"] >= 400:
        return b"no-store"
    return LASTING if scope["query_string"].startswith(b"v=") else b"no-cache"


def bounded(receive: Receive, largest: int = LARGEST_BODY) -> Receive:
    """The body counted while it is read, whatever length was announced; who sends it too slowly is sent away."""
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


def refused(scope: Scope, largest: int) -> Response | None:
    """The answer to a request whose body must not be read: too large, or sent from another site's page."""
    if scope["method"] in ("GET", "HEAD"):
        return None
    headers = Headers(scope=scope)
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) < 9 and int(length) <= largest):
        return PlainTextResponse("too large", 413)
    own = f"{scope['scheme']}://{headers.get('host', '')}"
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return PlainTextResponse("cross-site", 403)
    return None if headers.get("origin", own) == own else PlainTextResponse("cross-site", 403)
