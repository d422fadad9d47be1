"""Stores and tables that are closed after a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import TypeVar

import sqlalchemy as sa

from chouine.server.engines import engine_of
from chouine.server.store import Store
from chouine.server.tables import Tables, Tempo
from chouine.table import commands as ask
from chouine.table.entries import Opened
from chouine.table.state import TableState
from tests.server.matches import any_answer, opened, shuffler

Value = TypeVar("Value")
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


async def begun(tables: Tables, first: Opened | None = None) -> tuple[str, TableState]:
    """A table just set: its identifier and state."""
    table_id = await tables.open(first or opened())
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
