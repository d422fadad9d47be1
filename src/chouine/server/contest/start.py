"""Pages for when no contest is open: continue one, open a new one, or restore one from its copy."""

from __future__ import annotations

import hmac
import secrets
import sqlite3
from asyncio import Lock
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp
from typing import Any, TypeVar, get_args

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from chouine.contest import ActRefused, ContestOpened
from chouine.contest.formula import Kind
from chouine.contest.log import LogLine
from chouine.phrases.catalogue import LANGUAGES
from chouine.season.acts import SeasonRules
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_file import named_in_refusals
from chouine.server.contest.contest_store import ContestStore, resume
from chouine.server.contest.desk import Desk, csrf_of
from chouine.server.contest.drill import open_drill
from chouine.server.contest.folders import SUFFIX, copy_places, free_path, newest_files, removable_folders
from chouine.server.contest.hall import (
    LARGEST_UPLOAD,
    HallContext,
    check_cookies,
    cookie_of,
    go,
    hall_application,
    line,
    sign_in,
)
from chouine.server.contest.season_app import opened_in, season_application
from chouine.server.contest.season_store import SUFFIX as SEASONS
from chouine.server.contest.season_store import SeasonStore
from chouine.server.contest.settings import settings_in
from chouine.server.contest.standing import clock, day
from chouine.server.request_parts import cookie_in

CLOUDS = ("onedrive", "dropbox", "google drive", "icloud", "nextcloud", "com~apple~clouddocs")
"""Beginnings of the names of folders that are synchronised."""
MOST = 20
"""Most contests listed, newest first."""
Kept = TypeVar("Kept", ContestStore, SeasonStore)


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
        self._scratch: Path | None = None
        self.desk: Starlette | None = None
        self.one_form = Lock()
        self.app = hall_application(
            [
                Route("/", self.page, methods=["GET", "POST"]),
                Route("/open", self.open_contest),
                Route("/stream", quiet),
                Route("/{page:path}", self.waiting, methods=["GET", "POST"]),
            ],
            uploads={"/": LARGEST_UPLOAD},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.desk or self.app)(scope, receive, send)

    @property
    def scratch(self) -> Path:
        """A folder for what is not kept: a contest to look at, a drill."""
        if self._scratch is None:
            self._scratch = Path(mkdtemp())
        return self._scratch

    @property
    def held(self) -> Desk | None:
        """The desk of the contest that is open; a season has none."""
        return getattr(self.desk.state, "desk", None) if self.desk else None

    def close(self) -> None:
        """Close the contest or the season, and forget what is not kept."""
        if self.desk is not None:
            (self.held or self.desk.state).store.close()
        if self._scratch is not None:
            rmtree(self._scratch, ignore_errors=True)

    async def open_contest(self, request: Request) -> Response:
        """Sign this laptop's browser in, by the address that the program opened."""
        if not hmac.compare_digest(request.query_params.get("key", "").encode(), self.opening.encode()):
            raise HTTPException(404)
        return sign_in("/", self.opening, self.opening)

    async def page(self, request: Request) -> Response:
        """The page with the contests to open; other devices are asked to wait."""
        cookie = cookie_in(request, cookie_of(self.opening))
        if not hmac.compare_digest(cookie.encode(), self.opening.encode()):
            check_cookies(request)
            return await self.waiting(request)
        asked = HallContext(request, csrf_of(cookie))
        if request.method == "POST":
            form = await asked.form()
            with asked.refusals():
                try:
                    return await self.open(form)
                except (OSError, sqlite3.Error) as error:
                    raise ActRefused("contest/disk", file=self.folder, why=error) from error
        return await asked.show(
            "contest/start.html",
            chosen={},
            folder=self.folder,
            why=asked.sentence,
            when=lambda one: (
                f"{day(one.lines[-1].at, asked.language)}, {clock(one.lines[-1].at, asked.language)}"
            ),
            kinds=get_args(Kind),
            synchronised=is_synchronised(self.folder),
            rules=SeasonRules(),
            **self.offers(),
        )

    def offers(self) -> dict[str, Any]:
        """The contests of the folder, and those of sticks whose last act is not on this laptop too."""
        unreadable, places = dict[str, ActRefused](), removable_folders()
        here, seasons = known_files(self.folder, unreadable), known_seasons(self.folder, unreadable)
        away = [(place, one) for place in places for one in known_files(place)]
        sticks = [(place, one) for place, one in away if not any(one.lines[-1] in own.lines for own in here)]
        seen = [("", one) for one in here] + away
        found = {"known": here, "unreadable": unreadable, "sticks": sticks, "seen": seen, "seasons": seasons}
        return {**found, "places": copy_places(places, self.folder)}

    async def waiting(self, request: Request) -> Response:
        """Any page of the desk before a contest is open: it reloads by itself."""
        return await HallContext(request).show("contest/closed.html", "/")

    async def open(self, form: FormData) -> Response:
        """Open the contest that a form names; of two forms sent at once, as by a double click, the first counts."""
        async with self.one_form:
            if self.desk is None:
                await self.serve(form)
        return go(f"/open?key={self.opening}")

    async def serve(self, form: FormData) -> None:
        """Serve the desk of the contest that a form names, or the season."""
        place = next((one for one in removable_folders() if str(one) == form.get("place")), None)
        makers = {
            "new": self.new,
            "copy": self.open_dropped,
            "stick": self.taken_up,
            "look": self.look,
            "drill": self.drill,
        }
        what = str(form.get("what"))
        if what == "season":
            season = await run_in_threadpool(self.season, form)
            self.desk = season_application(season, self.addresses)
            self.desk.state.opening = self.opening
            return
        store = await makers.get(what, self.open_existing)(form, place)
        self.desk = await run_in_threadpool(desk_application, store, self.addresses)
        desk: Desk = self.desk.state.desk
        desk.opening = self.opening  # the address in the terminal goes on signing in
        desk.drill, desk.looking = what == "drill", what == "look"
        if desk.looking:
            desk.sessions.known.clear()  # who works at the contest itself does not in this copy

    def season(self, form: FormData) -> SeasonStore:
        """Open a season of the folder, or make one."""
        if (name := str(form.get("file", ""))) in known_seasons(self.folder):
            return SeasonStore(self.folder / name)
        opened = opened_in(form)
        return SeasonStore.create(free_path(self.folder, opened.title, SEASONS), opened, "keeper")

    async def open_existing(self, form: FormData, place: Path | None) -> ContestStore:
        """Open a contest of the folder."""
        name = listed_file(self.folder, form)
        return await run_in_threadpool(lambda: with_copy(ContestStore(self.folder / name), place))

    async def new(self, form: FormData, place: Path | None) -> ContestStore:
        """Create a contest."""
        language = LANGUAGES.get(line(form, "language"), "fr")
        act = ContestOpened(commit="", language=language, **settings_in(form))
        path = free_path(self.folder, act.title)
        return await run_in_threadpool(lambda: with_copy(ContestStore.begin(path, act, "desk"), place))

    async def taken_up(self, form: FormData, place: Path | None) -> ContestStore:
        """Restore a contest from its copy on a stick, which remains the copy."""
        if place is None:
            raise ActRefused("contest/no-file", file="?")
        name = listed_file(place, form)
        return await run_in_threadpool(resume, place / name, free_path(self.folder, Path(name).stem))

    async def open_dropped(self, form: FormData, place: Path | None) -> ContestStore:
        """Restore a contest from an uploaded copy."""
        dropped, name = await self.dropped_file(form)

        def take() -> ContestStore:
            path = free_path(self.folder, Path(name).stem)
            with named_in_refusals(name):
                resume(dropped, path).close()
            return with_copy(ContestStore(path), place)

        return await run_in_threadpool(take)

    async def dropped_file(self, form: FormData) -> tuple[Path, str]:
        """An uploaded file, kept for a while, and its name. Raises `ActRefused` if there is none."""
        file = form.get("copy")
        if not isinstance(file, UploadFile) or not file.filename:
            raise ActRefused("contest/no-file", file="?")
        dropped = self.scratch / secrets.token_hex(8)
        dropped.write_bytes(await file.read())
        await file.close()
        return dropped, file.filename

    async def look(self, form: FormData, place: Path | None) -> ContestStore:
        """Open what a contest's file holds now, in a place of its own: the file itself is not touched."""
        if "file" not in form:
            dropped, name = await self.dropped_file(form)
            with named_in_refusals(name):
                return await run_in_threadpool(ContestStore, dropped)
        folder = place or self.folder
        found, seen = folder / listed_file(folder, form), self.scratch / secrets.token_hex(8)

        def take() -> ContestStore:
            for end in ("", "-journal"):  # the journal of an act that a power cut has interrupted
                with suppress(FileNotFoundError):
                    copyfile(f"{found}{end}", f"{seen}{end}")
            return ContestStore(seen)

        return await run_in_threadpool(take)

    async def drill(self, form: FormData, _: Path | None) -> ContestStore:
        """Open a drill: a made-up day at ten times the speed."""
        language = LANGUAGES.get(line(form, "language"), "fr")
        return await run_in_threadpool(open_drill, self.scratch, language)


