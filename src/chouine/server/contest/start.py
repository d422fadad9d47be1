"""Pages for when no contest is open: continue one, open a new one, or restore one from its copy."""

from __future__ import annotations

import hmac
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from chouine.days import day_of
from chouine.desk.contest_store import ContestStore, resume
from chouine.desk.former import SUFFIX
from chouine.desk.people import LONGEST
from chouine.desk.places import removable
from chouine.errors import ChouineError
from chouine.names import display_name, plain_name
from chouine.phrases import say
from chouine.plaintext import split_lines
from chouine.server.contest.app import BUSY, LARGEST_UPLOAD, PER_ADDRESS, desk_application, refused
from chouine.server.contest.joining import language, sign_in
from chouine.server.contest.request import check_cookies, cookie_of, go, line, number, visit_of
from chouine.server.contest.standing import clock, day
from chouine.server.cookies import cookie_in
from chouine.server.guard import Guard, Packed
from chouine.server.limits import Limits
from chouine.server.pages.env import STATIC, render
from chouine.tournament import ActRefused, ContestOpened, Formula, commit, formula_for
from chouine.tournament.formula import APART, Kind
from chouine.tournament.log import LogLine

MOST = 20
"""Most contests listed, newest first."""


@dataclass(frozen=True, slots=True)
class ContestFile:
    """A contest's file in the folder."""

    name: str
    title: str
    entries: int
    lines: tuple[LogLine, ...]


class Start:
    """The application of `chouine concours` without a file: this page, then the desk of the contest opened."""

    def __init__(self, folder: Path, addresses: Callable[[], Sequence[str]]) -> None:
        self.folder, self.addresses = folder, addresses
        self.opening = secrets.token_urlsafe(16)
        self.desk: Starlette | None = None
        limits = Limits(PER_ADDRESS, BUSY)
        self.app = Starlette(
            routes=[
                Route("/", self.page, methods=["GET", "POST"]),
                Route("/open", self.opened),
                Route("/language", language, methods=["POST"]),
                Route("/stream", quiet),
                Mount("/static", StaticFiles(directory=STATIC)),
                Route("/{page:path}", self.waiting, methods=["GET", "POST"]),
            ],
            middleware=[
                Middleware(Guard, limits=limits, uploads={"/": LARGEST_UPLOAD}),
                Middleware(Packed, minimum_size=1000),
            ],
            exception_handlers={HTTPException: refused},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.desk or self.app)(scope, receive, send)

    async def opened(self, request: Request) -> Response:
        """Sign this laptop's browser in, by the address that the program opened."""
        if not hmac.compare_digest(request.query_params.get("key", "").encode(), self.opening.encode()):
            raise HTTPException(404)
        return sign_in("/", self.opening, self.opening)

    async def page(self, request: Request) -> Response:
        """The page with the contests to open; other devices are asked to wait."""
        visit = visit_of(request)
        cookie = cookie_in(request, cookie_of(self.opening))
        if not hmac.compare_digest(cookie.encode(), self.opening.encode()):
            check_cookies(request)
            return await self.waiting(request)
        token, why, typed = hmac.digest(cookie.encode(), b"csrf", "sha256").hex(), "", FormData()
        if request.method == "POST":
            typed = await request.form(max_files=1, max_fields=60)
            if not hmac.compare_digest(str(typed.get("csrf", "")).encode(), token.encode()):
                raise HTTPException(403, "csrf")
            try:
                return await self.open(typed)
            except ChouineError as error:
                why = say(error.code, visit.language, **error.data)
            except (OSError, sqlite3.Error) as error:
                why = say("contest/disk", visit.language, file=self.folder, why=error)
        html = render(
            visit,
            "contest/start.html",
            here="/",
            csrf=token,
            refused=why,
            typed=typed,
            folder=self.folder,
            when=lambda one: f"{day(one.lines[-1].at, visit.language)}, {clock(one.lines[-1].at)}",
            kinds=get_args(Kind),
            **self.offers(),
        )
        return HTMLResponse(html, 422 if why else 200)

    def offers(self) -> dict[str, Any]:
        """The contests of the folder, and those of sticks whose last act is not on this laptop too."""
        here, places = known(self.folder), removable()
        away = [(place, one) for place in places for one in known(place)]
        sticks = [(place, one) for place, one in away if not any(one.lines[-1] in own.lines for own in here)]
        return {"known": here, "places": places, "sticks": sticks}

    async def waiting(self, request: Request) -> Response:
        """Any page of the desk before a contest is open: it reloads by itself."""
        return HTMLResponse(render(visit_of(request), "contest/closed.html", here="/"))

    async def open(self, form: FormData) -> Response:
        """Open the contest that a form names, and serve its desk."""
        place = next((one for one in removable() if str(one) == form.get("place")), None)
        makers = {"new": self.new, "copy": self.dropped, "stick": self.taken_up}
        store = await makers.get(str(form.get("what")), self.old)(form, place)
        self.desk = await run_in_threadpool(desk_application, store, self.addresses)
        self.desk.state.desk.opening = self.opening  # the address in the terminal goes on signing in
        return go(f"/open?key={self.opening}")

    async def old(self, form: FormData, place: Path | None) -> ContestStore:
        """Open a contest of the folder."""
        name = listed(self.folder, form)
        return await run_in_threadpool(lambda: with_copy(ContestStore(self.folder / name), place))

    async def new(self, form: FormData, place: Path | None) -> ContestStore:
        """Create a contest, with a seed from the system's random source."""
        seed = secrets.token_hex(32)
        fee, meal = cents(line(form, "fee")), cents(line(form, "meal"))
        act = ContestOpened(
            formula_in(form),
            commit(seed),
            display_name(line(form, "title"), LONGEST),
            fee,
            meal,
            rooms_in(str(form.get("rooms", ""))),
        )
        path = free(self.folder, act.title)
        return await run_in_threadpool(lambda: with_copy(ContestStore.create(path, act, seed, "desk"), place))

    async def taken_up(self, form: FormData, place: Path | None) -> ContestStore:
        """Restore a contest from its copy on a stick, which remains the copy."""
        if place is None:
            raise ActRefused("contest/no-file", file="?")
        name = listed(place, form)
        return await run_in_threadpool(resume, place / name, free(self.folder, Path(name).stem))

    async def dropped(self, form: FormData, place: Path | None) -> ContestStore:
        """Restore a contest from an uploaded copy."""
        file = form.get("copy")
        if not isinstance(file, UploadFile) or not file.filename:
            raise ActRefused("contest/no-file", file="?")
        content = await file.read()
        await file.close()

        def take() -> ContestStore:
            with TemporaryDirectory() as folder:
                dropped = Path(folder) / "copy"
                dropped.write_bytes(content)
                path = free(self.folder, Path(str(file.filename)).stem)
                resume(dropped, path).close()
            return with_copy(ContestStore(path), place)

        return await run_in_threadpool(take)


