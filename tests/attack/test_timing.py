"""A computer's answer times reveal nothing of its hand (§14).

The times for two kinds of hands are compared by the two-sample Kolmogorov–Smirnov test.
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
from chouine.server.fair_queue import NOBODY, ComputeAccount
from chouine.server.migrations import upgrade
from chouine.server.store import Store
from chouine.server.tables import Tempo
from chouine.server.thinking import ComputerMove, Thinker, ThoughtRequest, encode, think
from chouine.table.entries import SeatHolder
from chouine.table.state import TableState
from tests.server.matches import Table, opening, playing
from tests.server.stores import tables_of, with_store
from tests.server.tables.computers import AlwaysAlive

SAMPLES = 60
STEPS = (0.25, 0.5, 1.0, 2.0)
"""Step lengths in seconds to try: one of them must be long compared with the machine's noise."""
TELLING = 0.48
"""Additional steps of thinking about a rich hand, which the answer's time must hide."""
QUEUE = 1 - TELLING / 2
"""Steps of waiting for other thoughts, such that a rich hand's thought would exceed a step and a plain one's not."""
CRITICAL = 1.95 * sqrt(2 / SAMPLES)
"""The critical distance of the test at a level of 0.001."""
SEAT = 1


@dataclass
class Telling:
    """A thinker that thinks longer about a hand with a declaration."""

    step: float

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:  # noqa: ARG002  # as asked
        answer = await asyncio.to_thread(think, encode(thought))
        longer = self.step * TELLING * rich(thought.view.legal)
        await asyncio.sleep(longer)
        return ComputerMove(answer.token, answer.seconds + longer)

    async def close(self) -> None:
        """Close nothing."""


class Busy(Telling):
    """The same behind another thought, as in a process shared by several tables."""

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:
        await asyncio.sleep(self.step * QUEUE)
        return await super().think(thought, name, share)


def rich(legal: object) -> bool:
    return isinstance(legal, tuple) and any(isinstance(act, Play) and act.declaration for act in legal)


def hands(wanted: bool) -> list[TableState]:  # noqa: FBT001  # which of two sorts
    """Tables at which the computer is on turn, with or without a declaration to make."""
    found: list[TableState] = []
    chairs = [SeatHolder("heuristic", "Vendôme"), SeatHolder("heuristic", "Lavardin")]
    seed = 0
    while len(found) < SAMPLES:
        seed += 1
        table = Table.set(opening(chairs=chairs), seed).until(playing)
        for _ in range(Random(seed).randrange(8)):
            table.step()
        room = table.table
        if playing(room) and room.state and room.awaited == {SEAT} and not room.window:
            found += [room] if rich(room.state.view(SEAT).legal) == wanted else []
    return found


def distance(these: list[float], those: list[float]) -> float:
    """The Kolmogorov–Smirnov distance of two samples."""

    def share(sample: list[float], point: float) -> float:
        return sum(value <= point for value in sample) / len(sample)

    return max(abs(share(these, point) - share(those, point)) for point in (*these, *those))


def times(
    sqlite: str,
    asked: Callable[[Computers, TableState], Awaitable[object]],
    thinker: Thinker,
    step: float,
) -> tuple[list[float], list[float]]:
    """Answer times in seconds for plain and for rich hands, measured alternately."""

    async def measure(store: Store) -> tuple[list[float], list[float]]:
        tables = tables_of(store, tempo=Tempo(thinking=step))
        computers = Computers(tables, thinker, AlwaysAlive(tables))

        async def time_answer(room: TableState) -> float:
            begun = monotonic()
            await asked(computers, room)
            return monotonic() - begun

        both = [room for pair in zip(hands(False), hands(True), strict=True) for room in pair]  # noqa: FBT003
        taken: list[float] = []
        for begin in range(0, len(both), 6):
            taken += await asyncio.gather(*map(time_answer, both[begin : begin + 6]))
        return taken[::2], taken[1::2]

    return with_store(sqlite, measure)


@pytest.fixture
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('timing') / 'chouine.db'}"
    upgrade(address)
    return address


def tells_nothing(sqlite: str, thinker: Callable[[float], Thinker], least: float) -> bool:
    """Whether both kinds have one distribution, of `least` steps or more; retries with longer steps."""
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
    """The times agree as well when each thought waits behind another."""
    assert tells_nothing(sqlite, Busy, 1 + QUEUE)


def test_the_thought_itself_would_tell(sqlite: str) -> None:
    """Without the delay the test detects the difference; on a busy machine only with longer steps."""

    def distance_at(step: float) -> float:
        return distance(
            *times(sqlite, lambda computers, room: computers.move("game", room, SEAT), Telling(step), step)
        )

    assert any(distance_at(step) > CRITICAL for step in STEPS[1:])
