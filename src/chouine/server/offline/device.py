"""One device without a network: its player, settings, matches and reviews, and the computers that play there.

The clock is an argument; `changes` returns what must be stored.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf

import msgspec
from starlette.exceptions import HTTPException

from chouine.ai.levels import level_of, looks_back
from chouine.phrases import Language
from chouine.players.base import close
from chouine.registry import player_of
from chouine.school.review import Decision, Review, after_advice, all_decisions, judge
from chouine.server.new_table import revanche
from chouine.server.offline.matches import StoredMatch, read, read_days, stored_match, write
from chouine.server.pages.visit import Visit
from chouine.server.saved import SavedState, Schooling
from chouine.server.table_cache import (
    KnownTable,
    Step,
    computers_awaited,
    new_id,
    opening_entries,
    random_command,
    shuffle,
    steps_of,
)
from chouine.server.terms import check_length
from chouine.table import commands as ask
from chouine.table.brief import Brief
from chouine.table.decide import decide_all
from chouine.table.entries import LogEntry, Opened
from chouine.table.evolve import rebuild
from chouine.table.state import FinishedPartie, Phase, TableState

LOOKED_AT = 6.0
"""Seconds without a request after which a page counts as closed; it asks each second."""


@dataclass
class ReviewInBrowser:
    """A review, its remaining decisions, and when its page last asked."""

    left: list[tuple[int, Decision]]
    review: Review
    followed: Collection[tuple[int, str]]
    """What was done as advised at the table, as (the act's number, token)."""
    asked: float = 0.0


@dataclass
class OfflineReviews:
    """The reviews of this session. They are deterministic, so they need not be stored."""

    reviews: dict[tuple[str, int], ReviewInBrowser] = field(default_factory=dict)

    def of(self, table_id: str, number: int, played: FinishedPartie, now: float) -> Review:
        """A partie's review so far; computing continues after the call."""
        finished = played.state
        if (table_id, number) not in self.reviews:
            left = list(enumerate(all_decisions(finished)))
            self.reviews[table_id, number] = ReviewInBrowser(left, Review(len(left)), played.followed)
        found = self.reviews[table_id, number]
        if looks_back(finished.rules):
            found.asked = now
        return found.review

    def wanted_reviews(self, now: float) -> Iterator[ReviewInBrowser]:
        """The incomplete reviews whose pages are open."""
        return (each for each in self.reviews.values() if each.left and now < each.asked + LOOKED_AT)

    def go_on(self, now: float) -> bool:
        """Judge one more decision if a page waits. Returns whether more is to do."""
        found = next(self.wanted_reviews(now), None)
        if found is None:
            return False
        nth, decision = found.left.pop(0)
        judged_now = replace(found.review, judged=found.review.judged | {nth: judge(decision)})
        found.review = after_advice(judged_now, found.followed)
        return any(self.wanted_reviews(now))


STEP = 1.0
"""Seconds from the last event to a computer's act, at the normal pace."""
MOST_KEPT = 60
"""Most matches stored on a device; beyond it the oldest finished ones are deleted."""


class Me(SavedState, frozen=True, kw_only=True):
    """The device's player, settings and progress."""

    guest: str
    language: Language = "fr"
    school: Schooling = msgspec.field(default=Schooling(), name="learned")
    """Named as the devices of earlier versions have it."""


class Lost(HTTPException):
    """There is nothing at this address; `code` is that of the sentence to show."""

    def __init__(self, code: str) -> None:
        super().__init__(404, code)


class ViewedTable:
    """A match that a page has shown since the program started, with its state in memory."""

    def __init__(self, entries: list[tuple[LogEntry, float]]) -> None:
        self.entries = entries
        self.known = KnownTable(rebuild(entries[:1]))
        self.known.add(steps_of(self.known.table, entries[1:]))
        self.due = inf

    @property
    def table(self) -> TableState:
        return self.known.table

    def add(self, added: list[tuple[LogEntry, TableState]], now: float) -> None:
        """Add a command's entries and their states."""
        befores = (self.table, *(after for _, after in added))
        steps = [Step(before, entry, after) for before, (entry, after) in zip(befores, added, strict=False)]
        self.known.add(steps)
        self.entries += [(entry, now) for entry, _ in added]
        self.wait(now)

    def wait(self, now: float) -> None:
        """Set when the table next acts without a command: at a computer's turn or a deadline."""
        table = self.table
        if table.paused is not None:
            self.due = inf
        elif computers_awaited(table):
            self.due = now + STEP * table.opened.pace
        else:
            self.due = inf if table.due is None else table.due


class Device:
    """The player, settings and matches of one device, from what earlier `changes` returned.

    `days`: the past deals of the day that were taken along, as `/offline/days.json` gives them.
    """

    def __init__(
        self, clock: Callable[[], float], me: str = "", matches: list[str] | None = None, days: str = ""
    ) -> None:
        self.clock = clock
        self.me = msgspec.json.decode(me, type=Me) if me else Me(guest=new_id())
        self.tables: dict[str, ViewedTable] = {}
        self.reviews = OfflineReviews()
        self.kept: dict[str, StoredMatch] = {match.id: match for match in map(read, matches or ())}
        self.days = read_days(days)
        self._changed: set[str] = set()
        self._me_changed = not me

    @property
    def visit(self) -> Visit:
        me = self.me
        return Visit(me.language, "offline", me.guest, me.name, me.level, me.settings, offline=True)

    def state_of(self, table_id: str) -> TableState:
        """A match's current state."""
        return self.open_table(table_id).table

    def open_table(self, table_id: str) -> ViewedTable:
        """A match with its state, rebuilt from the log at first."""
        if table_id not in self.tables:
            if table_id not in self.kept:
                raise Lost("no-such-table")
            self.tables[table_id] = ViewedTable(self.kept[table_id].entries)
            self.tables[table_id].wait(self.clock())
        return self.tables[table_id]

    def remember(self, **chosen: object) -> None:
        self.save(msgspec.structs.replace(self.me, **chosen))

    def save(self, me: Me) -> None:
        """Store the player's settings and progress."""
        self.me, self._me_changed = me, True

    def set_table(
        self,
        opened: Opened,
        table_id: str = "",
        *,
        explained: bool | None = None,
        played: Iterable[tuple[int, str]] = (),
    ) -> str:
        """Open a table and return its identifier. `played`: as in `opening_entries`."""
        table_id, now = table_id or new_id(), self.clock()
        explained = self.me.explain if explained is None else explained
        entries, _ = opening_entries(opened, now, shuffle, played, explained=explained)
        table = self.tables[table_id] = ViewedTable([(entry, now) for entry in entries])
        table.wait(now)
        self.note_change(table_id)
        return table_id

    def do(self, table_id: str, command: ask.Command) -> TableState:
        """Carry out a command. Raises `Refused` or `IllegalAction`, with nothing changed."""
        table, now = self.open_table(table_id), self.clock()
        check_length(table.table, command)
        table.add(decide_all(table.table, command, now, shuffle), now)
        self.note_change(table_id)
        if isinstance(command, ask.Revanche) and (wanted := revanche(table_id, table.table)):
            following, opened = wanted
            self.set_table(opened, following, explained=table.table.explained)
            self.do(table_id, ask.Follow(following))
        return table.table

    def tick(self) -> float:
        """Do what is due. Returns the seconds until something is due again, -1 if nothing will be without a request."""
        for table_id, table in list(self.tables.items()):
            now = self.clock()
            if table.due <= now:
                for seat in sorted(computers_awaited(table.table)):
                    if seat in computers_awaited(
                        table.table
                    ):  # an earlier seat's act may have ended the wait
                        self.do(table_id, self.think(table_id, table.table, seat))
                if table.table.due is not None and table.table.due <= now:
                    self.do(table_id, ask.Tick())
        if self.reviews.go_on(self.clock()):
            return 0.0
        due = min((table.due for table in self.tables.values()), default=inf)
        return -1.0 if due == inf else max(0.0, due - self.clock())

    def think(self, table_id: str, table: TableState, seat: int) -> ask.Command:
        """A computer's command, chosen from its seat's view alone."""
        if (chosen := random_command(table, seat)) is not None:
            return chosen
        if table.state is None:
            raise ask.Refused("table/not-now")
        view, spec = table.state.view(seat), table.holders[seat].player
        partie = f"{self.me.guest} {table_id} {len(table.played)} {seat}"
        steady = int.from_bytes(hashlib.sha256(partie.encode()).digest()[:8])
        player = player_of(spec, view.rules, steady if level_of(spec) else secrets.randbits(64))
        try:
            act = player.act(view) if view.legal else None
        finally:
            close(player)
        return ask.Pass(seat) if act is None else ask.Act(seat, str(act))

    def note_change(self, table_id: str) -> None:
        """Mark a match as changed, and delete the oldest beyond `MOST_KEPT`."""
        table = self.tables[table_id]
        self.kept[table_id] = stored_match(table_id, Brief.of(table.table), table.entries)
        self._changed.add(table_id)
        over = [
            old for old, match in self.kept.items() if match.brief.phase is Phase.OVER and old != table_id
        ]
        for oldest in over[: max(0, len(self.kept) - MOST_KEPT)]:
            del self.kept[oldest]
            self.tables.pop(oldest, None)
            self._changed.add(oldest)

    def changes(self) -> str:
        """Changes to store since the last call, as JSON: `me`, and matches by identifier, null for a deleted one."""
        changed = {table_id: self.kept.get(table_id) for table_id in self._changed}
        texts = {table_id: match and write(match).decode() for table_id, match in changed.items()}
        me = msgspec.json.encode(self.me).decode() if self._me_changed else None
        self._changed, self._me_changed = set(), False
        return json.dumps({"me": me, "matches": texts})
