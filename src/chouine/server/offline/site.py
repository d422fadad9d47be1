"""The offline site of one device: a web application as the server's, asked by the page's script instead of a network.

Most addresses are answered by the server's own functions (`routes/shared.py`), the others by the device's.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Message, Scope

from chouine.server.forms import NotANumber
from chouine.server.offline import pages
from chouine.server.offline.context import DeviceContext, device_context
from chouine.server.offline.device import Device, Lost
from chouine.server.offline.pages import PREFIX, OfflineStream, prefix_addresses
from chouine.server.pages.errors import Refusal, error_page, error_sentence
from chouine.server.policy import FRAMED
from chouine.server.routes.request_context import RequestContext, wants_json
from chouine.server.routes.shared import shared, use_plain_applications


async def only_online(_: Request) -> Response:
    """An address that only a server answers."""
    raise Lost("needs-network")


own = [
    Route("/", pages.home),
    Route("/new", pages.new, methods=["POST"]),
    Route("/legal", pages.legal),
    Route("/settings", pages.settings, methods=["GET", "POST"]),
    Route("/table/{table_id}", pages.table),
    Route("/table/{table_id}/events", pages.events),
    Route("/daily", pages.latest_day),
    Route("/daily/{day}", pages.past_day, methods=["GET", "POST"]),
]
elsewhere = Route("/{path:path}", only_online, methods=["GET", "POST"])
routes = [*shared, *own, elsewhere]
use_plain_applications(routes)


async def refuse(request: Request, error: Exception) -> Response:
    """The page for what is not there, or cannot be read; a line of JSON for a script."""
    status, code = (
        (error.status_code, error.detail) if isinstance(error, HTTPException) else (400, "not-a-number")
    )
    visit = device_context(request).visit
    if wants_json(request):
        message = error_sentence(visit.language, status, code)
        return JSONResponse({"ok": False, "code": code, "message": message}, status)
    return HTMLResponse(error_page(visit, Refusal(status, code)), status)


class OfflineResponse(msgspec.Struct, frozen=True):
    """A response, as the page's script takes it."""

    body: str
    status: int
    kind: str
    location: str
    """Redirect address; empty for a response without one."""
    file: str
    """File name of a download; empty for a page."""
    policy: str = FRAMED


class OfflineSite(Device):
    """A device that answers addresses."""

    def __init__(
        self, clock: Callable[[], float], me: str = "", matches: list[str] | None = None, days: str = ""
    ) -> None:
        super().__init__(clock, me, matches, days)
        self.app = Starlette(routes=routes)
        state = self.app.state
        state.device, state.context_of, state.command_context_of = self, context_of, context_of
        self.app.middleware_stack = ExceptionMiddleware(
            self.app.router, {HTTPException: refuse, NotANumber: refuse}
        )

    def answer(
        self, method: str, address: str, body: str = "", *, json_wanted: bool = False
    ) -> OfflineResponse:
        """The response to a request. For an address that does not exist it is a page that says so."""
        status, headers, sent = self.ask(method, address.removeprefix(PREFIX), body, json_wanted=json_wanted)
        kind, location = headers.get("content-type", ""), headers.get("location", "")
        if kind.startswith("text/html"):
            sent = prefix_addresses(sent)
        if location and not location.startswith(f"{PREFIX}/"):
            location = PREFIX + location
        file = headers.get("content-disposition", "").partition('"')[2].rstrip('"')
        return OfflineResponse(sent, status, kind, location, file)

    def ask(
        self, method: str, address: str, body: str, *, json_wanted: bool
    ) -> tuple[int, dict[str, str], str]:
        """The application's response: status, headers, text. Its functions never wait, so that none needs a loop."""
        started: Message = {}
        pieces: list[bytes] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body.encode(), "more_body": False}

        async def send(message: Message) -> None:
            started.update(message)
            pieces.append(message.get("body", b""))

        running = self.app(scope_of(method, address, json_wanted=json_wanted), receive, send)
        try:
            running.__await__().send(None)
        except StopIteration:
            headers = {name.decode(): value.decode("latin-1") for name, value in started["headers"]}
            return started["status"], headers, b"".join(pieces).decode()
        raise RuntimeError("the answer waits for something")

    def stream(self, table_id: str, seen: str, after: str) -> OfflineStream:
        """The stream of a table's entries after one, for a browser at a seat."""
        return OfflineStream(self, table_id, seen, after)


async def context_of(request: Request) -> RequestContext:
    """The context of a request, for functions that the server has too."""
    context: DeviceContext = device_context(request)
    return context


def scope_of(method: str, address: str, *, json_wanted: bool) -> Scope:
    """A request as ASGI has it."""
    path, _, query = address.partition("?")
    return {
        "type": "http",
        "method": method,
        "scheme": "http",
        "path": unquote(path) or "/",
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"accept", b"application/json" if json_wanted else b"text/html")],
    }