def with_copy(store: ContestStore, folder: Path | None) -> ContestStore:
    """The contest, with its second copy in a folder if there is one."""
    if folder is not None:
        store.copy_to(folder)
    return store


async def quiet(_: Request) -> Response:
    """An empty stream for pages that an earlier desk has shown: they retry later."""
    return Response(status_code=204)


def known(folder: Path) -> list[ContestFile]:
    """The contests in a folder, newest first; other files are skipped."""
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
    return list(described(files[:MOST]))


def listed(folder: Path, form: FormData) -> str:
    """The file that a form names; `?`, which does not exist, for anything outside the list."""
    return next((one.name for one in known(folder) if one.name == form.get("file")), "?")


def described(files: list[Path]) -> Iterator[ContestFile]:
    for file in files:
        with suppress(ActRefused, OSError, sqlite3.Error), closing(ContestStore(file)) as store:
            contest = store.contest
            yield ContestFile(
                file.name, contest.opened.title or file.stem, len(contest.entrants), contest.lines
            )


def free(folder: Path, title: str) -> Path:
    """The path of a file that does not exist yet, named after a title."""
    stem = (
        re.sub(r"[^a-z0-9]+", "-", plain_name(title)).strip("-")[:60]
        or f"concours-{day_of(datetime.now(UTC), None)}"
    )
    names = (f"{stem}{SUFFIX}" if nth == 1 else f"{stem}-{nth}{SUFFIX}" for nth in range(1, 1000))
    return next(folder / name for name in names if not (folder / name).exists())


def cents(text: str) -> int:
    """Parse `12`, `12,50` or `12.5` euros as cents; 0 for an empty text. Raises `ActRefused`."""
    found = re.fullmatch(r"(\d{1,4})(?:[.,](\d{1,2}))?\s*€?", text or "0", re.ASCII)
    if not found:
        raise ActRefused("contest/price", price=text)
    return 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0"))


def rooms_in(text: str) -> tuple[tuple[str, int], ...]:
    """Parse rooms and their tables, one a line: `Salle des fêtes: 30`. Raises `ActRefused`."""
    rooms = []
    for room in filter(None, (" ".join(one.split()) for one in split_lines(text))):
        found = re.fullmatch(r"(.{1,40}?)[\s:,;=]+(\d{1,3})", room, re.ASCII)
        if not found:
            raise ActRefused("contest/room", room=room[:80])
        rooms.append((found[1], int(found[2])))
    return tuple(rooms)


def formula_in(form: FormData) -> Formula:
    """The contest's formula from a form. Raises `ActRefused` if choices conflict."""
    kind: Kind = next((one for one in get_args(Kind) if one == form.get("kind")), "lavardin")
    choices: dict[str, Any] = {"consolante": "none", "apart": tuple(one for one in APART if one in form)}
    choices |= texts(form, {"matches": "matches", "consolante-matches": "consolante_matches"})
    if kind in {"lavardin", "tree"}:
        choices["consolante"] = str(form.get("consolante", "first"))
        if choices["consolante"] == "hour":
            choices["hour"] = hour(line(form, "hour"))
    choices |= {name: given for name in ("rounds", "pool", "qualify") if (given := number(form, name, 99))}
    members = 2 if "teams" in form else 1
    return formula_for(kind, min(max(number(form, "seats", 4), 2), 4), members=members, **choices)


def texts(form: FormData, fields: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Formats of successive rounds as text."""
    return {name: tuple(line(form, field).split()) for field, name in fields.items() if line(form, field)}


def hour(text: str) -> int:
    """Parse `2027-03-07T16:30` by this laptop's clock, as milliseconds since 1970. Raises `ActRefused`."""
    try:
        return round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as fault:
        raise ActRefused("contest/hour") from fault
