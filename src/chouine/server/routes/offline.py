"""Offline play: the files a browser downloads, and matches uploaded afterwards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.server.daily import FIRST
from chouine.server.limits import ROW
from chouine.server.offline import bundle
from chouine.server.offline.import_match import check_match, identifier, unpack_match
from chouine.server.offline.matches import TAKEN, SealedPartie, StoredMatch, partie_in
from chouine.server.pages.env import environment
from chouine.server.policy import CARRIES_PYTHON
from chouine.server.routes.context import Context
from chouine.server.routes.daily import playable
from chouine.server.services import services_of
from chouine.server.site import Closed
from chouine.server.store import Append, Conflict
from chouine.table.commands import Refused

SCRIPTS = Path(__file__).parents[1] / "static" / "js" / "offline"
CARRYING = {"Content-Security-Policy": CARRIES_PYTHON}


def check_offered(request: Request) -> None:
    """Raise `Closed` if the copy is switched off, 404 unless the offline bundle was built (`make offline`)."""
    if "offline" in services_of(request).site.off:
        raise Closed("closed/offline")
    if not bundle.is_there():
        raise HTTPException(404)


async def shell(request: Request) -> Response:
    """The page that runs the server's Python in the browser, for play without a connection."""
    check_offered(request)
    context = await Context.of(request)
    language = context.visit.language
    page = environment(language).get_template("offline/shell.html").render(language=language)
    return HTMLResponse(page, headers=CARRYING)


async def files(request: Request) -> Response:
    """The files that a device keeps to play without a network, and their version."""
    check_offered(request)
    found = await run_in_threadpool(bundle.takeaway)
    if found is None:
        raise HTTPException(404)
    return JSONResponse({"version": found.version, "files": bundle.addresses()})


async def worker(request: Request) -> Response:
    """The worker script that runs Python; only it and its page may compile WebAssembly."""
    check_offered(request)
    return FileResponse(SCRIPTS / "worker.js", media_type="text/javascript", headers=CARRYING)


async def service_worker(_: Request) -> Response:
    """The site's service worker; its address is at the root, which makes the whole site its scope."""
    return FileResponse(SCRIPTS / "sw.js", media_type="text/javascript")


async def app(request: Request) -> Response:
    """These sources, for Python in the browser."""
    check_offered(request)
    return Response(await run_in_threadpool(bundle.app), media_type="application/zip")


async def runtime(request: Request) -> Response:
    """A file of Python for browsers."""
    found = bundle.runtime_file(str(request.path_params["name"]))
    if found is None:
        raise HTTPException(404)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        raise HTTPException(406)
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return FileResponse(found.path, media_type=found.kind, headers=headers)


async def days(request: Request) -> Response:
    """The latest deals of the day that are public, to be played without a network."""
    check_offered(request)
    daily = services_of(request).daily
    public = [daily.day(day).data for day in daily.public_days(TAKEN)]
    return JSONResponse({"days": public})


async def carry(request: Request) -> Response:
    """Import a match that was played without a network; a partie of a past day becomes the guest's try at it."""
    context = await Context.of(request)
    sent = await context.file("match")
    await context.admit(alone=True)
    await context.count("carried")
    guest, now = context.visitor.guest, context.tables.clock()
    try:
        match = unpack_match(sent)
        sealed = past_partie(context, match)
        async with services_of(context.request).carrying.turn(context.share):
            entries, table = await run_in_threadpool(check_match, match, guest, now, sealed)
    except ChouineError as error:
        message = say(error.code, context.visit.language, **error.data)
        return JSONResponse({"ok": False, "code": error.code, "message": message}, 422)
    table_id, (owner, origin) = identifier(guest, match), context.set_by
    seats = [(seat, guest) for seat in table.held_by(guest)]
    log = [entry for entry, _ in entries]
    context.weigh(len(log) * ROW)
    brought = Append(table_id, 0, now, None, log, None, over=True, seats=seats, owner=owner, origin=origin)
    with suppress(Conflict, IntegrityError):  # it was brought before
        await context.tables.store.open(brought, sealed and await first_try(context, sealed, table_id))
    return await context.seal(JSONResponse({"ok": True, "match": table_id}))


def past_partie(context: Context, match: StoredMatch) -> SealedPartie | None:
    """The partie of a past day that a match says it is. Raises `Refused` for one that no device has."""
    named = partie_in(match.id)
    if named is None:
        return None
    (day, nth), daily = named, services_of(context.request).daily
    if not FIRST <= day <= daily.today or not daily.is_public(day):
        raise Refused("carry/no-such-day")
    if not playable(context):
        raise Refused("carry/no-opponent")
    return SealedPartie(daily.day(day), nth)


async def first_try(
    context: Context, sealed: SealedPartie, table_id: str
) -> Callable[[sa.Connection], None] | None:
    """What notes that a table is the guest's try at a partie; None if they have tried it before."""
    daily, guest = services_of(context.request).daily, context.visitor.guest
    if any(one.nth == sealed.nth for one in await daily.attempts(sealed.day.day, guest)):
        return None
    return daily.claim(sealed.day.day, sealed.nth, guest, table_id)
