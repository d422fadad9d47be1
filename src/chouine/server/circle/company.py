"""Who is at a table with their page: told by the page itself every few seconds, and known to all nodes.

A page that dies silently stops telling, so nobody need notice that a connection is gone. A node keeps in memory what it
is told; nodes that share a Redis write it there, with the time until which it holds. Nothing of it is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from redis.exceptions import RedisError

from chouine.server.pubsub import redis_at

SILENT = 7.0
"""Seconds after a page last told that it is there, within which it counts as there; it tells every three."""
HIDDEN = 600.0
"""The same for a page out of sight that waits for its turn: it tells once, and then rests."""
LEAVING = 4.0
"""The same for a page that says that it is being closed: it may only be reloading."""
CAME = 24 * 3600.0
"""Seconds for which it is known that a page was there that tells; of others nothing is said."""
EVERY, FORGETS = 1.0, 60
"""Seconds between two looks, and looks until what has passed is forgotten."""
MOST = 100_000
"""Most people at tables of whom a node keeps something."""
HERE_KEY, CAME_KEY = "chouine:here:", "chouine:came:"


class PresenceNote(NamedTuple):
    """What a page told: for how long somebody counts as there, and whether they came with a page that tells.

    `came` is None where that stays as it is.
    """

    seconds: float
    came: bool | None


class Company:
    """The people at tables, as this node knows it, and who on this node wants to be told of them."""

    def __init__(self, redis: str = "") -> None:
        """`redis`: its address, where nodes share one."""
        self.redis = redis_at(redis) if redis else None
        self._here: dict[str, float] = {}
        """Until when each counts as there. Keys are digests of a table and a guest."""
        self._came: dict[str, float] = {}
        self._news: dict[str, PresenceNote] = {}
        """What other nodes are to be told of each."""
        self._looks = 0
        self._watched: dict[str, set[asyncio.Event]] = {}
        self._absent: frozenset[str] = frozenset()
        """Those watched who were there and are not."""

    def note_here(self, table_id: str, guest: str, seconds: float = SILENT) -> None:
        """A page tells that a guest is at a table, for some seconds from now; does not wait."""
        key = key_of(table_id, guest)
        if len(self._came) < MOST or key in self._came:
            self._came[key] = monotonic() + CAME
            self._note(key, PresenceNote(seconds, came=True))

    def note_page(self, table_id: str, guest: str) -> None:
        """A guest's page is being loaded; whether it will tell is not known yet, so they are not missed."""
        key = key_of(table_id, guest)
        self._came.pop(key, None)
        self._note(key, PresenceNote(SILENT, came=False))

    def note_leaving(self, table_id: str, guest: str) -> None:
        """A guest's page is being closed. A reload's next page may have been asked for before: that then counts."""
        key = key_of(table_id, guest)
        if key in self._came or self.redis is not None:
            self._note(key, PresenceNote(LEAVING, came=None))

    def _note(self, key: str, word: PresenceNote) -> None:
        if len(self._here) < MOST or key in self._here:
            self._here[key] = monotonic() + word.seconds
            if self.redis is not None:
                self._news[key] = word

    @contextmanager
    def watching(self, table_id: str, guests: Collection[str], changed: asyncio.Event) -> Iterator[None]:
        """While the context is open, set an event whenever one of these guests leaves a table or comes back."""
        keys = [key_of(table_id, guest) for guest in guests]
        for key in keys:
            self._watched.setdefault(key, set()).add(changed)
        try:
            yield
        finally:
            for key in keys:
                self._watched[key].discard(changed)
                if not self._watched[key]:
                    del self._watched[key]

    def absent_guests(self, table_id: str, guests: Collection[str]) -> frozenset[str]:
        """Which of these guests, who are watched, have left a table; as known a second ago."""
        return frozenset(guest for guest in guests if key_of(table_id, guest) in self._absent)

    async def find_absent(self, table_id: str, guests: Collection[str]) -> frozenset[str]:
        """Which of these guests have left a table, watched or not."""
        keys = {key_of(table_id, guest): guest for guest in guests}
        return frozenset(keys[key] for key in await self._absent_keys([*keys])) if keys else frozenset()

    async def run(self) -> None:
        """Look who has left and who is back, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()

    async def look(self) -> None:
        """Tell other nodes what this one was told, and wake those who wait for news of a change."""
        await self._send()
        absent = frozenset(await self._absent_keys([*self._watched]))
        changed, self._absent = absent ^ self._absent, absent
        for key in changed:
            for event in self._watched.get(key, ()):
                event.set()
        self._looks += 1
        if self._looks % FORGETS == 0:
            now = monotonic()
            for known in (self._here, self._came):
                for key in [key for key, until in known.items() if until <= now]:
                    del known[key]

    async def _send(self) -> None:
        news, self._news = self._news, {}
        if self.redis is None or not news:
            return
        try:
            async with self.redis.pipeline(transaction=False) as pipe:
                for key, (seconds, came) in news.items():
                    pipe.set(HERE_KEY + key, 1, px=int(seconds * 1000))
                    if came:
                        pipe.set(CAME_KEY + key, 1, ex=int(CAME))
                    elif came is not None:
                        pipe.delete(CAME_KEY + key)
                await pipe.execute()
        except (RedisError, OSError):
            return  # it is told again in a few seconds

    async def _absent_keys(self, keys: list[str]) -> list[str]:
        """Which of these were there and are not; none that only another node could know of, out of reach of Redis."""
        now = monotonic()
        away = [key for key in keys if self._here.get(key, 0.0) <= now]
        if self.redis is None:
            return [key for key in away if key in self._came]
        if not away:
            return []
        try:
            here = await self.redis.mget([HERE_KEY + key for key in away])
            came = await self.redis.mget([CAME_KEY + key for key in away])
        except (RedisError, OSError):
            return []
        return [key for key, there, was in zip(away, here, came, strict=True) if was and not there]

    async def close(self) -> None:
        if self.redis is not None:
            await self.redis.aclose()


def key_of(table_id: str, guest: str) -> str:
    """The digest under which a guest at a table is known: it reveals neither."""
    return hashlib.sha256(f"{table_id} {guest}".encode()).hexdigest()[:32]
