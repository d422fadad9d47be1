"""The tables being played at: commands in, log out, watchers told. Validate, commit, notify, acknowledge."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from chouine.cards import PACK
from chouine.server.room import commands as ask
from chouine.server.room.commands import Command, Refused
from chouine.server.room.decide import consequence, decide
from chouine.server.room.entries import AnyEntry, Chair, Opened, Sat, Shuffled
from chouine.server.room.fold import follow, opening
from chouine.server.room.state import Phase, Room
from chouine.server.store import Append, Conflict, Store

KEPT = 2000
"""Rooms kept in memory; any other is folded again from its log."""
PACE = 1.0
"""Seconds a computer takes for each act, whatever it holds."""
RETRIES = 8


def shuffle() -> Shuffled:
    """A pack from the system's source of chance, and the nonce that hides it (256 bits)."""
    pack = list(PACK)
    secrets.SystemRandom().shuffle(pack)
    return Shuffled("".join(map(str, pack)), secrets.token_hex(32))


def new_id() -> str:
    """An identifier nobody can guess (128 bits)."""
    return secrets.token_urlsafe(16)


class Tables:
    """Every table of a store. Nothing here is more than a cache: another process could go on from the store."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.clock = clock
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._watchers: dict[str, set[asyncio.Event]] = {}

    async def open(self, opened: Opened, game: str | None = None) -> str:
        """Set a table; its identifier."""
        game, now = game or new_id(), self.clock()
        room = opening(opened, now)
        entries: list[AnyEntry] = [opened]
        while (more := consequence(room, shuffle)) is not None:
            entries.append(more)
            room = follow(room, more, now)
        held = [(seat, chair.guest) for seat, chair in enumerate(opened.chairs) if chair.guest]
        await self.store.open(
            Append(game, 0, now, None, entries, self.wake(room, now), over=False, seats=held)
        )
        return game

    async def room(self, game: str) -> Room | None:
        """The table as the store has it now; None if there is none."""
        known = self._rooms.get(game)
        entries = await self.store.log(game, known.n if known else 0)
        for entry, at in entries:
            known = follow(known, entry, at) if known else opening(_first(entry), at)
        if known is not None:
            self._keep(game, known)
        return known

    async def past(self, game: str, n: int) -> tuple[Room | None, list[tuple[AnyEntry, float]]]:
        """The table after `n` entries, and the entries since."""
        log = await self.store.log(game)
        room: Room | None = None
        for entry, at in log[:n]:
            room = follow(room, entry, at) if room else opening(_first(entry), at)
        return room, log[n:]

    async def do(self, game: str, command: Command, command_id: str | None = None) -> Room:
        """Carry a command out, once: the table afterwards. `Refused`, `IllegalAction`, `LookupError` change nothing."""
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            for _ in range(RETRIES):
                room = await self.room(game)
                if room is None:
                    raise LookupError(game)
                if command_id and await self.store.taken(game, command_id):
                    return room
                now = self.clock()
                entries = decide(room, command, now, shuffle)
                if not entries:
                    return room
                try:
                    return await self._commit(game, room, entries, now, command_id)
                except Conflict:
                    continue
        raise Refused("room/busy")

    async def _commit(
        self, game: str, room: Room, entries: tuple[AnyEntry, ...], now: float, command: str | None
    ) -> Room:
        after = room
        for entry in entries:
            after = follow(after, entry, now)
        sat = [(entry.seat, entry.guest) for entry in entries if isinstance(entry, Sat)]
        over = after.phase is Phase.OVER
        await self.store.append(Append(game, room.n, now, command, entries, self.wake(after, now), over, sat))
        self._keep(game, after)
        self.notify(game)
        return after

    def _keep(self, game: str, room: Room) -> None:
        self._rooms[game] = room
        self._rooms.move_to_end(game)
        while len(self._rooms) > KEPT:
            self._rooms.popitem(last=False)

    def wake(self, room: Room, now: float) -> float | None:
        """When the table next acts by itself: a computer's turn, or a deadline."""
        if room.paused is not None:
            return None
        if computers_awaited(room):
            return now + PACE
        return room.deadline

    def notify(self, game: str) -> None:
        """Wake whoever watches a table."""
        for watcher in self._watchers.get(game, ()):
            watcher.set()

    def notify_all(self) -> None:
        """Wake every watcher: the server stops."""
        for game in list(self._watchers):
            self.notify(game)

    @asynccontextmanager
    async def watching(self, game: str) -> AsyncIterator[asyncio.Event]:
        """An event set whenever the table moves."""
        moved = asyncio.Event()
        watchers = self._watchers.setdefault(game, set())
        watchers.add(moved)
        try:
            yield moved
        finally:
            watchers.discard(moved)
            if not watchers:
                self._watchers.pop(game, None)

    async def revanche(self, game: str, room: Room) -> str | None:
        """Once every person wants it, the revanche's table."""
        if room.next_game or not room.people or not room.people <= room.ready:
            return room.next_game
        chairs = tuple(Chair(chair.player, chair.name, chair.guest) for chair in room.chairs)
        following = await self.open(replace_opened(room.opened, chairs))
        await self.do(game, ask.Follow(following), "follow")
        after = await self.room(game)
        return after.next_game if after else None


def replace_opened(opened: Opened, chairs: tuple[Chair, ...]) -> Opened:
    """The same terms with these chairs, and a fresh deal."""
    return Opened(opened.rules, opened.format, chairs, opened.clock)


def computers_awaited(room: Room) -> frozenset[int]:
    """Computers the table waits for."""
    return room.awaited - room.people


def _first(entry: AnyEntry) -> Opened:
    if not isinstance(entry, Opened):
        raise TypeError("a log begins with the table's opening")
    return entry
