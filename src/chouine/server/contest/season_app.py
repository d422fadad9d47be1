"""A season in the browser: the club's page, where anybody may register, and the keeper's pages."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from chouine.contest.acts import Erased, Undone
from chouine.contest.lists import read_rows
from chouine.contest.people import LONGEST, Names, person_named
from chouine.errors import ChouineError
from chouine.names import display_name, display_text
from chouine.phrases import say
from chouine.season import CATEGORIES
from chouine.season.acts import (
    Announced,
    BookingCancelled,
    FeePaid,
    MemberSet,
    Merged,
    Points,
    Ruled,
    SeasonOpened,
    SeasonRules,
)
from chouine.season.members import iso_day, list_members
from chouine.season.results import EveningResults, look_alikes
from chouine.season.state import Season
from chouine.server.contest.app import LARGEST_UPLOAD, hall_application
from chouine.server.contest.desk import csrf_of
from chouine.server.contest.folders import free_path
from chouine.server.contest.joining import sign_in
from chouine.server.contest.request import check_cookies, check_csrf, cookie_of, go, line, number, visit_of
from chouine.server.contest.season_site import (
    LABELS,
    categories,
    club_page,
    coming_evenings,
    common_variables,
    evening_page,
    log_rows,
    members_table,
    ranked_lines,
    ranking_table,
)
from chouine.server.contest.season_store import SeasonStore, Step, enter_booked, fetch_results, results_in
from chouine.server.contest.settings import cents
from chouine.server.contest.spreadsheet import download, read_file
from chouine.server.limits import Limits, Rate, address_of
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.proxies import NO_PROXIES, Proxies
from chouine.server.request_parts import cookie_in
from chouine.server.site import Site

REGISTRATIONS = Rate(20, 3600)
"""Registrations from one address: a family, or a hall behind one router, but no flood."""
MOST_WAITING = 200
"""Longest waiting list that the club's page adds to."""


def season_application(
    store: SeasonStore,
    addresses: Callable[[], Sequence[str]] = lambda: ("http://127.0.0.1",),
    site: Site | None = None,
    proxies: Proxies = NO_PROXIES,
) -> Starlette:
    """The application for an open season; `site` and `proxies` as for a server of tables."""
    app = hall_application(
        [
            Route("/", club),
            Route("/evening/{nth:int}", evening),
            Route("/register/{evening:int}", register, methods=["GET", "POST"]),
            Route("/cancel/{evening:int}/{code}", cancel, methods=["GET", "POST"]),
            Route("/open", open_keeper),
            Route("/keep", keep, methods=["GET", "POST"]),
            Route("/keep/people", keep, methods=["GET", "POST"]),
            Route("/keep/next", keep, methods=["GET", "POST"]),
            Route("/print/ranking", print_page),
            Route("/print/poster/{evening:int}", print_page),
            Route("/{what}.{kind}", export),
        ],
        dict.fromkeys(("/keep", "/keep/people"), LARGEST_UPLOAD),
        site,
        proxies,
    )
    app.state.store, app.state.addresses = store, addresses
    app.state.opening = store.opening()
    """The secret in the address that the program has opened; by default the file's, which signs in anyway."""
    return app


def store_of(request: Request) -> SeasonStore:
    """The season, with what other processes have written to its file."""
    store: SeasonStore = request.app.state.store
    store.refresh()
    return store


def is_keeper(request: Request) -> bool:
    """Whether the browser was signed in by the address that the program opened."""
    store = store_of(request)
    return hmac.compare_digest(cookie_in(request, cookie_of(store.path)).encode(), store.opening().encode())


async def open_keeper(request: Request) -> Response:
    """Sign the keeper's browser in."""
    store = store_of(request)
    key = request.query_params.get("key", "").encode()
    if not any(
        hmac.compare_digest(key, one.encode()) for one in (store.opening(), request.app.state.opening)
    ):
        raise HTTPException(404)
    return sign_in("/keep", store.opening(), store.path)


async def club(request: Request) -> Response:
    """The club's page."""
    store = store_of(request)
    page = club_page(visit_of(request), store.season, store.people, at=datetime.now(), served=True)  # noqa: DTZ005
    return HTMLResponse(page)


async def evening(request: Request) -> Response:
    """The ranking of an evening."""
    store, nth = store_of(request), request.path_params["nth"]
    if not 1 <= nth <= len(store.season.evenings):
        raise HTTPException(404)
    return HTMLResponse(evening_page(visit_of(request), store.season, store.people, nth, served=True))


