"""The server's heartbeat in the database. Time without any server is credited to running clocks afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import isfinite
from time import monotonic

import structlog

from chouine.server.database import Superseded, Unreachable
from chouine.server.migrations import ALIVE
from chouine.server.schema import VERSION
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask

log = structlog.get_logger()

BEAT = 2.0
"""Seconds between heartbeats."""
RETURN = 12.5
"""Longest time in seconds until a browser reconnects (static/js/stream.js); credited on top of the outage."""
AT_ONCE = 100
"""Tables credited concurrently."""


async def steady_clock(store: Store) -> Callable[[], float]:
    """A clock that starts at the database's time and then runs monotonically, whatever happens to this machine's clock.

    It never starts before the last heartbeat: with a clock set back between two starts, deadlines would be far off.
    """
    then, since = max(await store.now(), float(await store.setting("alive") or 0)), monotonic()
    return lambda: then + monotonic() - since


AHEAD = 24 * 3600.0
"""Seconds by which the last heartbeat may lie in the future, for a clock that was set back a little."""


class WrongClock(Exception):
    """The stored heartbeat is unreadable, or too far in the future for a clock to continue from."""


async def check_clock(store: Store, *, reset: bool = False) -> None:
    """Raise `WrongClock` for a bad heartbeat; with `reset` replace it by the current time."""
    now, stored = await store.now(), await store.setting("alive")
    if reset:
        await store.keep_setting("alive", repr(now))
    elif stored is not None and not 0 <= seconds(stored) <= now + AHEAD:
        raise WrongClock(stored)


def seconds(stored: str) -> float:
    """The time of a stored heartbeat, -1 for an unreadable one."""
    try:
        return float(stored) if isfinite(float(stored)) else -1.0
    except ValueError:
        return -1.0


class Heartbeat:
    """Writes a heartbeat every few seconds. Clocks run and commands are accepted only while that succeeds."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.last = 0.0
        tables.in_time = lambda: self.alive

    @property
    def alive(self) -> bool:
        """Whether the database was reached lately and all earlier outages have been credited."""
        return self.tables.rests() or self.tables.clock() - self.last < BEAT * 3

    @property
    def works(self) -> bool:
        """Whether computers, deadlines and contests go on: not without heartbeats, nor during maintenance."""
        return self.alive and not self.tables.rests()

    async def run(self) -> None:
        """Write heartbeats until cancelled."""
        while True:
            try:
                await self.beat()
                self.tables.superseded = False
            except Superseded:
                log.warning("superseded: stop this program", setting="--database", ours=VERSION, most=1)
                self.tables.supersede()
            except Unreachable as error:
                log.warning("cannot say that the server is there", kind=type(error).__name__)
            await asyncio.sleep(BEAT)

    async def beat(self) -> None:
        """Credit the time since the last heartbeat of any node, if it was an outage; then write one.

        During maintenance nothing is written, so that it is an outage.
        """
        if self.tables.rests():
            return
        await credit_downtime(self.tables)
        now = self.tables.clock()
        await self.tables.store.keep_setting("alive", repr(now))
        await self.tables.store.keep_setting(f"{ALIVE}{VERSION}", repr(now))
        self.last = now


async def credit_downtime(tables: Tables) -> None:
    """Credit the outage once to all tables with a deadline."""
    last = await tables.store.setting("alive")
    if last is not None and seconds(last) < 0:
        log.error("the last heartbeat cannot be read, so no outage is credited")
        return
    if last is None or tables.clock() - seconds(last) < BEAT * 2:
        return
    waking = await tables.store.waking_tables()
    for start in range(0, len(waking), AT_ONCE):
        await asyncio.gather(
            *(credit(tables, table_id, last) for table_id in waking[start : start + AT_ONCE])
        )


async def credit(tables: Tables, table_id: str, last: str) -> None:
    """Credit one table with the time since the last heartbeat plus `RETURN`; the first node to do so counts."""
    try:
        table = await tables.table(table_id)
        if table is not None and table.deadline is not None:
            await tables.do(table_id, ask.Credit(tables.clock() - seconds(last) + RETURN), f"credit-{last}")
    except Unreachable:
        raise
    except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
        log.warning("cannot credit a table", kind=type(error).__name__)
