"""Computers at a test's tables: their thinkers, and waiting for their acts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from chouine.server.computers import Computers
from chouine.server.fair_queue import NOBODY, ComputeAccount
from chouine.server.heartbeat import Heartbeat
from chouine.server.tables import Tables
from chouine.server.thinking import ComputerMove, Thinker, ThinkerPool, ThoughtRequest, encode, think
from chouine.table import entries as log
from chouine.table.state import TableState
from tests.patience import PATIENCE
from tests.server.matches import opening, person, playing
from tests.server.stores import play_on, present, set_table

COMPUTER = log.SeatHolder("heuristic", "Lavardin")


class AlwaysAlive(Heartbeat):
    """A heartbeat whose database is always reachable."""

    alive = True


def threads() -> ThinkerPool:
    """Thinkers in threads, for tests of their input and output only."""
    return ThinkerPool(1, ThreadPoolExecutor, ThreadPoolExecutor)


@dataclass
class Listening:
    """A thinker that records its questions and answers by a function."""

    answer: Callable[[ThoughtRequest], ComputerMove] = lambda thought: think(encode(thought))
    asked: list[tuple[ThoughtRequest, str]] = field(default_factory=list)
    shares: list[ComputeAccount] = field(default_factory=list)

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:
        self.shares.append(share)
        self.asked.append((thought, name))
        return self.answer(thought)

    async def close(self) -> None:
        pass


@asynccontextmanager
async def computers_at(tables: Tables, thinker: Thinker | None = None) -> AsyncIterator[Computers]:
    computers = Computers(tables, thinker or threads(), AlwaysAlive(tables))
    running = asyncio.create_task(computers.run())
    try:
        yield computers
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        await computers.close()


async def table_awaiting_computer(tables: Tables, chair: log.SeatHolder = COMPUTER) -> tuple[str, TableState]:
    """A table at which a person has played until the computer at seat 1 is on turn."""
    table_id, _ = await set_table(tables, opening(chairs=(person(0), chair)))
    return table_id, await play_on(
        tables, table_id, lambda table: bool(playing(table) and table.awaited == {1})
    )


async def until(
    tables: Tables, table_id: str, reached: Callable[[TableState], bool], seconds: float = PATIENCE
) -> TableState:
    """Wait until the state satisfies `reached`, and return it."""
    async with asyncio.timeout(seconds):
        while not reached(table := await present(tables, table_id)):  # noqa: ASYNC110  # the store has no event
            await asyncio.sleep(0.01)
    return table


async def nothing(now: float, until: float, but: Collection[str] = ()) -> list[str]:
    """A claim that finds no due table."""
    return []