async def register(request: Request) -> Response:
    """Register for an announced evening; the answer has the address that cancels it."""
    store, asked = store_of(request), request.path_params["evening"]
    found = dict(coming_evenings(store.season, datetime.now())).get(asked)  # noqa: DTZ005
    if found is None:
        raise HTTPException(404)
    refused, made, form = "", None, FormData()
    if request.method == "POST":
        form = await request.form(max_files=0, max_fields=10)
        limits: Limits = request.app.state.limits
        full = len(found.waiting) >= MOST_WAITING
        if full or not limits.windows.hit(REGISTRATIONS, "register", address_of(request.scope)):
            raise HTTPException(429)
        try:
            person = person_named(line(form, "name"), line(form, "village"))
            made = await run_in_threadpool(store.book, asked, person, "page")
        except ChouineError as error:
            refused = say(error.code, visit_of(request).language, **error.data)
    return public_page(request, "register.html", evening=asked, refused=refused, made=made, typed=form)


async def cancel(request: Request) -> Response:
    """Cancel a registration, once asked for on the page that the address opens."""
    store, asked, code = store_of(request), request.path_params["evening"], request.path_params["code"]
    done = False
    try:
        booked = store.booked_under(asked, code)
        if request.method == "POST":
            await run_in_threadpool(store.do, BookingCancelled(asked, booked), "page")
            done = True
    except ChouineError as error:
        raise HTTPException(404) from error
    return public_page(request, "cancel.html", evening=asked, done=done, refused="")


def public_page(request: Request, template: str, evening: int, **context: object) -> Response:
    store, visit = store_of(request), visit_of(request)
    html = render(
        visit,
        f"season/{template}",
        here=request.url.path,
        season=store.season,
        next=store.season.next_evening(evening),
        evening=evening,
        **common_variables(visit.language),
        **context,
    )
    return HTMLResponse(html, 422 if context["refused"] else 200)


async def keep(request: Request) -> Response:
    """The keeper's pages: evenings and the log, people, the next evening. What a form asks for is in its `act`."""
    if not is_keeper(request):
        check_cookies(request)
        raise HTTPException(404)
    store, visit, refused = store_of(request), visit_of(request), ""
    csrf = csrf_of(store.opening())
    told: list[str] = []
    if request.method == "POST":
        form = await request.form(max_files=20, max_fields=100)
        check_csrf(form, csrf)
        try:
            files = [await one.read() for one in form.getlist("file") if isinstance(one, UploadFile)]
            told = await run_in_threadpool(carry_out, store, form, [*filter(None, files)], visit)
        except ChouineError as error:
            refused = say(error.code, visit.language, **error.data)
        finally:
            await form.close()
        if not refused and not told:
            return go(request.url.path)
    return keeper_page(request, request.url.path.rpartition("/")[2], csrf, refused, told)


def keeper_page(request: Request, part: str, csrf: str, refused: str, told: Sequence[str]) -> Response:
    store, visit = store_of(request), visit_of(request)
    season, people = store.season, store.people
    html = render(
        visit,
        f"season/{part}.html",
        here=request.url.path,
        season=season,
        people=people,
        csrf=csrf,
        refused=refused,
        told=told,
        rankings=[
            (one, LABELS[one], ranked_lines(season, people, one)) for one in categories(season, people)
        ],
        alike=look_alikes(season, people),
        nexts=coming_evenings(season, datetime.now()),  # noqa: DTZ005
        evenings=season.evenings,
        evening_at=lambda nth: f"/evening/{nth}",
        log=log_rows(season, people, visit.language),
        year=datetime.now(UTC).year,
        numbered=True,
        names=Names(people, season.people),
        code=store.token,
        **common_variables(visit.language),
    )
    return HTMLResponse(html, 422 if refused else 200)


