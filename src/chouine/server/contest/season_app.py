"""A season in the browser: the club's page, where anybody may register, and the keeper's pages."""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from secrets import token_urlsafe

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chouine.contest.acts import Erased, Undone
from chouine.contest.lists import read_rows
from chouine.contest.people import LONGEST, Names, person_named
from chouine.errors import ActRefused, ChouineError
from chouine.names import display_name, display_text
from chouine.phrases import say, translations
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
from chouine.season.results import EveningResults, look_alikes, read_results
from chouine.season.state import Season
from chouine.server.contest.desk import csrf_of
from chouine.server.contest.folders import free_path
from chouine.server.contest.hall import (
    LARGEST_UPLOAD,
    HallContext,
    check_cookies,
    cookie_of,
    digest_of,
    go,
    hall_application,
    line,
    number,
    sign_in,
)
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
from chouine.server.contest.season_store import (
    Registration,
    SeasonStore,
    Step,
    enter_booked,
    fetch_results,
    results_of_bytes,
)
from chouine.server.contest.settings import cents
from chouine.server.contest.spreadsheet import download, read_file
from chouine.server.limits import Limits, Rate, address_of
from chouine.server.pages.codes import code_of
from chouine.server.proxies import NO_PROXIES, Proxies
from chouine.server.request_parts import cookie_in
from chouine.server.site import Site

REGISTRATIONS = Rate(20, 3600)
"""Registrations from one address: a family, or a hall behind one router, but no flood."""
REMEMBERED = 1000
"""Registrations whose answer is given again."""
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
    app.state.registered, app.state.registering = {}, asyncio.Lock()
    """What acts the last forms were, and whose turn it is: see `register_once`."""
    app.state.opening = store.opening()
    """The secret in the address that the program has opened; by default the file's, which signs in anyway."""
    return app


class SeasonContext(HallContext):
    """A request to a season, as its file is now, other processes' acts included."""

    def __init__(self, request: Request) -> None:
        self.store: SeasonStore = request.app.state.store
        self.store.refresh()
        self.season, self.people = self.store.season, self.store.people
        cookie = cookie_in(request, cookie_of(self.store.path))
        self.is_keeper = hmac.compare_digest(cookie.encode(), self.store.opening().encode())
        """Whether the browser was signed in by the address that the program opened."""
        super().__init__(request, csrf_of(self.store.opening()) if self.is_keeper else "")

    async def show(self, template: str, here: str = "", **values: object) -> Response:
        """A page of the season as this request has left it."""
        words = common_variables(self.language)
        return await super().show(f"season/{template}", here, season=self.store.season, **words, **values)


async def open_keeper(request: Request) -> Response:
    """Sign the keeper's browser in."""
    store = SeasonContext(request).store
    key = request.query_params.get("key", "").encode()
    if not any(
        hmac.compare_digest(key, one.encode()) for one in (store.opening(), request.app.state.opening)
    ):
        raise HTTPException(404)
    return sign_in("/keep", store.opening(), store.path)


async def club(request: Request) -> Response:
    """The club's page."""
    asked = SeasonContext(request)
    at = datetime.now()  # noqa: DTZ005
    return await asked.page(club_page(asked.visit, asked.season, asked.people, at=at, served=True))


async def evening(request: Request) -> Response:
    """The ranking of an evening."""
    asked, nth = SeasonContext(request), request.path_params["nth"]
    if not 1 <= nth <= len(asked.season.evenings):
        raise HTTPException(404)
    return await asked.page(evening_page(asked.visit, asked.season, asked.people, nth, served=True))


async def register(request: Request) -> Response:
    """Register for an announced evening; the answer has the address that cancels it."""
    asked, which = SeasonContext(request), request.path_params["evening"]
    found = dict(coming_evenings(asked.season, datetime.now())).get(which)  # noqa: DTZ005
    if found is None:
        raise HTTPException(404)
    made = None
    if request.method == "POST":
        form = await asked.form(10, files=0)
        with asked.refusals():
            made = await register_once(asked, which, form)
    next_, sheet = asked.store.season.next_evening(which), token_urlsafe(12)
    return await asked.show("register.html", evening=which, next=next_, made=made, sheet=sheet)


async def register_once(asked: SeasonContext, evening: int, form: FormData) -> Registration:
    """Register whom a form names; one sent again as it was finds what it did, if that stands. Raises `ActRefused`."""
    state = asked.request.app.state
    limits: Limits = state.limits
    registered: dict[str, int] = state.registered
    sheet, name, village = (line(form, each) for each in ("sheet", "name", "village"))
    key = digest_of([str(evening), sheet, name, village])  # no name is kept here
    async with state.registering:  # also a form that is sent twice at once
        if sheet and key in registered and (found := asked.store.registration(registered[key])):
            return found
        if not limits.windows.hit(REGISTRATIONS, "register", address_of(asked.request.scope)):
            raise ActRefused("season/too-fast")
        made = await run_in_threadpool(
            asked.store.book, evening, person_named(name, village), "page", MOST_WAITING
        )
        registered[key] = made.act
        if len(registered) > REMEMBERED:
            registered.pop(next(iter(registered)))
        return made


async def cancel(request: Request) -> Response:
    """Cancel a registration, once asked for on the page that the address opens."""
    asked, which = SeasonContext(request), request.path_params["evening"]
    try:
        booked = asked.store.booked_under(which, request.path_params["code"])
        done = booked not in asked.season.next_evening(which).bookings
        if request.method == "POST" and not done:
            await run_in_threadpool(asked.store.do, BookingCancelled(which, booked), "page")
            done = True
    except ChouineError as error:
        raise HTTPException(404) from error
    return await asked.show("cancel.html", next=asked.store.season.next_evening(which), done=done)


