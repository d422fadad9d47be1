"""The offline site of one device: it answers the server's addresses with the same pages.

All addresses begin with `PREFIX`, so that the service worker knows which requests are its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, parse_qsl, urlsplit

import msgspec

from chouine.errors import ChouineError
from chouine.notation.tokens import token
from chouine.phrases import say
from chouine.phrases.catalogue import LANGUAGES
from chouine.players.heuristic import HeuristicPlayer
from chouine.school.review import Judgement, Review, accounts, annotate
from chouine.server.forms import (
    MOST,
    VERBS,
    Form,
    NotANumber,
    local,
    number,
    number_of,
    seat_seen,
    settings_of,
    with_one_setting,
)
from chouine.server.frame_updates import FrameEncoder, FrameUpdate
from chouine.server.learning import NoLesson
from chouine.server.new_table import first_level, new_table, own_name, refusal, same_deal
from chouine.server.offline.device import Device, Lost
from chouine.server.offline.past_day import answer_day
from chouine.server.offline.school import answer_school
from chouine.server.pages import (
    Frame,
    Viewer,
    error_page,
    home_page,
    match_page,
    replay_page,
    rules_page,
    settings_page,
)
from chouine.server.pages.legal import offline_legal_page
from chouine.server.pages.review import exercise_page, match_review_page, review_page
from chouine.server.policy import FRAMED
from chouine.server.records import deal_data, film_of, record_of, record_text, seat_again
from chouine.server.scoring import post_form, sheets_page
from chouine.server.second_try import judge_try, resume_partie, view_of_mistake
from chouine.table import commands as ask
from chouine.table.entries import GivenAdvice
from chouine.table.state import FinishedPartie, Phase, TableState

PREFIX = "/offline"
ADDRESS = re.compile(r'="/(?!/|manifest\.)')
"""Matches the start of an HTML attribute with an address of the site. The manifest stays the server's: an installed
Chouine has it already, and frames need none."""


class OfflineResponse(msgspec.Struct, frozen=True):
    """A response."""

    body: str = ""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    location: str = ""
    """Redirect address; empty for a response without one."""
    file: str = ""
    """File name of a download; empty for a page."""
    policy: str = FRAMED


@dataclass(frozen=True, slots=True)
class OfflineRequest:
    """A request."""

    method: str
    path: tuple[str, ...]
    query: Form
    form: Form
    answers: dict[str, list[str]]
    """The form's fields, each with all its values: a field may occur several times."""


