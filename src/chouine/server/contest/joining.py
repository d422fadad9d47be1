"""Signing in to the desk: its own browser, others with their role's PIN; and who is signed in."""

from __future__ import annotations

import hmac

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.phrases import Language
from chouine.server.contest.desk import ROLES, Desk, Role
from chouine.server.contest.folders import copy_places, removable_folders
from chouine.server.contest.hall import HallContext, desk_name, go, line, sign_in
from chouine.server.contest.request import DeskContext
from chouine.server.contest.standing import clock
from chouine.server.limits import address_of
from chouine.server.pages.codes import code_of

LONGEST_LABEL = 30
"""Longest name that a helper gives to be recognised at the desk, in characters."""
MANY = 20
"""Wrong PINs of a role after which the desk is advised to renew it."""


async def open_place(request: Request) -> Response:
    """Sign this laptop's browser in as the desk, by the address that the program opened."""
    desk: Desk = request.app.state.desk
    given = request.query_params.get("key", "")
    if not hmac.compare_digest(given.encode(), desk.opening.encode()):
        raise HTTPException(404)
    role: Role = "screen" if desk.looking else "desk"
    cookie = await run_in_threadpool(desk.sessions.open, role, role, "", address_of(request.scope))
    return sign_in("/", cookie, desk.store.path)


async def join(request: Request) -> Response:
    """Sign another device in, with a role and its PIN."""
    desk: Desk = request.app.state.desk
    context, scanned = HallContext(request), request.query_params
    if request.method == "POST":
        form = await context.form(10, files=0)
        role: Role = next((one for one in ROLES if one == form.get("role")), "desk")
        label, address = line(form, "label")[:LONGEST_LABEL], address_of(request.scope)
        with context.refusals():
            desk.check_pin(role, str(form.get("pin", "")).strip(), address)
            cookie = await run_in_threadpool(desk.sessions.open, role, desk.name(role), label, address)
            return sign_in("/screen" if role == "screen" else "/", cookie, desk.store.path)
    return await context.show("contest/join.html", roles=ROLES[1:], longest=LONGEST_LABEL, scanned=scanned)


async def desks(request: Request) -> Response:
    """The page on how others join (address, PINs, QR codes), who is signed in, and where the file's copy is kept."""
    asked = DeskContext.of(request)
    asked.check("sign in")
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            await run_in_threadpool(manage, asked, form)
            return go("/desks")
    desk = asked.desk
    sessions = sorted(desk.sessions.known.items(), key=lambda one: (ROLES.index(one[1].role), one[1].since))
    return await asked.show(
        "desks.html",
        address=f"{desk.address}/join",
        joining=[
            (role, pin, code_of(f"{desk.address}/join?role={role}&pin={pin}"), desk.wrong.many(role) > MANY)
            for role, pin in desk.pins.items()
        ],
        signed_in=[
            (
                which,
                one,
                desk_name(one.name, asked.language),
                clock(one.since, asked.language),
                seen_at(desk, which, asked.language),
            )
            for which, one in sessions
        ],
        watching=f"{desk.address}/public",
        alone=desk.alone,
        chosen=desk.address,
        addresses=desk.addresses(),
        path=asked.store.path,
        copy=asked.store.copy,
        places=copy_places(removable_folders(), asked.store.path.parent),
    )


def seen_at(desk: Desk, which: str, language: Language) -> str:
    """The hour of a browser's last request; empty if none came since the program started."""
    at = desk.sessions.seen.get(which)
    return clock(at, language) if at else ""


def manage(asked: DeskContext, form: FormData) -> None:
    """Carry out a form of the page: renew a role's PIN, sign a browser out, choose an address, or keep a copy."""
    desk, what = asked.desk, form.get("act")
    role = next((one for one in ROLES[1:] if one == form.get("role")), None)
    place = next((one for one in removable_folders() if str(one) == form.get("place")), None)
    if what == "pin" and role is not None:
        desk.renew_pin(role)
    elif what == "out":
        desk.sessions.close(str(form.get("session", "")))
    elif what == "network":
        desk.chosen = str(form.get("network", ""))  # it counts while this laptop has it
    elif what == "copy" and place is not None:
        asked.store.copy_to(place, apart=True)
