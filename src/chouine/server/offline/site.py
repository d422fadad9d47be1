"""The offline site of one device: it answers the server's addresses with the same pages, and stores the matches.

All addresses begin with `PREFIX`, so that the service worker knows which requests are its own. The clock is an
argument; `changes` returns what must be stored.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from urllib.parse import parse_qs, parse_qsl, urlsplit

import msgspec

from chouine.ai.levels import level_of
from chouine.errors import ChouineError
from chouine.notation.tokens import token
from chouine.phrases import Language, say
from chouine.players.base import close
from chouine.players.heuristic import HeuristicPlayer
from chouine.registry import player_of
from chouine.school.review import Judgement, Review, accounts, annotated
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
)
from chouine.server.learning import NoLesson
from chouine.server.news import FrameEncoder, News
from chouine.server.offline.matches import StoredMatch, kept, read, write
from chouine.server.offline.reviews import OfflineReviews
from chouine.server.offline.school import Learned, schooled
from chouine.server.openings import first_level, new_table, own_name, refusal, revanche, same_deal
from chouine.server.pages import (
    Frame,
    Settings,
    Viewer,
    Visit,
    error_page,
    home_page,
    match_page,
    replay_page,
    rules_page,
    settings_page,
)
from chouine.server.pages.review import exercise_page, match_review_page, review_page
from chouine.server.policy import FRAMED
from chouine.server.records import proof_of, record_of, record_text
from chouine.server.scoring import Sheets, posted, shown
from chouine.server.second_try import resumed, seen, tried
from chouine.server.steps import (
    KnownTable,
    Step,
    by_lot,
    computers_awaited,
    new_id,
    set_out,
    shuffle,
    steps_of,
)
from chouine.server.terms import check_length
from chouine.server.verify import FIELDS
from chouine.table import commands as ask
from chouine.table.brief import Brief
from chouine.table.decide import decided
from chouine.table.entries import Counsel, LogEntry, Opened
from chouine.table.evolve import rebuild
from chouine.table.state import FinishedPartie, Phase, TableState

PREFIX = "/offline"
STEP = 1.0
"""Seconds from the last event to a computer's act, at the normal pace."""
MOST_KEPT = 60
"""Most matches stored on a device; beyond it the oldest finished ones are deleted."""
ADDRESS = re.compile(r'="/(?!/)')
"""Matches the start of an HTML attribute with an address of the site."""


class Me(msgspec.Struct, frozen=True):
    """The device's player, settings and progress."""

    guest: str
    language: Language = "fr"
    name: str = ""
    level: int = 0
    explain: bool = False
    settings: Settings = Settings()
    learned: Learned = Learned()
    sheets: Sheets = ()


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


class Lost(LookupError):
    """There is nothing at this address. Its text is the code of the sentence to show."""


@dataclass(frozen=True, slots=True)
class OfflineRequest:
    """A request."""

    method: str
    path: tuple[str, ...]
    query: Form
    form: Form
    answers: dict[str, list[str]]
    """The form's fields, each with all its values: a field may occur several times."""


class ViewedTable:
    """A match that a page has shown since the program started, with its state in memory."""

    def __init__(self, entries: list[tuple[LogEntry, float]]) -> None:
        self.entries = entries
        self.known = KnownTable(rebuild(entries[:1]))
        self.known.add(steps_of(self.known.room, entries[1:]))
        self.due = inf

    @property
    def room(self) -> TableState:
        return self.known.room

    def add(self, added: list[tuple[LogEntry, TableState]], now: float) -> None:
        """Add a command's entries and their states."""
        befores = (self.room, *(after for _, after in added))
        steps = [Step(before, entry, after) for before, (entry, after) in zip(befores, added, strict=False)]
        self.known.add(steps)
        self.entries += [(entry, now) for entry, _ in added]
        self.wait(now)

    def wait(self, now: float) -> None:
        """Set when the table next acts without a command: at a computer's turn or a deadline."""
        room = self.room
        if room.paused is not None:
            self.due = inf
        elif computers_awaited(room):
            self.due = now + STEP * room.opened.pace
        else:
            self.due = inf if room.deadline is None else room.deadline


