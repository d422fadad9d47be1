"""Signing in to the desk: its own browser, others with the PIN; and each browser's language."""

from __future__ import annotations

import hmac

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.desk.places import removable
from chouine.phrases import say
from chouine.server.contest.desk import ROLES, Desk, Role
from chouine.server.contest.request import COOKIE, LANGUAGE, DeskRequest, go, visit_of
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render


async def opened(request: Request) -> Response:
    """Sign this laptop's browser in as the desk, by the address that the program opened."""
    desk: Desk = request.app.state.desk
    given = request.query_params.get("key", "")
    if not hmac.compare_digest(given.encode(), desk.opening.encode()):
        raise HTTPException(404)
    return remembered(go("/"), desk.cookie("desk", "desk"))


def remembered(response: Response, cookie: str) -> Response:
    response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", max_age=2 * 24 * 3600)
    return response


async def join(request: Request) -> Response:
    """Sign another device in, with the PIN and a role."""
    desk: Desk = request.app.state.desk
    visit, refused = visit_of(request), ""
    if request.method == "POST":
        form = await request.form(max_files=0, max_fields=10)
        role: Role | None = next((one for one in ROLES[1:] if one == form.get("role")), None)
        if role is not None and desk.join(str(form.get("pin", "")).strip()):
            return remembered(go("/screen" if role == "screen" else "/"), desk.cookie(role, desk.name(role)))
        refused = say("contest/pin", visit.language)
    html = render(
        visit,
        "contest/join.html",
        here="/join",
        roles=ROLES[1:],
        pin=str(request.query_params.get("pin", "")),
        refused=refused,
    )
    return HTMLResponse(html, 422 if refused else 200)


async def language(request: Request) -> Response:
    """Switch this browser's language."""
    form = await request.form(max_files=0, max_fields=10)
    back = str(form.get("back", "/"))
    response = go(back if back.startswith("/") and not back.startswith("//") else "/")
    response.set_cookie(LANGUAGE, "en" if form.get("language") == "en" else "fr", max_age=365 * 24 * 3600)
    return response


async def desks(request: Request) -> Response:
    """The page on how others join (address, QR code, PIN) and on where the file's copy is kept."""
    asked = DeskRequest.of(request)
    if asked.worker.role != "desk":
        raise HTTPException(403, "role")
    if request.method == "POST":
        form = await asked.form()
        place = next((one for one in removable() if str(one) == form.get("place")), None)
        if "network" in form:
            asked.desk.chosen = str(form["network"])  # it counts while this laptop has it
        elif place is None:
            asked.desk.renew_pin()
        else:
            await run_in_threadpool(asked.store.copy_to, place / asked.store.path.name)
        return go("/desks")
    address = f"{asked.desk.address}/join?pin={asked.desk.pin}"
    return asked.page(
        "desks.html",
        address=address,
        code=code_of(address),
        watching=f"{asked.desk.address}/public",
        pin=asked.desk.pin,
        shut=asked.desk.shut,
        alone="//127." in address,
        chosen=asked.desk.address,
        addresses=asked.desk.addresses(),
        path=asked.store.path,
        copy=asked.store.copy,
        places=removable(),
    )