def carry_out(store: SeasonStore, form: FormData, files: list[bytes], visit: Visit) -> list[str]:
    """Carry out a keeper's form, and return sentences to show. Raises `ChouineError`."""
    by, who, asked = "keeper", number(form, "number", 999_999), number(form, "evening", 999_999)
    match str(form.get("act", "")):
        case "take":
            for sheet in results_from(form, files):
                store.take(sheet, by)
        case "merge":
            store.do(Merged(who, number(form, "other", 999_999), reason(form)), by)
        case "rules":
            store.do(Ruled(rules_in(form), reason(form)), by)
        case "undo":
            store.do(Undone(number(form, "n", 999_999), reason(form)), by)
        case "list":
            listing = read_rows(read_file(files[0] if files else str(form.get("text", "")).encode()))
            year = number(form, "year")
            store.do(lambda season, people: list_members(season, people, listing, year), by)
            return [
                say("saison/listed", visit.language, num=len(listing.people)),
                *(
                    say(
                        "saison/row",
                        visit.language,
                        row=row,
                        why=say(fault.code, visit.language, **fault.data),
                    )
                    for row, fault in listing.faults
                ),
            ]
        case "member":
            store.do(lambda season, _: member_in(form, season, who), by)
        case "fee":
            store.do(FeePaid(who, number(form, "year"), cents(line(form, "paid"))), by)
        case "erase":
            store.do(Erased(who), by)
        case "announce":
            day, place, title = line(form, "day"), line(form, "place"), line(form, "title")
            store.do(Announced(day, place, title, cents(line(form, "fee")), number(form, "seats"), asked), by)
        case "book":
            person = person_named(line(form, "name"), line(form, "village"))
            _, code, waits = store.book(asked, person, by)
            return [
                say(
                    "saison/waits" if waits else "saison/booked",
                    visit.language,
                    name=person.name,
                    letters=code,
                )
            ]
        case "door":
            path = free_path(store.path.parent, season_title(store, asked))
            num = enter_booked(store, asked, path, by)
            return [say("saison/door", visit.language, num=num, file=path)]
        case "cancel":
            store.do(BookingCancelled(asked, who), by)
        case _:
            raise HTTPException(400)
    return []


def results_from(form: FormData, files: list[bytes]) -> list[EveningResults]:
    """The evenings of a form: its files, what was pasted, or an address."""
    club, text = line(form, "club"), str(form.get("text", "")).strip()
    found: list[EveningResults] = []
    with TemporaryDirectory() as folder:
        for nth, content in enumerate(files):
            path = Path(folder) / str(nth)
            path.write_bytes(content)
            found += results_in(content, path, club)
    if text.startswith("http"):
        found += fetch_results(text, club)
    elif text or not files:
        found += results_in(text.encode(), Path(), club)
    return found


def opened_in(form: FormData) -> SeasonOpened:
    """The first act of a season that a form describes. Raises `ChouineError`."""
    return SeasonOpened(display_name(line(form, "title"), LONGEST), line(form, "club"), rules_in(form))


def rules_in(form: FormData) -> SeasonRules:
    """How a form would have a season counted."""
    places = tuple(map(int, re.findall(r"[0-9]{1,4}", line(form, "places"))))
    points = Points(places, number(form, "win"), number(form, "presence"))
    return SeasonRules(points, number(form, "best"), number(form, "squad"))


def season_title(store: SeasonStore, evening: int) -> str:
    """What the file of an evening's contest is named after."""
    announced = store.season.next_evening(evening).announced
    return f"{announced.title or store.season.opened.title} {announced.day[:10]}"


def reason(form: FormData) -> str:
    return display_text(line(form, "reason"), LONGEST)


def member_in(form: FormData, season: Season, who: int) -> Step:
    """The act of a form about a person, 0 for a new one, and the name. Raises `ChouineError`."""
    person = person_named(line(form, "name"), line(form, "village"))
    found = who or season.next_number
    since = iso_day(line(form, "since")) if line(form, "since") else ""
    act = MemberSet(found, "lady" in form, "junior" in form, since, "consent" in form)
    return act, {season.number_of(found) if who else found: person}


async def print_page(request: Request) -> Response:
    """On paper: the ranking with full names for the hall, or the poster of an announced evening."""
    store, visit = store_of(request), visit_of(request)
    asked = request.path_params.get("evening")
    if (asked is None and not is_keeper(request)) or (asked is not None and asked not in store.season.nexts):
        raise HTTPException(404)
    address = f"{request.app.state.addresses()[0]}/register/{asked}"
    html = render(
        visit,
        "season/poster.html" if asked else "season/paper.html",
        here=request.url.path,
        season=store.season,
        rankings=[
            (one, LABELS[one], ranked_lines(store.season, store.people, one))
            for one in (categories(store.season, store.people) if asked is None else ())
        ],
        next=store.season.next_evening(asked) if asked else None,
        address=address,
        code=code_of(address),
        numbered=False,
        **common_variables(visit.language),
    )
    return HTMLResponse(html)


async def export(request: Request) -> Response:
    """A ranking or the members, as CSV or `.ods`, for the keeper."""
    what, kind, store = request.path_params["what"], request.path_params["kind"], store_of(request)
    if not is_keeper(request) or kind not in ("csv", "ods") or what not in ("members", *CATEGORIES):
        raise HTTPException(404)
    spoken = visit_of(request).language
    category = next((one for one in CATEGORIES if one == what), None)
    rows = ranking_table(store, category, spoken) if category else members_table(store, spoken)
    return download(rows, what, kind)
