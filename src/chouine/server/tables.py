"""The live tables. A command is validated, committed, notified to watchers, then acknowledged."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from weakref import WeakValueDictionary

import sqlalchemy as sa

from chouine.ai.levels import UNAIDED, level_of
from chouine.errors import ChouineError
from chouine.server.codec import decode_brief, encode_brief
from chouine.server.database import Damaged, Superseded, Unreachable
from chouine.server.metrics import DONE, REFUSED, ROOMS, TABLES
from chouine.server.new_table import revanche
from chouine.server.site import Closed
from chouine.server.standing.ledger import enter_match
from chouine.server.store import Append, Change, Conflict, Gone, Store, write_table
from chouine.server.table_cache import KnownTable, Step, computers_awaited, new_id, opening_entries, shuffle
from chouine.server.table_cache import steps_of as made_of
from chouine.server.terms import check_length, check_terms
from chouine.table import commands as ask
from chouine.table.brief import Brief
from chouine.table.commands import Command, Refused
from chouine.table.decide import decide_all
from chouine.table.entries import LogEntry, Opened, Sat, Shuffled
from chouine.table.evolve import rebuild as rebuilt
from chouine.table.state import Phase, TableState


@contextmanager
def report_damage() -> Iterator[None]:
    """Within this context any error is `Damaged`: each entry was legal when it was written."""
    try:
        yield
    except Exception as error:
        raise Damaged from error


def rebuild(entries: Iterable[tuple[LogEntry, float]], table: TableState | None = None) -> TableState:
    """The state after these entries, from an empty table or from this one. Raises `Damaged`."""
    with report_damage():
        return rebuilt(entries, table)


def steps_of(table: TableState, entries: Iterable[tuple[LogEntry, float]]) -> list[Step]:
    """Each of these entries with the state of the table after it. Raises `Damaged`."""
    with report_damage():
        return made_of(table, entries)


KEPT = 3000
"""Tables cached in memory; others are rebuilt from their logs."""
PIECE = 200
"""Entries read at a time."""
AT_ONCE = 20
"""More entries than this are folded in another thread, so that they do not block other tables."""
RETRIES = 8
PAUSE, PATIENCE = 0.1, 3.0
"""Seconds before a database that does not answer is tried again (then longer), and until a command is given up."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """The timing of computers' moves in seconds; fixed, so that it reveals nothing of a hand."""

    rest: float = 0.5
    """From the last event to the start of a computer's thinking, at the normal pace."""
    thinking: float = 0.5
    """From the start of thinking to the act; a longer thought is rounded up to whole multiples."""
    every: float = 0.1
    """Between two polls for due tables."""
    absent: float = 8.0
    """After this time without an answer the table shows a computer as away."""


TEMPO = Tempo()


