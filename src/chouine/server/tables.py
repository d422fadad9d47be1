"""The tables being played at: commands in, log out, watchers told. Validate, commit, notify, acknowledge."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

from chouine.cards import PACK
from chouine.server.room import commands as ask
from chouine.server.room.commands import Command, Refused
from chouine.server.room.decide import consequence, decide
from chouine.server.room.entries import AnyEntry, Opened, Sat, Shuffled
from chouine.server.room.fold import fold, follow, opening
from chouine.server.room.state import Phase, Room
from chouine.server.store import Append, Conflict, Store

KEPT = 2000
"""Rooms kept in memory; any other is folded again from its log."""
RETRIES = 8


@dataclass(frozen=True, slots=True)
class Tempo:
    """How computers keep time, in seconds: always the same, whatever they hold."""

    rest: float = 1.0
    """From what happened last to a computer's turn being looked at."""
    thinking: float = 0.5
    """From then to its act being sent; a longer thought takes a whole number of these."""
    every: float = 0.1
    """Between looks for tables that have something to do."""


TEMPO = Tempo()


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
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._watchers: dict[str, set[asyncio.Event]] = {}

    async def open(self, opened: Opened, game: str | None = None) -> str:
        """Set a table; its identifier."""
        game, now = game or new_id(), self.clock()
        room = opening(opened, now)
        entries: list[AnyEntry] = [opened]
        while (more := consequence(room, self.shuffle)) is not None:
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
        if entries:
            known = fold(entries, known)
        if known is not None:
            self._keep(game, known)
        return known

    async def past(self, game: str, n: int) -> tuple[Room | None, list[tuple[AnyEntry, float]]]:
        """The table after `n` entries, and the entries since."""
        log = await self.store.log(game)
        return (fold(log[:n]) if log[:n] else None), log[n:]

    async def do(self, game: str, command: Command, command_id: str | None = None) -> Room:
        """Carry a command out, once: the table afterwards. `Refused`, `IllegalAction`, `LookupError` change nothing."""
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            for _ in range(RETRIES):
                room = await self.room(game)
                if room is None:
                    raise LookupError(game)
                if command_id and await self.store.taken(game, command_id):
                    return await self.room(game) or room  # another node may have written it since
                now = self.clock()
                entries = decide(room, command, now, self.shuffle)
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
        after = fold(((entry, now) for entry in entries), room)
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
            return now + self.tempo.rest
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
        """Once every person wants it, the revanche's table: one only, however often it is asked for."""
        if room.phase is not Phase.OVER or not room.people or not room.people <= room.ready:
            return None
        terms = room.opened
        following = hashlib.sha256(f"{game} revanche".encode()).hexdigest()[:32]
        with suppress(Conflict):
            await self.open(Opened(terms.rules, terms.format, room.chairs, terms.clock), following)
        return (await self.do(game, ask.Follow(following), "follow")).next_game


def computers_awaited(room: Room) -> frozenset[int]:
    """Computers the table waits for."""
    return room.awaited - room.people
