"""Stores and tables that are closed after a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import TypeVar
from unittest.mock import patch

import sqlalchemy as sa

from chouine.server import engines
from chouine.server.engines import engine_of
from chouine.server.schema import session
from chouine.server.store import Store
from chouine.server.tables import Tables, Tempo
from chouine.table import commands as ask
from chouine.table.entries import Opened
from chouine.table.state import TableState
from tests.patience import PATIENCE
from tests.server.matches import any_answer, opening, shuffler

Value = TypeVar("Value")


@contextmanager
def patient_with_locks() -> Iterator[None]:
    """Let this process wait as long as a busy machine needs while a test's server writes the same SQLite file."""
    with patch.object(engines, "LOCKED", PATIENCE):
        yield


QUICK = Tempo(rest=0.0, thinking=0.01, every=0.01)
"""Computers with hardly any delay."""


class Clock:
    """A clock that the test advances."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def store_at(database: str) -> AsyncIterator[Store]:
    store = Store.at(database)
    try:
        yield store
    finally:
        await store.close()


def with_store(database: str, test: Callable[[Store], Awaitable[Value]]) -> Value:
    """Run a test coroutine with a store."""

    async def go() -> Value:
        async with store_at(database) as store:
            return await test(store)

    return asyncio.run(go())


async def alter(database: str, *statements: str) -> None:
    """Run statements in one transaction on a database of either kind."""
    engine = engine_of(database)
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(sa.text(statement))
    await engine.dispose()


def tables_of(store: Store, clock: Clock | None = None, seed: int = 0, tempo: Tempo = QUICK) -> Tables:
    """Tables with seeded packs."""
    return Tables(store, clock or Clock(), tempo, shuffler(Random(seed)))


async def set_table(tables: Tables, first: Opened | None = None) -> tuple[str, TableState]:
    """A table just set: its identifier and state."""
    table_id = await tables.open(first or opening())
    return table_id, await present(tables, table_id)


async def present(tables: Tables, table_id: str) -> TableState:
    table = await tables.table(table_id)
    assert table is not None
    return table


async def play_on(
    tables: Tables, table_id: str, reached: Callable[[TableState], bool], rng: Random | None = None
) -> TableState:
    """Play at random until the state satisfies `reached`."""
    rng, table = rng or Random(0), await present(tables, table_id)
    while not reached(table):
        command: ask.Command = any_answer(table, rng)
        table = await tables.do(table_id, command, f"{table.n}-{rng.getrandbits(32)}")
    return table


async def keep_session(store: Store, token: str, guest: str, settings: bytes, now: float) -> None:
    """Store a browser's guest and settings, by the digest of its cookie."""
    values = {"token": token, "guest": guest, "begun": now, "settings": settings, "seen": now}

    def change(connection: sa.Connection) -> None:
        connection.execute(session.delete().where(session.c.token == token))
        connection.execute(session.insert().values(values))

    await store.database.write(change)