class Tables:
    """All tables of a store, cached. Other processes may use the same store.

    A command is decided on the cached state. If that was out of date, the key (game, n) refuses the write, or the
    table refuses a valid command; then the log is read, and the command is decided once more.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = time.time,
        tempo: Tempo = TEMPO,
        shuffle: Callable[[], Shuffled] = shuffle,
    ) -> None:
        self.store = store
        self.clock = clock
        self.tempo = tempo
        self.shuffle = shuffle
        self.tell: Callable[[str, int], None] = notify_nobody
        """Notifies other nodes of a table's number of entries."""
        self.turned: list[Callable[[str, TableState], None]] = []
        """Each is called with each table whose state this node changed."""
        self.ended: Callable[[str], None] = lambda _game: None
        """Called with each table whose match ends on this node."""
        self.in_time: Callable[[], bool] = lambda: True
        """False after a database outage, until the lost time has been credited to the clocks."""
        self.rests: Callable[[], bool] = lambda: False
        """Whether maintenance is going on: then nothing is played."""
        self.strong = True
        """Whether levels 7 and 8 may be seated."""
        self.superseded = False
        """Whether the database has another schema than this program's: then nothing is shown or written."""
        self._known: OrderedDict[str, KnownTable] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._rewritten = 0
        """How many logs were rewritten: what was read before may not be cached any more."""
        self._beside = ThreadPoolExecutor(1, "fold")

    async def open(
        self,
        opened: Opened,
        table_id: str | None = None,
        set_by: tuple[str, str] = ("", ""),
        played: Iterable[tuple[int, str]] = (),
        claim: Callable[[sa.Connection], None] | None = None,
        *,
        explained: bool = False,
    ) -> str:
        """Open a table and return its identifier. Raises `Refused` for a match that is too long, or `Closed`.

        `set_by`: the guest, and a digest of the address. `played`, `explained`: as in `opening_entries`. `claim`: see
        `Store.open`.
        """
        first = self._opening(opened, table_id or new_id(), set_by, played, explained=explained)
        await self.store.open(first, claim)
        self._known.pop(first.table_id, None)  # of a table with the same identifier that was removed
        return first.table_id

    def _opening(
        self,
        opened: Opened,
        table_id: str,
        set_by: tuple[str, str],
        played: Iterable[tuple[int, str]] = (),
        *,
        explained: bool,
    ) -> Append:
        """What opens a table. Raises as `open` does."""
        check_terms(opened)
        if self.rests():
            raise Closed("closed/maintenance")
        if not self.strong and any(level_of(holder.player) > UNAIDED for holder in opened.chairs):
            raise Closed("closed/levels")
        now, (owner, origin) = self.clock(), set_by
        entries, table = opening_entries(opened, now, self.shuffle, played, explained=explained)
        held = [(seat, holder.guest) for seat, holder in enumerate(opened.chairs) if holder.guest]
        return Append(
            table_id,
            0,
            now,
            None,
            entries,
            self.wake(table, now),
            over=False,
            seats=held,
            owner=owner,
            origin=origin,
        )

    async def table(self, table_id: str) -> TableState | None:
        """The table's state, current with the store; None if there is no such table."""
        known, rewritten = self._known.get(table_id), self._rewritten
        n = known.table.n if known else 0
        entries = await self.store.log(table_id, n, AT_ONCE + 1)
        if rewritten != self._rewritten:
            return await self.table(table_id)
        if len(entries) > AT_ONCE:
            async with self._reading.setdefault(table_id, asyncio.Lock()):
                return await self._long(table_id)
        known = self._known.get(table_id) or known
        if known is None:
            if not entries:
                return None
            known, n, entries = KnownTable(rebuild(entries[:1])), 1, entries[1:]
        self._add(table_id, known, steps_of(known.table, entries[known.table.n - n :]))
        return known.table

    async def _long(self, table_id: str) -> TableState:
        """Load a table with a long unread log: read in pieces, folded off the event loop."""
        rewritten = self._rewritten
        known = self._known.get(table_id) or KnownTable(rebuild(await self.store.log(table_id, 0, 1)))
        while entries := await self.store.log(table_id, n := known.table.n, PIECE):
            table, loop = known.table, asyncio.get_running_loop()
            steps = await loop.run_in_executor(self._beside, steps_of, table, entries)
            known.add(steps[max(0, known.table.n - n) :])
        if rewritten != self._rewritten:
            return await self._long(table_id)
        self._keep(table_id, known)
        self.notify(table_id)
        return known.table

    async def brief(self, table_id: str, stored: bytes | None = None) -> Brief | None:
        """The table's line for lists, from what is `stored` of it once it is over; None if there is no such table."""
        if stored:
            return decode_brief(stored)
        table = await self.table(table_id)
        if table is None:
            return None
        brief = Brief.of(table)
        if table.phase is Phase.OVER:
            with suppress(Unreachable):
                await self.store.keep_brief(table_id, encode_brief(brief))
        return brief

    def at_hand(self, table_id: str, n: int) -> TableState | None:
        """The cached state of a table, if it is that after `n` entries."""
        known = self._known.get(table_id)
        return known.table if known and known.table.n == n else None

    def steps(self, table_id: str, n: int) -> list[Step] | None:
        """The steps from entry `n` to the cached state; None if some are no longer cached."""
        known = self._known.get(table_id)
        return known.since(n) if known else None

    async def do(
        self,
        table_id: str,
        command: Command,
        command_id: str | None = None,
        allowed: Callable[[TableState], object] = lambda _: None,
        also: Sequence[Change] = (),
    ) -> TableState:
        """Carry out a command once and return the new state.

        Raises `Refused`, `IllegalAction`, `LookupError`, or `Closed` during maintenance.

        `allowed` raises `Refused` if the command must not be carried out on that state. `also` makes further changes in
        the same transaction.
        """
        command_id = command_id or secrets.token_urlsafe(12)
        if self.rests() and not isinstance(command, ask.Credit | ask.Leave | ask.Sit):
            raise Closed("closed/maintenance")
        if not isinstance(command, ask.Credit):
            await self._clocks_right()
        try:
            async with self._locks.setdefault(table_id, asyncio.Lock()):
                return await self._do_checked(table_id, command, command_id, allowed, also)
        except ChouineError:
            REFUSED.inc()
            raise

    async def _clocks_right(self) -> None:
        """Wait until an outage has been credited: acts before that would count as late."""
        begun = monotonic()
        while not self.in_time():
            if monotonic() - begun > PATIENCE:
                raise Unreachable
            await asyncio.sleep(PAUSE)

    async def _do_checked(
        self,
        table_id: str,
        command: Command,
        command_id: str,
        allowed: Callable[[TableState], object],
        also: Sequence[Change],
    ) -> TableState:
        """Decide on the cached state, and if that fails, once more on the current state."""
        if (known := self._known.get(table_id)) is not None:
            with suppress(ChouineError, Conflict, Unreachable):
                return await self._carried_out(table_id, known.table, command, command_id, allowed, also)
        begun = monotonic()
        for attempt in range(RETRIES):
            try:
                table = await self._present_table(table_id)
                if await self.store.is_taken(table_id, command_id):
                    table = await self._present_table(table_id)  # another node may have written it since
                    # Whoever wrote it may have had no answer, and so announced nothing.
                    self._announce(table_id, table)
                    allowed(table)  # a number that was used tells a stranger nothing
                    return table
                return await self._carried_out(table_id, table, command, command_id, allowed, also)
            except Conflict:
                continue
            except Unreachable as error:
                if isinstance(error, Superseded) or monotonic() - begun > PATIENCE:
                    raise
                await asyncio.sleep(PAUSE * 2**attempt)
        raise Refused("table/busy")

    async def _present_table(self, table_id: str) -> TableState:
        table = await self.table(table_id)
        if table is None:
            raise LookupError(table_id)
        return table

    async def _carried_out(
        self,
        table_id: str,
        table: TableState,
        command: Command,
        command_id: str,
        allowed: Callable[[TableState], object],
        also: Sequence[Change],
    ) -> TableState:
        """Decide on this state, commit, notify."""
        allowed(table)
        check_length(table, command)
        now = self.clock()
        added = decide_all(table, command, now, self.shuffle)
        if not added:
            return table
        if isinstance(command, ask.Revanche) and (first := await self._revanche(table_id, added[-1][1])):
            added += decide_all(added[-1][1], ask.Follow(first.table_id), now, self.shuffle)
            also = (*also, partial(write_table, first))
        after = added[-1][1]
        await self.store.append(self._more(table_id, table, added, command_id, now, also))
        known = self._known.get(table_id)
        if known is not None and known.table is table:
            befores = (table, *(each for _, each in added))
            steps = (Step(before, entry, each) for before, (entry, each) in zip(befores, added, strict=False))
            self._add(table_id, known, steps)
        elif known is not None and known.table.n < after.n:
            del self._known[
                table_id
            ]  # its log was rewritten and read anew meanwhile: `after` is of the old one
        self._announce(table_id, after)
        DONE.inc()
        return after

    def _more(
        self,
        table_id: str,
        table: TableState,
        added: Sequence[tuple[LogEntry, TableState]],
        command_id: str,
        now: float,
        also: Sequence[Change] = (),
    ) -> Append:
        """What appends these entries to a table's log, with what follows from them elsewhere."""
        entries, after = [entry for entry, _ in added], added[-1][1]
        sat = [(entry.seat, entry.guest) for entry in entries if isinstance(entry, Sat)]
        wake, over = self.wake(after, now), after.phase is Phase.OVER
        stirs = over or wake is not None or self.wake(table, now) is not None
        brief = encode_brief(Brief.of(after)) if over else None
        if over and table.phase is not Phase.OVER and after.rated:
            also = (*also, partial(enter_match, table_id, table, after, now))
        return Append(table_id, table.n, now, command_id, entries, wake, over, sat, stirs, brief, also)

    async def sit_again(
        self,
        table_ids: Iterable[str],
        seats: Callable[[TableState], Sequence[ask.Sit]],
        also: Change,
    ) -> None:
        """Let somebody sit otherwise at several tables, and make further changes, in one transaction.

        A table that cannot be read, or where they no longer sit, is left out. Raises `Refused` if others are too quick.
        """
        await self._clocks_right()
        for _ in range(RETRIES):
            now, made = self.clock(), list[tuple[Append, TableState]]()
            for table_id in table_ids:
                await asyncio.sleep(0)  # others are served between two tables
                with suppress(Damaged, Refused, LookupError, Gone):
                    after = before = await self._present_table(table_id)
                    added = list[tuple[LogEntry, TableState]]()
                    for command in seats(before):
                        added += decide_all(after, command, now, self.shuffle)
                        after = added[-1][1]
                    if added:
                        command_id = secrets.token_urlsafe(12)
                        made.append((self._more(table_id, before, added, command_id, now), after))
            with suppress(Conflict):
                await self.store.append_all([more for more, _ in made], also)
                for more, after in made:
                    self._announce(more.table_id, after)
                return
        raise Refused("table/busy")

    async def _revanche(self, table_id: str, table: TableState) -> Append | None:
        """What opens the revanche's table, in the write by which the last person wants it; None before that."""
        if (wanted := revanche(table_id, table)) is None:
            return None
        following, opened = wanted
        set_by = await self.store.set_by(table_id)
        return self._opening(opened, following, set_by, explained=table.explained)

    def _announce(self, table_id: str, table: TableState) -> None:
        """Tell everybody who is to know of a table that this node changed."""
        self.notify(table_id)
        self.tell(table_id, table.n)
        for note in self.turned:
            note(table_id, table)
        if table.phase is Phase.OVER:
            self.ended(table_id)

    def _add(self, table_id: str, known: KnownTable, steps: Iterable[Step]) -> None:
        """Cache steps, and wake the table's watchers if there are any: whoever read them, no hint will do it later."""
        before = known.table.n if self._known.get(table_id) is known else -1
        known.add(steps)
        self._keep(table_id, known)
        if known.table.n != before:
            self.notify(table_id)

    def _keep(self, table_id: str, known: KnownTable) -> None:
        self._known[table_id] = known
        self._known.move_to_end(table_id)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        ROOMS.set(len(self._known))

    def wake(self, table: TableState, now: float) -> float | None:
        """When the table next acts without a command: at a computer's turn, or at a deadline."""
        if table.paused is not None:
            return None
        if computers_awaited(table):
            return now + self.tempo.rest * table.opened.pace
        return table.due

    def notify(self, table_id: str) -> None:
        """Wake a table's watchers."""
        for watcher in self._watchers.get(table_id, ()):
            watcher.set()

    def notify_all(self) -> None:
        """Wake all watchers, because their streams end."""
        for table_id in list(self._watchers):
            self.notify(table_id)

    def supersede(self) -> None:
        """Note that the database has another schema, and end all streams: other nodes may go on."""
        self.superseded = True
        self.notify_all()

    def watched_lengths(self) -> dict[str, int]:
        """Tables watched on this node, with the number of entries cached of each."""
        return {
            table_id: self._known[table_id].table.n if table_id in self._known else 0
            for table_id in self._watchers
        }

    async def note_move(self, table_id: str, n: int) -> None:
        """A table now has this many entries: read them if they are new, which wakes its watchers on this node."""
        known = self._known.get(table_id)
        if table_id in self._watchers and (known is None or known.table.n < n):
            await self.table(table_id)

    def drop(self, table_id: str) -> None:
        """Read a table anew from now on: its log was rewritten. Its watchers are shown its present state."""
        self._known.pop(table_id, None)
        self._rewritten += 1
        self.notify(table_id)

    def length(self, table_id: str) -> int:
        """The number of cached entries of a table."""
        known = self._known.get(table_id)
        return known.table.n if known else 0

    @contextmanager
    def watching(self, table_id: str, moved: asyncio.Event) -> Iterator[None]:
        """While the context is open, set an event whenever the table changes."""
        watchers = self._watchers.setdefault(table_id, set())
        watchers.add(moved)
        TABLES.set(len(self._watchers))
        try:
            yield
        finally:
            watchers.discard(moved)
            if not watchers:
                self._watchers.pop(table_id, None)
            TABLES.set(len(self._watchers))


def notify_nobody(_table_id: str, _n: int) -> None:
    """Notify no other node: there is none."""