class OfflineSite(Device):
    """A device that answers addresses."""

    # What comes in

    def answer(
        self, method: str, address: str, body: str = "", *, json_wanted: bool = False
    ) -> OfflineResponse:
        """The response to a request. No exception leaves: errors are pages."""
        parts = urlsplit(address.removeprefix(PREFIX))
        asked = OfflineRequest(
            method,
            tuple(filter(None, parts.path.split("/"))),
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            dict(parse_qsl(body, keep_blank_values=True)),
            parse_qs(body, keep_blank_values=True),
        )
        try:
            given = self.route(asked, json_wanted=json_wanted)
        except NotANumber:
            given = OfflineResponse(error_page(self.visit, 400, "not-a-number"), 400)
        except (Lost, ValueError) as error:
            given = OfflineResponse(error_page(self.visit, 404, str(error)), 404)
        if given.kind.startswith("text/html"):
            given = msgspec.structs.replace(given, body=ADDRESS.sub(f'="{PREFIX}/', given.body))
        return msgspec.structs.replace(given, location=given.location and PREFIX + given.location)

    def route(self, asked: OfflineRequest, *, json_wanted: bool) -> OfflineResponse:
        match asked.method, *asked.path:
            case ("GET",):
                return self.home()
            case "POST", "new":
                return self.new(asked.form)
            case "GET", "rules":
                back = local(asked.query.get("back", "/"))
                section = asked.query.get("section", "")
                return OfflineResponse(rules_page(self.visit, section, "" if back == "/" else back))
            case "GET", "legal":
                return OfflineResponse(offline_legal_page(self.visit))
            case "GET", "settings":
                return OfflineResponse(settings_page(self.visit, local(asked.query.get("back", "/"))))
            case "POST", "settings":
                return self.choose(asked.form, settings=settings_of(asked.form))
            case "POST", "language":
                chosen = asked.form.get("language", "")
                return self.choose(asked.form, language=LANGUAGES.get(chosen, self.me.language))
            case "POST", ("larger" | "edition") as which:
                one = with_one_setting(self.me.settings, which, asked.form)
                return self.choose(asked.form, settings=one)
            case "GET", "table", table_id:
                return self.table(table_id, asked.query.get("as", ""))
            case "GET", "table", table_id, "events":
                stream = self.stream(table_id, asked.query.get("as", ""), asked.query.get("after", ""))
                return OfflineResponse(f"[{','.join(stream.news())}]", kind="application/json")
            case "POST", "table", table_id, verb:
                return self.command(table_id, verb, asked, json_wanted=json_wanted)
            case (("GET" | "POST"), "learn", *path):
                return self.learn(asked, path)
            case _, "marqueur":
                return self.score(asked)
            case (_, "daily", *path):
                return self.past_day(asked, path)
            case (_, "match", *_):
                return self.match(asked)
            case _:
                raise Lost("needs-network")

    # The pages

    def home(self, error: str = "", status: int = 200) -> OfflineResponse:
        """The first page, with the device's matches, the newest first."""
        listed = [(table_id, match.brief) for table_id, match in reversed(self.kept.items())]
        return OfflineResponse(home_page(self.visit, listed, error, offline=True), status)

    def learn(self, asked: OfflineRequest, path: list[str]) -> OfflineResponse:
        """A page under `/learn`; stores progress."""
        form = asked.answers if asked.method == "POST" else None
        try:
            found = answer_school(self.visit, path, asked.query, form, self.me.learned, self.clock())
        except NoLesson as error:
            raise Lost("needs-network") from error
        if found.learned != self.me.learned:
            self.remember(learned=found.learned)
        return OfflineResponse(found.page, status=303 if found.onward else 200, location=found.onward)

    def score(self, asked: OfflineRequest) -> OfflineResponse:
        """The score keeper's sheet."""
        if asked.method != "POST":
            return OfflineResponse(sheets_page(self.visit, self.me.sheets, new="new" in asked.query))
        scored = post_form(self.visit, self.me.sheets, asked.form)
        if scored.page:
            return OfflineResponse(scored.page, scored.status)
        if scored.sheets is not None:
            self.remember(sheets=scored.sheets)
        return OfflineResponse(status=303, location="/marqueur")

    def past_day(self, asked: OfflineRequest, path: list[str]) -> OfflineResponse:
        """A page under `/daily`."""
        found = answer_day(self, path, asked.form if asked.method == "POST" else None)
        return OfflineResponse(found.page, status=303 if found.onward else 200, location=found.onward)

    def table(self, table_id: str, seen: str) -> OfflineResponse:
        """The table's page."""
        table = self.state_of(table_id)
        return OfflineResponse(Viewer(self.visit, table_id, self.observer(table, seen)).page(table))

    def observer(self, table: TableState, seen: str) -> int | None:
        return seat_seen(table.held_by(self.me.guest), seen)

    def match(self, asked: OfflineRequest) -> OfflineResponse:
        """A match's page, its record, a finished partie."""
        match asked.method, *asked.path[1:]:
            case "GET", table_id if table_id.endswith(".cgn"):
                table_id = table_id.removesuffix(".cgn")
                text = record_text(self.state_of(table_id), self.visit.zone)
                return OfflineResponse(text, kind="text/plain; charset=utf-8", file=f"chouine-{table_id}.cgn")
            case "GET", table_id, "review":
                table = self.state_of(table_id)
                found = [self.review(table_id, nth) for nth in range(1, len(table.played) + 1)]
                if not found:
                    raise Lost("no-such-partie")
                return OfflineResponse(match_review_page(self.visit, table_id, table, found))
            case _, table_id, nth, "review" | "review.cgn", *_:
                return self.looked_back(asked, table_id, nth)
            case "GET", table_id:
                return OfflineResponse(match_page(self.visit, table_id, self.state_of(table_id)))
            case "GET", table_id, numbered:
                nth, _, kind = numbered.partition(".")
                table = self.state_of(table_id)
                played = self.finished_partie(table, nth)
                if kind == "svg":
                    film = film_of(table, played[1], self.me.language)
                    name = f"chouine-{table_id}-{nth}.svg"
                    return OfflineResponse(film, kind="image/svg+xml", file=name)
                if kind:
                    return OfflineResponse(json.dumps(deal_data(played[1])), kind="application/json")
                trick = number_of(asked.query.get("trick", ""), played[1].state.position.tricks + 2) or 0
                return OfflineResponse(replay_page(self.visit, table_id, table, played[0], trick))
            case "POST", table_id, nth, "again":
                return self.play_again(table_id, nth, swap=asked.form.get("swap") == "1")
            case _:
                raise Lost("needs-network")

    def finished_partie(self, table: TableState, nth: str) -> tuple[int, FinishedPartie]:
        """A finished partie by its number from 1."""
        found = number_of(nth, len(table.played))
        if not found:
            raise Lost("no-such-partie")
        return found, table.played[found - 1]

    def review(self, table_id: str, number: int) -> Review:
        """A finished partie's review so far."""
        return self.reviews.of(table_id, number, self.state_of(table_id).played[number - 1], self.clock())

    def looked_back(self, asked: OfflineRequest, table_id: str, nth: str) -> OfflineResponse:
        """A review's page, its record with comments, or the exercise of a decision."""
        table = self.state_of(table_id)
        number, played = self.finished_partie(table, nth)
        found, state = self.review(table_id, number), played.state
        match asked.method, *asked.path[3:]:
            case "GET", "review":
                seat = number_of(asked.query.get("seat", ""), len(table.holders) - 1)
                seat = (*table.held_by(self.me.guest), 0)[0] if seat is None else seat
                return OfflineResponse(
                    review_page(self.visit, table_id, table, number, found, seat, asks=True)
                )
            case "GET", "review.cgn" if state.result is not None:
                totals = accounts(state, state.result, found.found)
                record = record_of(table, played, self.visit.zone)
                text = annotate(record, found.found, totals, self.me.language)
                name = f"chouine-{table_id}-{number}.cgn"
                return OfflineResponse(f"{text}\n", kind="text/plain; charset=utf-8", file=name)
            case _, "review", decision:
                judged = judgement_of(found, decision)
                view = view_of_mistake(state, judged)
                answered = (
                    judge_try(judged, view, asked.form.get("answer", "")) if asked.method == "POST" else None
                )
                page = exercise_page(
                    self.visit, table_id, table, number, int(decision), judged, view, answered, more=0
                )
                return OfflineResponse(page)
            case "POST", "review", decision, "play":
                opened, done = resume_partie(self.visit, table, state, judgement_of(found, decision))
                return OfflineResponse(status=303, location=f"/table/{self.set_table(opened, played=done)}")
            case _:
                raise Lost("no-such-page")

    # What is done

    def choose(self, form: Form, **chosen: object) -> OfflineResponse:
        """Store settings."""
        self.remember(**chosen)
        return OfflineResponse(status=303, location=local(str(form.get("back", "/")).removeprefix(PREFIX)))

    def new(self, form: Form) -> OfflineResponse:
        """Open a table as the form asks; an invalid form is shown again with the reason."""
        try:
            opened = new_table(form, self.visit)
        except (ChouineError, ValueError) as error:
            return self.home(refusal(error, self.me.language), 422)
        self.remember(name=own_name(opened) or self.me.name, level=first_level(opened) or self.me.level)
        return OfflineResponse(status=303, location=f"/table/{self.set_table(opened)}")

    def play_again(self, table_id: str, nth: str, *, swap: bool) -> OfflineResponse:
        """Open a table against computers on the deal of a finished partie, with the seats swapped if `swap`."""
        table = self.state_of(table_id)
        _, played = self.finished_partie(table, nth)
        mine = seat_again(table, self.me.guest, swap=swap)
        opened = same_deal(self.visit, table, played.state, mine)
        return OfflineResponse(status=303, location=f"/table/{self.set_table(opened)}")

    def command(
        self, table_id: str, verb: str, asked: OfflineRequest, *, json_wanted: bool
    ) -> OfflineResponse:
        """Answer a command from one of the device's seats."""
        if verb not in VERBS:
            raise Lost("no-such-command")
        seat, table = number(asked.form, "seat"), self.state_of(table_id)
        command = VERBS[verb](seat, asked.form)
        try:
            if seat not in table.held_by(self.me.guest):
                raise ask.NotYours("table/not-your-turn")
            if isinstance(command, ask.Advise):
                command = advise_command(table, command)
            after = self.do(table_id, command)
            if isinstance(command, ask.Revanche):
                self.revanche(table_id, after)
            if isinstance(command, ask.Explain):
                self.remember(explain=command.on)
        except ChouineError as error:
            shown = number_of(str(asked.form.get("n", "")), MOST)
            if shown is not None and table.n > shown:
                stale = {"ok": False, "code": "table/stale", "n": table.n}
                return OfflineResponse(json.dumps(stale), 409, "application/json")
            message = say(error.code, self.me.language, **error.data)
            refused = {"ok": False, "code": error.code, "message": message}
            return OfflineResponse(json.dumps(refused), 422, "application/json")
        if json_wanted:
            return OfflineResponse(json.dumps({"ok": True, "n": after.n}), kind="application/json")
        keep = len(after.held_by(self.me.guest)) > 1 and asked.query.get("as") == str(seat)
        return OfflineResponse(status=303, location=f"/table/{table_id}" + (f"?as={seat}" if keep else ""))

    # What goes out

    def stream(self, table_id: str, seen: str, after: str) -> OfflineStream:
        """The stream of a table's entries after one, for a browser at a seat."""
        table = self.open_table(table_id)
        shown = number_of(after, MOST)
        return OfflineStream(
            self, table_id, self.observer(table.table, seen), table.table.n if shown is None else shown
        )


