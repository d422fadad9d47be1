"""A browser that asks to be told of its turns, and the service worker that shows it."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from chouine.server.forms import local
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.routes.context import Context

WORKER = Path(__file__).parents[1] / "static" / "js" / "worker" / "push.js"


async def worker(_: Request) -> Response:
    """The service worker of push messages, at an address whose scope is no page's: others may keep pages."""
    return FileResponse(WORKER, media_type="text/javascript")


async def subscribe(request: Request) -> Response:
    """Tell this browser of its turns from now on; or no browser of this visitor any more."""
    context = await Context.of(request)
    form = await context.form()
    context.count("pushes")
    turns: TurnNotifier | None = request.app.state.turns
    if turns is None:
        raise HTTPException(404, "no-push")
    guest = context.visitor.guest
    if form.get("what") == "off":
        await turns.forget(guest)
        return await context.go(local(str(form.get("back", "/settings"))))
    try:
        await turns.subscribe(guest, *(str(form.get(name, "")) for name in ("endpoint", "key", "auth")))
    except ValueError as error:
        raise HTTPException(400, "unreadable") from error
    return await context.sealed(Response(status_code=204))
