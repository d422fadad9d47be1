"""The web application: one process of a deployment, over a database that any other could go on from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chouine.server.computers import Computers, beat, credit_downtime
from chouine.server.migrations import upgrade
from chouine.server.routes import routes
from chouine.server.routes.failures import handlers
from chouine.server.store import Store, engine_of
from chouine.server.tables import Tables
from chouine.server.visitors import secrets_of

STATIC = Path(__file__).parent / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
LARGEST_BODY = 64 * 1024


def application(database: str) -> Starlette:
    """The application over a database address, e.g. `sqlite+aiosqlite:///chouine.db`."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(upgrade, database)
        store = Store(engine_of(database))
        tables = Tables(store)
        app.state.tables = tables
        app.state.secrets = await secrets_of(store)
        app.state.stopping = asyncio.Event()
        await credit_downtime(tables)
        tasks = [asyncio.create_task(beat(tables)), asyncio.create_task(Computers(tables).run())]
        yield
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        await store.engine.dispose()

    return Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[
            Middleware(Guard),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )


class Guard:
    """Refuses oversized bodies and cross-site posts; sets the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        lasting = "public, max-age=3600" if request.url.path.startswith("/static/") else "no-store"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**HEADERS, "Cache-Control": lasting}.items():
                    headers.setdefault(name, value)
            await send(message)

        await (refused(request) or self.app)(scope, receive, with_headers)


def refused(request: Request) -> Response | None:
    """An answer to what must not even be read."""
    if request.method in ("GET", "HEAD"):
        return None
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > LARGEST_BODY:
        return Response("too large", 413)
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    if site not in ("same-origin", "none") or origin not in (
        None,
        f"{request.url.scheme}://{request.url.netloc}",
    ):
        return Response("cross-site", 403)
    return None
