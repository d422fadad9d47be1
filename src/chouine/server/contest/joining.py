"""Signing in to the desk: its own browser, others with their role's PIN; and each browser's language."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.contest import ActRefused
from chouine.phrases import say
from chouine.phrases.catalogue import LANGUAGES
from chouine.server.contest.desk import LASTING, ROLES, Desk, Role
from chouine.server.contest.folders import removable_folders
from chouine.server.contest.request import (
    LANGUAGE,
    LARGE,
    SIGNED_IN,
    SIZE,
    DeskRequest,
    cookie_of,
    desk_name,
    go,
    line,
    visit_of,
)
from chouine.server.contest.standing import clock
from chouine.server.forms import local
from chouine.server.limits import address_of
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render

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


def sign_in(address: str, cookie: str, what: object) -> Response:
    """Give a browser its cookie for this contest's file (see `cookie_of`) and lead it to an address."""
    response = go(f"{address}?{SIGNED_IN}")
    response.set_cookie(cookie_of(what), cookie, httponly=True, samesite="strict", max_age=LASTING)
    return response


async def join(request: Request) -> Response:
    """Sign another device in, with a role and its PIN."""
    desk: Desk = request.app.state.desk
    visit, refused, label = visit_of(request), "", ""
    asked, pin = request.query_params.get("role", ""), request.query_params.get("pin", "")
    if request.method == "POST":
        form = await request.form(max_files=0, max_fields=10)
        asked = str(form.get("role", ""))
        role: Role = next((one for one in ROLES if one == asked), "desk")
        pin, address = str(form.get("pin", "")).strip(), address_of(request.scope)
        label = line(form, "label")[:LONGEST_LABEL]
        try:
            desk.check_pin(role, pin, address)
            cookie = await run_in_threadpool(desk.sessions.open, role, desk.name(role), label, address)
        except ActRefused as error:
            refused = say(error.code, visit.language, **error.data)
        else:
            return sign_in("/screen" if role == "screen" else "/", cookie, desk.store.path)
    html = render(
        visit,
        "contest/join.html",
        here="/join",
        roles=ROLES[1:],
        asked=asked,
        longest=LONGEST_LABEL,
        pin=pin,
        label=label,
        refused=refused,
    )
    return HTMLResponse(html, 422 if refused else 200)


async def language(request: Request) -> Response:
    """Switch this browser's language."""
    return await choose(request, LANGUAGE, lambda form: LANGUAGES.get(str(form.get("language")), "fr"))


async def larger(request: Request) -> Response:
    """Switch this browser's size of text."""
    return await choose(request, SIZE, lambda form: LARGE if form.get("large") else "")


async def choose(request: Request, cookie: str, chosen: Callable[[FormData], str]) -> Response:
    """Keep a browser's choice in a cookie and lead back to its page."""
    form = await request.form(max_files=0, max_fields=10)
    response = go(local(str(form.get("back", "/"))))
    response.set_cookie(cookie, chosen(form), max_age=365 * 24 * 3600)
    return response


async def desks(request: Request) -> Response:
    """The page on how others join (address, PINs, QR codes), who is signed in, and where the file's copy is kept."""
    asked = DeskRequest.of(request)
    asked.check("sign in")
    refused = ""
    if request.method == "POST":
        form = await asked.form()
        try:
            await run_in_threadpool(manage, asked, form)
        except ActRefused as error:
            refused = asked.refusal_text(error)
        else:
            return go("/desks")
    desk = asked.desk
    sessions = sorted(desk.sessions.known.items(), key=lambda one: (ROLES.index(one[1].role), one[1].since))
    return asked.page(
        "desks.html",
        refused=refused,
        address=f"{desk.address}/join",
        joining=[
            (role, pin, code_of(f"{desk.address}/join?role={role}&pin={pin}"), desk.wrong.many(role) > MANY)
            for role, pin in desk.pins.items()
        ],
        signed_in=[
            (which, one, desk_name(one.name, asked.visit.language), clock(one.since), seen_at(desk, which))
            for which, one in sessions
        ],
        watching=f"{desk.address}/public",
        alone=desk.alone,
        chosen=desk.address,
        addresses=desk.addresses(),
        path=asked.store.path,
        copy=asked.store.copy,
        places=removable_folders(),
    )


def seen_at(desk: Desk, which: str) -> str:
    """The hour of a browser's last request; empty if none came since the program started."""
    at = desk.sessions.seen.get(which)
    return clock(at) if at else ""


def manage(asked: DeskRequest, form: FormData) -> None:
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