class OfflineSite:
    """The pages and matches of one device. `stored` is what earlier `changes` returned."""

    def __init__(self, clock: Callable[[], float], me: str = "", matches: list[str] | None = None) -> None:
        self.clock = clock
        self.me = msgspec.json.decode(me, type=Me) if me else Me(new_id())
        self.tables: dict[str, ViewedTable] = {}
        self.reviews = OfflineReviews()
        self.kept: dict[str, StoredMatch] = {match.id: match for match in map(read, matches or ())}
        self._changed: set[str] = set()
        self._me_changed = not me

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
            given = self.routed(asked, json_wanted=json_wanted)
        except NotANumber:
            given = OfflineResponse(error_page(self.visit, 400, "not-a-number"), 400)
        except (Lost, ValueError) as error:
            given = OfflineResponse(error_page(self.visit, 404, str(error)), 404)
        if given.kind.startswith("text/html"):
            given = msgspec.structs.replace(given, body=ADDRESS.sub(f'="{PREFIX}/', given.body))
        return msgspec.structs.replace(given, location=given.location and PREFIX + given.location)

    def routed(self, asked: OfflineRequest, *, json_wanted: bool) -> OfflineResponse:
        match asked.method, *asked.path:
            case ("GET",):
                return self.home()
            case "POST", "new":
                return self.new(asked.form)
            case "GET", "rules":
                back = local(asked.query.get("back", "/"))
                section = asked.query.get("section", "")
                return OfflineResponse(rules_page(self.visit, section, "" if back == "/" else back))
            case "GET", "settings":
                return OfflineResponse(settings_page(self.visit, local(asked.query.get("back", "/"))))
            case "POST", "settings":
                return self.choose(asked.form, settings=settings_of(asked.form))
            case "POST", "language":
                chosen = asked.form.get("language", "")
                return self.choose(
                    asked.form, language=chosen if chosen in ("fr", "en") else self.me.language
                )
            case "GET", "table", game:
                return self.table(game, asked.query.get("as", ""))
            case "GET", "table", game, "events":
                stream = self.stream(game, asked.query.get("as", ""), asked.query.get("after", ""))
                return OfflineResponse(f"[{','.join(stream.news())}]", kind="application/json")
            case "POST", "table", game, verb:
                return self.command(game, verb, asked, json_wanted=json_wanted)
            case (("GET" | "POST"), "learn", *path):
                return self.learn(asked, path)
            case _, "marqueur":
                return self.score(asked)
            case (_, "match", *_):
                return self.match(asked)
            case _:
                raise Lost("needs-network")

    # The pages

    @property
    def visit(self) -> Visit:
        me = self.me
        return Visit(me.language, "offline", me.guest, me.name, me.level, me.settings)

    def home(self, error: str = "", status: int = 200) -> OfflineResponse:
        """The first page, with the device's matches, the newest first."""
        listed = [(game, match.brief) for game, match in reversed(self.kept.items())]
        return OfflineResponse(home_page(self.visit, listed, error, offline=True), status)

    def learn(self, asked: OfflineRequest, path: list[str]) -> OfflineResponse:
        """A page under `/learn`; stores progress."""
        form = asked.answers if asked.method == "POST" else None
        try:
            found = schooled(self.visit, path, asked.query, form, self.me.learned, self.clock())
        except NoLesson as error:
            raise Lost("needs-network") from error
        if found.learned != self.me.learned:
            self.remember(learned=found.learned)
        return OfflineResponse(found.page, status=303 if found.onward else 200, location=found.onward)

    def score(self, asked: OfflineRequest) -> OfflineResponse:
        """The score keeper's sheet."""
        if asked.method != "POST":
            return OfflineResponse(shown(self.visit, self.me.sheets, new="new" in asked.query))
        scored = posted(self.visit, self.me.sheets, asked.form)
        if scored.page:
            return OfflineResponse(scored.page, scored.status)
        if scored.sheets is not None:
            self.remember(sheets=scored.sheets)
        return OfflineResponse(status=303, location="/marqueur")

    def room(self, game: str) -> TableState:
        """A match's current state."""
        return self.opened(game).room

    def opened(self, game: str) -> ViewedTable:
        """A match with its state, rebuilt from the log at first."""
        if game not in self.tables:
            if game not in self.kept:
                raise Lost("no-such-table")
            self.tables[game] = ViewedTable(self.kept[game].entries)
            self.tables[game].wait(self.clock())
        return self.tables[game]

    def table(self, game: str, seen: str) -> OfflineResponse:
        """The table's page."""
        room = self.room(game)
        return OfflineResponse(Viewer(self.visit, game, self.observer(room, seen)).page(room))

    def observer(self, room: TableState, seen: str) -> int | None:
        return seat_seen(room.held_by(self.me.guest), seen)

    def match(self, asked: OfflineRequest) -> OfflineResponse:
        """A match's page, its record, a finished partie."""
        match asked.method, *asked.path[1:]:
            case "GET", game if game.endswith(".cgn"):
                game = game.removesuffix(".cgn")
                text = record_text(self.room(game))
                return OfflineResponse(text, kind="text/plain; charset=utf-8", file=f"chouine-{game}.cgn")
            case "GET", game, "review":
                room = self.room(game)
                found = [self.review(game, nth) for nth in range(1, len(room.played) + 1)]
                if not found:
                    raise Lost("no-such-partie")
                return OfflineResponse(match_review_page(self.visit, game, room, found))
            case _, game, nth, "review" | "review.cgn", *_:
                return self.looked_back(asked, game, nth)
            case "GET", game:
                return OfflineResponse(match_page(self.visit, game, self.room(game)))
            case "GET", game, numbered:
                nth, kind, _ = numbered.partition(".json")
                room = self.room(game)
                played = self.finished(room, nth)
                if kind:
                    proof = proof_of(played[1])
                    data = proof.to_data() if proof else dict.fromkeys(FIELDS)
                    return OfflineResponse(json.dumps(data), kind="application/json")
                trick = number_of(asked.query.get("trick", ""), played[1].state.position.tricks + 2) or 0
                return OfflineResponse(replay_page(self.visit, game, room, played[0], trick))
            case "POST", game, nth, "again":
                return self.again(game, nth, swap=asked.form.get("swap") == "1")
            case _:
                raise Lost("needs-network")

    def finished(self, room: TableState, nth: str) -> tuple[int, FinishedPartie]:
        """A finished partie by its number from 1."""
        found = number_of(nth, len(room.played))
        if not found:
            raise Lost("no-such-partie")
        return found, room.played[found - 1]

    def review(self, game: str, number: int) -> Review:
        """A finished partie's review so far."""
        return self.reviews.of(game, number, self.room(game).played[number - 1].state, self.clock())

    def looked_back(self, asked: OfflineRequest, game: str, nth: str) -> OfflineResponse:
        """A review's page, its record with comments, or the exercise of a decision."""
        room = self.room(game)
        number, played = self.finished(room, nth)
        found, state = self.review(game, number), played.state
        match asked.method, *asked.path[3:]:
            case "GET", "review":
                seat = number_of(asked.query.get("seat", ""), len(room.holders) - 1)
                seat = (*room.held_by(self.me.guest), 0)[0] if seat is None else seat
                return OfflineResponse(review_page(self.visit, game, room, number, found, seat, asks=True))
            case "GET", "review.cgn" if state.result is not None:
                totals = accounts(state, state.result, found.found)
                text = annotated(record_of(room, played), found.found, totals, self.me.language)
                name = f"chouine-{game}-{number}.cgn"
                return OfflineResponse(f"{text}\n", kind="text/plain; charset=utf-8", file=name)
            case _, "review", decision:
                judged = judgement_of(found, decision)
                view = seen(state, judged)
                answered = (
                    tried(judged, view, asked.form.get("answer", "")) if asked.method == "POST" else None
                )
                page = exercise_page(
                    self.visit, game, room, number, int(decision), judged, view, answered, more=0
                )
                return OfflineResponse(page)
            case "POST", "review", decision, "play":
                opened, done = resumed(self.visit, room, state, judgement_of(found, decision))
                return OfflineResponse(status=303, location=f"/table/{self.set_table(opened, played=done)}")
            case _:
                raise Lost("no-such-page")

    # What is done

    def choose(self, form: Form, **chosen: object) -> OfflineResponse:
        """Store settings."""
        self.remember(**chosen)
        return OfflineResponse(status=303, location=local(str(form.get("back", "/")).removeprefix(PREFIX)))

    def remember(self, **chosen: object) -> None:
        self.me = msgspec.structs.replace(self.me, **chosen)
        self._me_changed = True

    def new(self, form: Form) -> OfflineResponse:
        """Open a table as the form asks; an invalid form is shown again with the reason."""
        try:
            opened = new_table(form, self.visit)
        except (ChouineError, ValueError) as error:
            return self.home(refusal(error, self.me.language), 422)
        self.remember(name=own_name(opened) or self.me.name, level=first_level(opened) or self.me.level)
        return OfflineResponse(status=303, location=f"/table/{self.set_table(opened)}")

    def again(self, game: str, nth: str, *, swap: bool) -> OfflineResponse:
        """Open a table against computers on the deal of a finished partie, with the seats swapped if `swap`."""
        room = self.room(game)
        _, played = self.finished(room, nth)
        mine = ((*room.held_by(self.me.guest), 0)[0] + swap) % len(room.holders)
        opened = same_deal(self.visit, room, played.state, mine)
        return OfflineResponse(status=303, location=f"/table/{self.set_table(opened)}")

    def set_table(
        self,
        opened: Opened,
        game: str = "",
        *,
        explained: bool | None = None,
        played: Iterable[tuple[int, str]] = (),
    ) -> str:
        """Open a table and return its identifier. `played`: acts already made on its deal, as `set_out` takes them."""
        game, now = game or new_id(), self.clock()
        entries, _ = set_out(opened, now, shuffle, played)
        table = self.tables[game] = ViewedTable([(entry, now) for entry in entries])
        table.wait(now)
        self.changed(game)
        if (self.me.explain if explained is None else explained) and table.room.learner is not None:
            self.do(game, ask.Explain(table.room.learner, on=True))
        return game

    def do(self, game: str, command: ask.Command) -> TableState:
        """Carry out a command. Raises `Refused` or `IllegalAction`, with nothing changed."""
        table, now = self.opened(game), self.clock()
        check_length(table.room, command)
        table.add(decided(table.room, command, now, shuffle), now)
        self.changed(game)
        return table.room

    def command(self, game: str, verb: str, asked: OfflineRequest, *, json_wanted: bool) -> OfflineResponse:
        """Answer a command from one of the device's seats."""
        if verb not in VERBS:
            raise Lost("no-such-command")
        seat, room = number(asked.form, "seat"), self.room(game)
        command = VERBS[verb](seat, asked.form)
        try:
            if seat not in room.held_by(self.me.guest):
                raise ask.NotYours("room/not-your-turn")
            if isinstance(command, ask.Advise):
                command = advised(room, command)
            after = self.do(game, command)
            if isinstance(command, ask.Revanche):
                self.revanche(game, after)
            if isinstance(command, ask.Explain):
                self.remember(explain=command.on)
        except ChouineError as error:
            shown = number_of(str(asked.form.get("n", "")), MOST)
            if shown is not None and room.n > shown:
                stale = {"ok": False, "code": "room/stale", "n": room.n}
                return OfflineResponse(json.dumps(stale), 409, "application/json")
            message = say(error.code, self.me.language, **error.data)
            refused = {"ok": False, "code": error.code, "message": message}
            return OfflineResponse(json.dumps(refused), 422, "application/json")
        if json_wanted:
            return OfflineResponse(json.dumps({"ok": True, "n": after.n}), kind="application/json")
        keep = len(after.held_by(self.me.guest)) > 1 and asked.query.get("as") == str(seat)
        return OfflineResponse(status=303, location=f"/table/{game}" + (f"?as={seat}" if keep else ""))

    def revanche(self, game: str, room: TableState) -> None:
        """Open the revanche's table once every person wants it."""
        if wanted := revanche(game, room):
            following, opened = wanted
            self.set_table(opened, following, explained=room.explained)
            self.do(game, ask.Follow(following))

    # What happens by itself

    def tick(self) -> float:
        """Do what is due. Returns the seconds until something is due again, -1 if nothing will be without a request."""
        for game, table in list(self.tables.items()):
            now = self.clock()
            if table.due <= now:
                for seat in sorted(computers_awaited(table.room)):
                    if seat in computers_awaited(table.room):  # an earlier seat's act may have ended the wait
                        self.do(game, self.thought(game, table.room, seat))
                if table.room.deadline is not None and table.room.deadline <= now:
                    self.do(game, ask.Tick())
        if self.reviews.go_on(self.clock()):
            return 0.0
        due = min((table.due for table in self.tables.values()), default=inf)
        return -1.0 if due == inf else max(0.0, due - self.clock())

    def thought(self, game: str, room: TableState, seat: int) -> ask.Command:
        """A computer's command, chosen from its seat's view alone."""
        if (chosen := by_lot(room, seat)) is not None:
            return chosen
        if room.state is None:
            raise ask.Refused("room/not-now")
        view, spec = room.state.view(seat), room.holders[seat].player
        partie = f"{self.me.guest} {game} {len(room.played)} {seat}"
        steady = int.from_bytes(hashlib.sha256(partie.encode()).digest()[:8])
        player = player_of(spec, view.rules, steady if level_of(spec) else secrets.randbits(64))
        try:
            act = player.act(view) if view.legal else None
        finally:
            close(player)
        return ask.Pass(seat) if act is None else ask.Act(seat, str(act))

    # What goes out

    def stream(self, game: str, seen: str, after: str) -> OfflineStream:
        """The stream of a table's entries after one, for a browser at a seat."""
        table = self.opened(game)
        shown = number_of(after, MOST)
        return OfflineStream(
            self, game, self.observer(table.room, seen), table.room.n if shown is None else shown
        )

    def changed(self, game: str) -> None:
        """Mark a match as changed, and delete the oldest beyond `MOST_KEPT`."""
        table = self.tables[game]
        self.kept[game] = kept(game, Brief.of(table.room), table.entries)
        self._changed.add(game)
        over = (old for old, match in self.kept.items() if match.brief.phase is Phase.OVER and old != game)
        while len(self.kept) > MOST_KEPT and (oldest := next(over, None)):
            del self.kept[oldest]
            self.tables.pop(oldest, None)
            self._changed.add(oldest)
            over = (
                old for old, match in self.kept.items() if match.brief.phase is Phase.OVER and old != game
            )

    def changes(self) -> str:
        """Changes to store since the last call, as JSON: `me`, and matches by identifier, null for a deleted one."""
        changed = {game: self.kept.get(game) for game in self._changed}
        texts = {game: match and write(match).decode() for game, match in changed.items()}
        me = msgspec.json.encode(self.me).decode() if self._me_changed else None
        self._changed, self._me_changed = set(), False
        return json.dumps({"me": me, "matches": texts})