async def keep(request: Request) -> Response:
    """The keeper's pages: evenings and the log, people, the next evening. What a form asks for is in its `act`."""
    asked, told = SeasonContext(request), list[str]()
    if not asked.is_keeper:
        check_cookies(request)
        raise HTTPException(404)
    if request.method == "POST":
        form = await asked.form(files=20)
        try:
            with asked.refusals():
                if page := await first_asked(asked, form):
                    return page
                sent = [one for one in form.getlist("file") if isinstance(one, UploadFile) and one.size]
                files = [(one.filename or "?", await one.read()) for one in sent]
                told = await run_in_threadpool(carry_out, asked, form, files)
                if not told:
                    return go(request.url.path)
        finally:
            await form.close()
    season, people = asked.store.season, asked.store.people
    return await asked.show(
        f"{request.url.path.rpartition('/')[2]}.html",
        people=people,
        told=told,
        rankings=[
            (one, LABELS[one], ranked_lines(season, people, one)) for one in categories(season, people)
        ],
        alike=look_alikes(season, people),
        nexts=coming_evenings(season, datetime.now()),  # noqa: DTZ005
        evenings=season.evenings,
        evening_at=lambda nth: f"/evening/{nth}",
        log=log_rows(season, people, asked.language),
        year=datetime.now(UTC).year,
        numbered=True,
        names=Names(people, season.people),
        code=asked.store.token,
    )


async def first_asked(asked: SeasonContext, form: FormData) -> Response | None:
    """The page that asks whether to erase a name, which nothing brings back; None for other acts, and once answered."""
    which = number(form, "number", 999_999)
    if form.get("act") != "erase" or which not in asked.people:
        return None
    gettext, name = translations(asked.language).gettext, f"{which} {asked.people[which].name}"
    told = [
        gettext("%(name)s: the name and the village are erased. Number and results stay.") % {"name": name},
        gettext("Nothing brings the name back."),
    ]
    return await asked.ask(form, told, act="erase", number=str(which))


def carry_out(asked: SeasonContext, form: FormData, files: Sequence[tuple[str, bytes]]) -> list[str]:
    """Carry out a keeper's form, and return sentences to show. Raises `ChouineError`."""
    store, by, language = asked.store, "keeper", asked.language
    who, evening = number(form, "number", 999_999), number(form, "evening", 999_999)
    match str(form.get("act", "")):
        case "take":
            faults = store.take(results_from(form, files), by)
            return [*map(asked.sentence, faults)]
        case "merge":
            store.do(Merged(who, number(form, "other", 999_999), reason(form)), by)
        case "rules":
            store.do(Ruled(rules_in(form), reason(form)), by)
        case "undo":
            store.do(Undone(number(form, "n", 999_999), reason(form)), by)
        case "list":
            listing = read_rows(read_file(files[0][1] if files else str(form.get("text", "")).encode()))
            year = number(form, "year")
            store.do(lambda season, people: list_members(season, people, listing, year), by)
            told = [say("saison/listed", language, num=len(listing.people))]
            for row, fault in listing.faults:
                told.append(say("saison/row", language, row=row, why=asked.sentence(fault)))
            return told
        case "member":
            store.do(lambda season, _: member_in(form, season, who), by)
        case "fee":
            store.do(FeePaid(who, number(form, "year"), cents(line(form, "paid"))), by)
        case "erase":
            store.do(Erased(who), by)
        case "announce":
            day, place, title = line(form, "day"), line(form, "place"), line(form, "title")
            store.do(
                Announced(day, place, title, cents(line(form, "fee")), number(form, "seats"), evening), by
            )
        case "book":
            person = person_named(line(form, "name"), line(form, "village"))
            made = store.book(evening, person, by)
            code = "saison/waits" if made.waits else "saison/booked"
            return [say(code, language, name=person.name, letters=made.code)]
        case "door":
            path = free_path(store.path.parent, season_title(store, evening))
            num = enter_booked(store, evening, path, by)
            return [say("saison/door", language, num=num, file=path)]
        case "cancel":
            store.do(BookingCancelled(evening, who), by)
        case _:
            raise HTTPException(400)
    return []


def results_from(form: FormData, files: Sequence[tuple[str, bytes]]) -> list[EveningResults]:
    """The evenings of a form: its files by their names, what was pasted, or an address."""
    club, text = line(form, "club"), str(form.get("text", "")).strip()
    found = [one for name, content in files for one in results_of_bytes(content, name, club)]
    if text.startswith("http"):
        found += fetch_results(text, club)
    elif text or not files:
        found += read_results(text)
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
    asked, which = SeasonContext(request), request.path_params.get("evening")
    season, people = asked.season, asked.people
    if (which is None and not asked.is_keeper) or (which is not None and which not in season.nexts):
        raise HTTPException(404)
    if which is None:
        ranked = [(one, LABELS[one], ranked_lines(season, people, one)) for one in categories(season, people)]
        return await asked.show("paper.html", rankings=ranked)
    address = f"{request.app.state.addresses()[0]}/register/{which}"
    next_ = season.next_evening(which)
    return await asked.show("poster.html", next=next_, address=address, code=code_of(address))


async def export(request: Request) -> Response:
    """A ranking or the members, as CSV or `.ods`, for the keeper."""
    asked, what, kind = SeasonContext(request), request.path_params["what"], request.path_params["kind"]
    if not asked.is_keeper or kind not in ("csv", "ods") or what not in ("members", *CATEGORIES):
        raise HTTPException(404)
    store, language = asked.store, asked.language
    category = next((one for one in CATEGORIES if one == what), None)
    rows = ranking_table(store, category, language) if category else members_table(store, language)
    return download(rows, what, kind)
