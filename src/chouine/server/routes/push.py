"""Subscriptions to push notifications, and their service worker."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from chouine.server.forms import local
from chouine.server.routes.context import Context
from chouine.server.services import services_of

WORKER = Path(__file__).parents[1] / "static" / "js" / "worker" / "push.js"


async def worker(_: Request) -> Response:
    """The service worker for push messages, with a scope of its own that contains no page."""
    return FileResponse(WORKER, media_type="text/javascript")


async def subscribe(request: Request) -> Response:
    """Subscribe this browser, or unsubscribe it, or all browsers of this visitor. A GET tells what that needs."""
    context = await Context.of(request)
    turns = services_of(request).turns
    if turns is None:
        raise HTTPException(404, "no-push")
    if request.method == "GET":
        return await context.seal(JSONResponse({"key": turns.signer.public, "csrf": context.visit.csrf}))
    form = await context.form()
    await context.count("pushes")
    guest, endpoint = context.visitor.guest, str(form.get("endpoint", ""))
    if form.get("what") == "off":
        await turns.forget(guest, endpoint)
        return await context.go(local(str(form.get("back", "/settings"))))
    try:
        key, auth, old = (str(form.get(name, "")) for name in ("key", "auth", "old"))
        browser = context.visitor.stored if context.visitor.member else ""
        await turns.subscribe(guest, endpoint, key, auth, old, browser)
    except ValueError as error:
        raise HTTPException(400, "unreadable") from error
    return await context.seal(Response(status_code=204))