def with_copy(store: ContestStore, folder: Path | None) -> ContestStore:
    """The contest, with its second copy in a folder if there is one."""
    if folder is not None:
        store.copy_to(folder)
    return store


async def quiet(_: Request) -> Response:
    """An empty stream for pages that an earlier desk has shown: they retry later."""
    return Response(status_code=204)


def opened_files(
    folder: Path, suffix: str, kind: type[Kept], faults: dict[str, ActRefused] | None = None
) -> Iterator[Kept]:
    """The files of this suffix, newest first, each open until the next is asked for.

    `faults`: gets the reason why a file cannot be opened, by its name.
    """
    for file in newest_files(folder, suffix)[:MOST]:
        try:
            with closing(kind(file)) as store:
                yield store
        except (ActRefused, OSError, sqlite3.Error) as fault:
            if faults is not None:
                disk = ActRefused("contest/disk", file=file, why=fault)
                faults[file.name] = fault if isinstance(fault, ActRefused) else disk


def known_files(folder: Path, faults: dict[str, ActRefused] | None = None) -> list[ContestFile]:
    """The contests in a folder; `faults` as above."""
    found = []
    for store in opened_files(folder, SUFFIX, ContestStore, faults):
        contest = store.contest
        title = contest.opened.title or store.path.stem
        found.append(ContestFile(store.path.name, title, len(contest.entrants), contest.lines))
    return found


def known_seasons(folder: Path, faults: dict[str, ActRefused] | None = None) -> dict[str, str]:
    """The titles of the seasons in a folder by their files' names; `faults` as above."""
    found = opened_files(folder, SEASONS, SeasonStore, faults)
    return {store.path.name: store.season.opened.title or store.path.stem for store in found}


def listed_file(folder: Path, form: FormData) -> str:
    """The file that a form names; `?`, which does not exist, for anything outside the list."""
    return next((one.name for one in known_files(folder) if one.name == form.get("file")), "?")


def is_synchronised(folder: Path) -> bool:
    """Whether a program such as OneDrive copies this folder elsewhere, and may hold its files while it does."""
    return any(part.casefold().startswith(CLOUDS) for part in folder.absolute().parts)
