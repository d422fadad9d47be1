"""One device without a network: its player, settings and matches, and the computers that play there.

The clock is an argument; `changes` returns what must be stored.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable
from math import inf

import msgspec

from chouine.ai.levels import level_of
from chouine.phrases import Language
from chouine.players.base import close
from chouine.registry import player_of
from chouine.server.offline.matches import StoredMatch, kept, read, write
from chouine.server.offline.reviews import OfflineReviews
from chouine.server.offline.school import Learned
from chouine.server.openings import revanche
from chouine.server.pages import Settings, Visit
from chouine.server.scoring import Sheets
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
from chouine.table import commands as ask
from chouine.table.brief import Brief
from chouine.table.decide import decided
from chouine.table.entries import LogEntry, Opened
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState

STEP = 1.0
"""Seconds from the last event to a computer's act, at the normal pace."""
MOST_KEPT = 60
"""Most matches stored on a device; beyond it the oldest finished ones are deleted."""


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


class Lost(LookupError):
    """There is nothing at this address. Its text is the code of the sentence to show."""


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


class Device:
    """The player, settings and matches of one device. `stored` is what earlier `changes` returned."""

    def __init__(self, clock: Callable[[], float], me: str = "", matches: list[str] | None = None) -> None:
        self.clock = clock
        self.me = msgspec.json.decode(me, type=Me) if me else Me(new_id())
        self.tables: dict[str, ViewedTable] = {}
        self.reviews = OfflineReviews()
        self.kept: dict[str, StoredMatch] = {match.id: match for match in map(read, matches or ())}
        self._changed: set[str] = set()
        self._me_changed = not me

    @property
    def visit(self) -> Visit:
        me = self.me
        return Visit(me.language, "offline", me.guest, me.name, me.level, me.settings, offline=True)

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

    def remember(self, **chosen: object) -> None:
        self.me = msgspec.structs.replace(self.me, **chosen)
        self._me_changed = True

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

    def revanche(self, game: str, room: TableState) -> None:
        """Open the revanche's table once every person wants it."""
        if wanted := revanche(game, room):
            following, opened = wanted
            self.set_table(opened, following, explained=room.explained)
            self.do(game, ask.Follow(following))

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

    def changed(self, game: str) -> None:
        """Mark a match as changed, and delete the oldest beyond `MOST_KEPT`."""
        table = self.tables[game]
        self.kept[game] = kept(game, Brief.of(table.room), table.entries)
        self._changed.add(game)
        over = [old for old, match in self.kept.items() if match.brief.phase is Phase.OVER and old != game]
        for oldest in over[: max(0, len(self.kept) - MOST_KEPT)]:
            del self.kept[oldest]
            self.tables.pop(oldest, None)
            self._changed.add(oldest)

    def changes(self) -> str:
        """Changes to store since the last call, as JSON: `me`, and matches by identifier, null for a deleted one."""
        changed = {game: self.kept.get(game) for game in self._changed}
        texts = {game: match and write(match).decode() for game, match in changed.items()}
        me = msgspec.json.encode(self.me).decode() if self._me_changed else None
        self._changed, self._me_changed = set(), False
        return json.dumps({"me": me, "matches": texts})
