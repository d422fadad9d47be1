"""A computer gets only its seat's view, and the time of its answer is a multiple of fixed steps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from chouine.server import computers as module
from chouine.server.computers import Computers
from chouine.server.pages.visit import PACES
from chouine.server.store import Store
from chouine.server.tables import Tempo
from chouine.server.thinking import ThoughtRequest
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.state import Phase, TableState
from tests.server.matches import Table, opening, person, playing
from tests.server.stores import Clock, tables_of, with_store
from tests.server.tables.computers import (
    COMPUTER,
    AlwaysAlive,
    Listening,
    computers_at,
    table_awaiting_computer,
    threads,
    until,
)


@pytest.fixture
def time_of(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., float]:
    """A function: the simulated time of a chair's answer for a given thinking and waiting time."""

    def time_told(
        chair: log.SeatHolder,
        thought: float,
        waited: float = 0.0,
        pace: float = 1.0,
        reached: Callable[[TableState], bool] = playing,
    ) -> float:
        clock = Clock(0.0)

        async def answer(*_: object) -> tuple[ask.Command, float]:
            clock.now += waited + thought
            return ask.Pass(1), thought

        async def sleep(seconds: float) -> None:
            clock.now += seconds

        async def test(store: Store) -> None:
            computers = Computers(tables_of(store, tempo=Tempo()), threads(), AlwaysAlive(tables_of(store)))
            room = Table.set(replace(opening(chairs=(person(0), chair)), pace=pace)).until(reached).table
            with monkeypatch.context() as patched:
                patched.setattr(module, "monotonic", clock)
                patched.setattr(Computers, "move", answer)
                patched.setattr(asyncio, "sleep", sleep)
                sent = await computers.in_time("game", room, 1)
                assert isinstance(sent, ask.Pass if room.phase is Phase.PLAY else ask.Pick)

        with_store(sqlite, test)
        return clock.now

    return time_told


@pytest.mark.parametrize(("thought", "sent"), [(0.0, 0.5), (0.01, 0.5), (0.49, 0.5), (0.6, 1.0), (1.4, 1.5)])
def test_the_time_of_an_answer_does_not_tell_the_thought(
    thought: float, sent: float, time_of: Callable[..., float]
) -> None:
    """Answers come after the smallest number of whole steps that covers the thinking time."""
    assert time_of(COMPUTER, thought) == pytest.approx(sent)


@pytest.mark.parametrize(("level", "sent"), [(6, 0.5), (7, 1.0), (8, 1.0)])
@pytest.mark.parametrize("thought", [0.0, 0.3, 0.49])
def test_a_level_that_thinks_ahead_always_takes_two_steps(
    level: int, sent: float, thought: float, time_of: Callable[..., float]
) -> None:
    """Levels that search always take two steps: their thinking time would reveal whether cards are hidden."""
    assert time_of(log.SeatHolder(f"level:{level}", "Anselme"), thought) == pytest.approx(sent)


@pytest.mark.parametrize("level", [1, 8])
def test_lots_are_drawn_at_once(level: int, time_of: Callable[..., float]) -> None:
    """In the tirage a computer draws at once: it needs no thought."""
    chair = log.SeatHolder(f"level:{level}", "Anselme")
    assert time_of(chair, 0.0, reached=lambda room: room.phase is Phase.TIRAGE) == 0.0


@pytest.mark.parametrize("thought", [0.0, 0.15, 0.8])
def test_on_a_busy_server_a_thought_waits_for_its_turn_and_then_takes_its_step(
    thought: float, time_of: Callable[..., float]
) -> None:
    """Waiting for other thoughts is added in fifths of a step, so that a short thought cannot fill a gap."""
    assert time_of(log.SeatHolder("level:8", "Anselme"), thought, 0.35) == pytest.approx(1.4)
    assert time_of(log.SeatHolder("level:8", "Anselme"), thought, 1.9) == pytest.approx(3.0)


@pytest.mark.parametrize(("level", "sent"), [(1, 0.25), (6, 0.25), (7, 1.0), (8, 1.0)])
@pytest.mark.parametrize("thought", [0.0, 0.02, 0.24])
def test_at_a_lively_table_a_level_that_does_not_think_ahead_takes_half_a_step(
    level: int, sent: float, thought: float, time_of: Callable[..., float]
) -> None:
    """At a lively pace quick levels always take half a step; waiting is added as at other tables."""
    chair, lively = log.SeatHolder(f"level:{level}", "Lison"), PACES["lively"].computers
    assert time_of(chair, thought, pace=lively) == pytest.approx(sent)
    assert time_of(chair, thought, 0.35, pace=lively) == pytest.approx(0.4 + sent)


def test_silence_at_au_sept_is_thought_of_like_the_exchange(sqlite: str) -> None:
    """§11: a seat without a seven queries the thinking process as well, so that its queue delays both alike."""
    listening = Listening()

    async def test(store: Store) -> None:
        tables = tables_of(store)
        computers = Computers(tables, listening, AlwaysAlive(tables))
        answers = set()
        for seed in range(60):
            table = Table.set(opening(chairs=(person(0), COMPUTER)), seed)
            table.until(lambda room: bool(room.window or room.played))
            if table.table.window == {1}:
                answers.add(type((await computers.move("game", table.table, 1))[0]))
        assert answers >= {ask.Pass}
        assert {bool(thought.view.legal) for thought, _ in listening.asked} == {True, False}

    with_store(sqlite, test)


def test_a_computer_is_given_its_view_and_nothing_more(sqlite: str) -> None:
    """§14: the thinking process gets the seat's view only."""
    listening = Listening()

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, room = await table_awaiting_computer(tables)
        async with computers_at(tables, listening):
            await until(tables, table_id, lambda now: now.n > room.n)
        ((thought, _),) = listening.asked
        assert room.state is not None
        assert thought == ThoughtRequest.of("heuristic", room.state.view(1), thought.seed)
        assert 0 <= thought.seed < 2**64

    with_store(sqlite, test)


def test_a_level_has_one_chance_throughout_a_partie(sqlite: str) -> None:
    """Each seat, partie and table has one random seed for a level's acts; the random player has one for each act."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        computers = Computers(tables, threads(), AlwaysAlive(tables))
        chairs = (log.SeatHolder("level:2", "Gaston"), log.SeatHolder("level:2", "Raymonde"))
        table = Table.set(opening("classic", "5x1", chairs)).until(playing)
        first, n = computers.chance("game", table.table, 0), table.table.n
        assert 0 <= first < 2**64
        later = table.until(lambda room: room.n > n + 3).table
        assert computers.chance("game", later, 0) == first
        others = [computers.chance("game", later, 1), computers.chance("other", later, 0)]
        others.append(computers.chance("game", table.until(lambda room: bool(room.played)).table, 0))
        others.append(Computers(tables, threads(), AlwaysAlive(tables)).chance("game", later, 0))
        assert len({first, *others}) == 5
        room = Table.set(opening(chairs=(person(0), log.SeatHolder("random", "Trôo")))).table
        assert computers.chance("game", room, 1) != computers.chance("game", room, 1)

    with_store(sqlite, test)
