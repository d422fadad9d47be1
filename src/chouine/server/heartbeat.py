"""The server's sign of life, and its clock: time in which nobody could play is given back to whoever has a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

import structlog

from chouine.server.database import Unreachable
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask

log = structlog.get_logger()

BEAT = 2.0
"""Seconds between two signs that a server is there."""
RETURN = 12.5
"""Seconds that a browser takes at most to try again (static/js/stream.js): so much is given back besides."""
AT_ONCE = 100
"""Tables credited together."""


async def steady_clock(store: Store) -> Callable[[], float]:
    """The database's time when asked, going on evenly: whoever sets this machine's clock changes nothing.

    It never begins before the last sign of life: a clock set back between two starts would leave deadlines far off.
    """
    then, since = max(await store.now(), float(await store.setting("alive") or 0)), monotonic()
    return lambda: then + monotonic() - since


AHEAD = 24 * 3600.0
"""Seconds that the last sign of life may lie in the future: a clock was set back a little."""


class WrongClock(Exception):
    """The last sign of life is none, or lies so far ahead that no clock can go on from it."""


async def check_clock(store: Store, *, reset: bool = False) -> None:
    """Raise `WrongClock`, or with `reset` take the present time for the last sign of life."""
    now, stored = await store.now(), await store.setting("alive")
    if reset:
        await store.keep_setting("alive", repr(now))
    elif stored is not None and not 0 <= seconds(stored) <= now + AHEAD:
        raise WrongClock(stored)


def seconds(stored: str) -> float:
    """A sign of life as a time; what is none is never."""
    try:
        return float(stored)
    except ValueError:
        return -1.0


class Heartbeat:
    """Writes a sign of life every few seconds. Clocks run, and commands are taken, only while it can."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.last = 0.0
        tables.in_time = lambda: self.alive

    @property
    def alive(self) -> bool:
        """Whether the database has been there lately, and what was lost before has been given back."""
        return self.tables.clock() - self.last < BEAT * 3

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self.once()
            except Unreachable as error:
                log.warning("cannot say that the server is there", kind=type(error).__name__)
            await asyncio.sleep(BEAT)

    async def once(self) -> None:
        """Give back the time since the last sign of any node, if it was long; then give a sign."""
        await credit_downtime(self.tables)
        now = self.tables.clock()
        await self.tables.store.keep_setting("alive", repr(now))
        self.last = now


async def credit_downtime(tables: Tables) -> None:
    """Give tables with a deadline back the seconds in which no server was there, once."""
    last = await tables.store.setting("alive")
    if last is None or tables.clock() - float(last) < BEAT * 2:
        return
    waking = await tables.store.waking()
    for start in range(0, len(waking), AT_ONCE):
        await asyncio.gather(*(credit(tables, game, last) for game in waking[start : start + AT_ONCE]))


async def credit(tables: Tables, game: str, last: str) -> None:
    """Give one table back the time since a sign, and until its browsers are back, whichever node comes first."""
    try:
        room = await tables.room(game)
        if room is not None and room.deadline is not None:
            await tables.do(game, ask.Credit(tables.clock() - float(last) + RETURN), f"credit-{last}")
    except Unreachable:
        raise
    except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
        log.warning("cannot credit a table", kind=type(error).__name__)