class OfflineStream:
    """A table's news for one browser, each entry once and in order."""

    def __init__(self, site: OfflineSite, table_id: str, observer: int | None, shown: int) -> None:
        self.site, self.table_id, self.shown = site, table_id, shown
        self.viewer, self.encoder = Viewer(site.visit, table_id, observer), FrameEncoder()

    def news(self) -> list[str]:
        """New entries as JSON; one frame of the whole table where older entries are no longer in memory."""
        known = self.site.open_table(self.table_id).known
        if self.shown >= known.table.n:
            return []
        steps = known.since(self.shown)
        if steps is None:
            found = [FrameUpdate(known.table.n, [self.viewer.frame(known.table)])]
        else:
            found = [
                FrameUpdate(step.after.n, self.viewer.frames(step.before, step.entry, step.after))
                for step in steps
            ]
        self.shown = known.table.n
        return [
            self.encoder.encode(FrameUpdate(item.n, [*map(prefix_frame, item.frames)])).decode()
            for item in found
        ]


def judgement_of(found: Review, decision: str) -> Judgement:
    """The judgement that an address names. Raises `Lost` while there is none."""
    nth = number_of(decision, MOST)
    if nth not in found.judged:
        raise Lost("no-such-page")
    return found.judged[nth]


def prefix_frame(frame: Frame) -> Frame:
    """A frame with its URLs rewritten for offline use."""
    return replace(frame, html=ADDRESS.sub(f'="{PREFIX}/', frame.html))


def advise_command(table: TableState, asked: ask.Advise) -> ask.Advise:
    """Advice by the heuristic, unless advice already given can be continued."""
    may_ask = asked.seat == table.learner and asked.seat in table.awaited and table.phase is Phase.PLAY
    if not may_ask or table.state is None or table.advice is not None:
        return asked
    view = table.state.view(asked.seat)
    return ask.Advise(asked.seat, GivenAdvice(token(HeuristicPlayer().act(view) if view.legal else None)))
