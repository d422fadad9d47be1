"""Who measures how long a computer takes learns nothing of what it holds (§14): the times of two sorts of hand are
of one distribution, by the two-sample test of Kolmogorov and Smirnov.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import monotonic

import pytest

from chouine.partie import Play
from chouine.server.computers import Computers
from chouine.server.fair_queue import NOBODY, Share
from chouine.server.migrations import upgrade
from chouine.server.store import Store
from chouine.server.tables import Tempo
from chouine.server.thinking import ComputerMove, Thinker, Thought, encode, think
from chouine.table.entries import SeatHolder
from chouine.table.state import TableState
from tests.server.matches import Table, opened, playing
from tests.server.stores import tables_of, with_store
from tests.server.tables.computers import AlwaysAlive

SAMPLES = 60
STEPS = (0.25, 0.5, 1.0, 2.0)
"""Seconds that every answer takes: one of these is long beside what a busy machine adds to a thought."""
TELLING = 0.48
"""Steps by which a thought of a rich hand is longer, so that there is something to hide."""
QUEUE = 1 - TELLING / 2
"""Steps that others are thought for: with those of a rich hand, and without those of a plain one, within a step."""
CRITICAL = 1.95 * sqrt(2 / SAMPLES)
"""Beyond this two samples of one distribution are apart once in a thousand times."""
SEAT = 1


@dataclass
class Telling:
    """Thinks as computers do, and longer about a hand with something to declare."""

    step: float

    async def think(self, thought: Thought, name: str, share: Share = NOBODY) -> ComputerMove:  # noqa: ARG002  # as asked
        answer = await asyncio.to_thread(think, encode(thought))
        longer = self.step * TELLING * rich(thought.view.legal)
        await asyncio.sleep(longer)
        return ComputerMove(answer.token, answer.seconds + longer)

    async def close(self) -> None:
        """Nothing is held."""


class Busy(Telling):
    """The same, once others have been thought for, as where one process thinks for several tables."""

    async def think(self, thought: Thought, name: str, share: Share = NOBODY) -> ComputerMove:
        await asyncio.sleep(self.step * QUEUE)
        return await super().think(thought, name, share)


def rich(legal: object) -> bool:
    return isinstance(legal, tuple) and any(isinstance(act, Play) and act.declaration for act in legal)


def hands(wanted: bool) -> list[TableState]:  # noqa: FBT001  # which of two sorts
    """Rooms where the computer is to play, its hand of the one sort or the other."""
    found: list[TableState] = []
    chairs = [SeatHolder("heuristic", "Vendôme"), SeatHolder("heuristic", "Lavardin")]
    seed = 0
    while len(found) < SAMPLES:
        seed += 1
        table = Table.set(opened(chairs=chairs), seed).until(playing)
        for _ in range(Random(seed).randrange(8)):
            table.step()
        room = table.room
        if playing(room) and room.state and room.awaited == {SEAT} and not room.window:
            found += [room] if rich(room.state.view(SEAT).legal) == wanted else []
    return found


def distance(these: list[float], those: list[float]) -> float:
    """The largest difference between two samples' distributions."""

    def share(sample: list[float], point: float) -> float:
        return sum(value <= point for value in sample) / len(sample)

    return max(abs(share(these, point) - share(those, point)) for point in (*these, *those))


def times(
    sqlite: str,
    asked: Callable[[Computers, TableState], Awaitable[object]],
    thinker: Thinker,
    step: float,
) -> tuple[list[float], list[float]]:
    """How long the computer takes for plain hands and for rich ones, taken in turns."""

    async def measure(store: Store) -> tuple[list[float], list[float]]:
        tables = tables_of(store, tempo=Tempo(thinking=step))
        computers = Computers(tables, thinker, AlwaysAlive(tables))

        async def timed(room: TableState) -> float:
            begun = monotonic()
            await asked(computers, room)
            return monotonic() - begun

        both = [room for pair in zip(hands(False), hands(True), strict=True) for room in pair]  # noqa: FBT003
        taken: list[float] = []
        for begin in range(0, len(both), 6):
            taken += await asyncio.gather(*map(timed, both[begin : begin + 6]))
        return taken[::2], taken[1::2]

    return with_store(sqlite, measure)


@pytest.fixture
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('timing') / 'chouine.db'}"
    upgrade(address)
    return address


def tells_nothing(sqlite: str, thinker: Callable[[float], Thinker], least: float) -> bool:
    """Whether both sorts take as long, at least so many steps; with longer steps where the machine is too busy."""
    for step in STEPS:
        plain, telling = times(
            sqlite, lambda computers, room: computers.in_time("game", room, SEAT), thinker(step), step
        )
        assert min(*plain, *telling) >= least * step
        if distance(plain, telling) < CRITICAL:
            return True
    return False


def test_the_time_tells_nothing_of_the_hand(sqlite: str) -> None:
    assert tells_nothing(sqlite, Telling, 1)


def test_the_time_tells_nothing_on_a_busy_server(sqlite: str) -> None:
    """Whether others are thought for before or not, and whoever has made them wait."""
    assert tells_nothing(sqlite, Busy, 1 + QUEUE)


def test_the_thought_itself_would_tell(sqlite: str) -> None:
    """Without the wait the same test sees the difference."""
    step = STEPS[1]
    plain, telling = times(
        sqlite, lambda computers, room: computers.move("game", room, SEAT), Telling(step), step
    )
    assert distance(plain, telling) > CRITICAL