class OfflineStream:
    """A table's news for one browser, each entry once and in order."""

    def __init__(self, site: OfflineSite, game: str, observer: int | None, shown: int) -> None:
        self.site, self.game, self.shown = site, game, shown
        self.viewer, self.encoder = Viewer(site.visit, game, observer), FrameEncoder()

    def news(self) -> list[str]:
        """New entries as JSON; one frame of the whole table where older entries are no longer in memory."""
        known = self.site.opened(self.game).known
        if self.shown >= known.room.n:
            return []
        steps = known.since(self.shown)
        if steps is None:
            found = [News(known.room.n, [self.viewer.frame(known.room)])]
        else:
            found = [
                News(step.after.n, self.viewer.frames(step.before, step.entry, step.after)) for step in steps
            ]
        self.shown = known.room.n
        return [self.encoder.encode(News(item.n, [*map(prefixed, item.frames)])).decode() for item in found]


def judgement_of(found: Review, decision: str) -> Judgement:
    """The judgement that an address names. Raises `Lost` while there is none."""
    nth = number_of(decision, MOST)
    if nth not in found.judged:
        raise Lost("no-such-page")
    return found.judged[nth]


def prefixed(frame: Frame) -> Frame:
    """A frame with its URLs rewritten for offline use."""
    return replace(frame, html=ADDRESS.sub(f'="{PREFIX}/', frame.html))


def advised(room: TableState, asked: ask.Advise) -> ask.Advise:
    """Advice by the heuristic, unless advice already given can be continued."""
    may_ask = asked.seat == room.learner and asked.seat in room.awaited and room.phase is Phase.PLAY
    if not may_ask or room.state is None or room.advice is not None:
        return asked
    view = room.state.view(asked.seat)
    return ask.Advise(asked.seat, Counsel(token(HeuristicPlayer().act(view) if view.legal else None)))
