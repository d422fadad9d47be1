"""Computers at the table: they play by themselves, in a time that tells nothing, and outlive what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from chouine.partie import Action, View
from chouine.players import player_of
from chouine.rules import PRESETS
from chouine.server import computers as module
from chouine.server.computers import BEAT, Computers, beat, credit_downtime, think
from chouine.server.room import commands as ask
from chouine.server.room import entries as log
from chouine.server.room.fold import fold
from chouine.server.room.state import Phase, Room
from chouine.server.store import Store
from chouine.server.tables import Tables, Tempo
from tests.server.matches import Table, opened, over, person, playing
from tests.server.stores import Clock, begun, play_on, present, tables_of, with_store

COMPUTER = log.Chair("heuristic", "Lavardin")


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thoughts in a thread: what is looked at is what they are told, not where they run."""
    monkeypatch.setattr(module, "other_process", lambda: ThreadPoolExecutor(1))


@asynccontextmanager
async def computers_at(tables: Tables) -> AsyncIterator[Computers]:
    computers = Computers(tables)
    running = asyncio.create_task(computers.run())
    try:
        yield computers
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def until(tables: Tables, game: str, reached: Callable[[Room], bool], seconds: float = 30.0) -> Room:
    """The room, once it is as wished."""
    async with asyncio.timeout(seconds):
        while not reached(room := await present(tables, game)):  # noqa: ASYNC110  # the store has no event
            await asyncio.sleep(0.01)
    return room


def test_computers_play_a_match_by_themselves_in_their_own_process(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened("classic", "1x2", (COMPUTER, COMPUTER)))
        async with computers_at(tables):
            room = await until(tables, game, over)
        assert room.match.winner is not None
        assert room == fold(await store.log(game))
        assert await store.waking() == []

    with_store(sqlite, test)


@pytest.mark.parametrize("preset", PRESETS)
def test_computers_play_every_variant(preset: str, sqlite: str, threads: None) -> None:
    seats = 3 if "three" in preset else 4 if "four" in preset else 2

    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened(preset, "1x1", [COMPUTER] * seats))
        async with computers_at(tables):
            await until(tables, game, over)

    with_store(sqlite, test)


def test_two_nodes_keep_the_same_computers(database: str, threads: None) -> None:
    """Both look for due tables in one store: every act is made once."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        game, _ = await begun(one, opened("classic", "2x1", (COMPUTER, COMPUTER)))
        async with computers_at(one), computers_at(two):
            room = await until(one, game, over)
        assert room == fold(await store.log(game))

    with_store(database, test)


def test_what_a_restart_left_to_do_is_done(sqlite: str, threads: None) -> None:
    """A computer's card awaited in the middle of a trick, by tables that never saw the match begin."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened(chairs=(person(0), COMPUTER)))
        room = await play_on(
            tables, game, lambda room: bool(playing(room) and room.awaited == {1} and room.n > 12)
        )
        fresh = tables_of(store)
        async with computers_at(fresh):
            after = await until(fresh, game, lambda now: now.n > room.n)
        entry = (await store.log(game))[room.n][0]
        assert isinstance(entry, log.Acted | log.Passed)
        assert entry.seat == 1
        assert after.state is not None

    with_store(sqlite, test)


def test_deadlines_come_by_themselves(sqlite: str, threads: None) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        game, _ = await begun(tables, opened(clock=log.ClockTerms(10, 5)))
        async with computers_at(tables):
            await asyncio.sleep(0.1)
            assert not over(await present(tables, game))
            clock.now += 15.0
            await until(tables, game, over)
        assert (await store.log(game))[-1][0] == log.Forfeited(0, late=True)

    with_store(sqlite, test)


def test_a_computer_is_given_its_view_and_nothing_more(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """§14: what goes to the thinking process knows no card that the seat does not."""
    given: list[tuple[object, ...]] = []

    class Listening(ThreadPoolExecutor):
        def submit(self, *said: object, **named: object) -> object:  # type: ignore[override]
            given.append(said)
            return super().submit(*said, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "other_process", lambda: Listening(1))

    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened(chairs=(person(0), COMPUTER)))
        room = await play_on(tables, game, lambda room: bool(playing(room) and room.awaited == {1}))
        async with computers_at(tables):
            await until(tables, game, lambda now: now.n > room.n)
        (thought,) = [said for said in given if said[0] is think]
        assert thought[1] == "heuristic"
        assert room.state is not None
        assert thought[2] == room.state.view(1)
        assert isinstance(thought[3], int)
        assert len(thought) == 4

    with_store(sqlite, test)


@pytest.mark.parametrize(("thought", "sent"), [(0.0, 0.5), (0.01, 0.5), (0.49, 0.5), (0.6, 1.0), (1.4, 1.5)])
def test_the_time_of_an_answer_does_not_tell_the_thought(
    thought: float, sent: float, sqlite: str, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that only thinking and sleeping move: a thought too long for one step takes a whole number."""
    clock = Clock(0.0)

    async def answer(*_: object) -> ask.Command:
        clock.now += thought
        return ask.Pass(1)

    async def sleep(seconds: float) -> None:
        clock.now += seconds

    monkeypatch.setattr(module, "monotonic", clock)
    monkeypatch.setattr(Computers, "answer", answer)

    async def test(store: Store) -> None:
        computers = Computers(tables_of(store, tempo=Tempo()))
        room = Table.set(opened(chairs=(person(0), COMPUTER))).room
        monkeypatch.setattr(asyncio, "sleep", sleep)
        assert await computers.in_time(room, 1) == ask.Pass(1)
        monkeypatch.undo()
        assert clock.now == pytest.approx(sent)

    with_store(sqlite, test)


def test_silence_at_au_sept_is_thought_of_like_the_exchange(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """§11: who has no seven asks the thinking process all the same, so its queue delays both alike."""
    asked: list[bool] = []

    def listening(player: str, view: View, seed: int) -> Action | None:
        asked.append(bool(view.legal))
        return think(player, view, seed)

    monkeypatch.setattr(module, "other_process", lambda: ThreadPoolExecutor(1))
    monkeypatch.setattr(module, "think", listening)

    async def test(store: Store) -> None:
        computers = Computers(tables_of(store))
        answers = set()
        for seed in range(60):
            table = Table.set(opened(chairs=(person(0), COMPUTER)), seed)
            table.until(lambda room: bool(room.window or room.played))
            if table.room.window == {1}:
                answers.add(type(await computers.answer(table.room, 1)))
        assert answers >= {ask.Pass}
        assert set(asked) == {True, False}

    with_store(sqlite, test)


def test_one_tables_fault_is_not_the_others(
    sqlite: str, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the log says neither which card nor which table."""

    def failing(player: str, view: View, seed: int) -> Action | None:
        if player == "random":
            raise RuntimeError(f"holding {view.hand}")
        return think(player, view, seed)

    monkeypatch.setattr(module, "think", failing)

    async def test(store: Store) -> None:
        tables = tables_of(store)
        bad = log.Chair("random", "Trôo")
        ill, _ = await begun(tables, opened(chairs=(bad, bad)))
        well, _ = await begun(tables, opened(chairs=(COMPUTER, COMPUTER)))
        with capture_logs() as lines:
            async with computers_at(tables):
                await until(tables, well, over)
        assert not over(await present(tables, ill))
        assert {"event": "computer failed", "log_level": "warning", "kind": "RuntimeError"} in lines
        assert all(set(line) <= {"event", "log_level", "kind"} for line in lines)

    with_store(sqlite, test)


def test_a_lost_process_and_a_silent_database_are_outlived(
    sqlite: str, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    troubles = iter([BrokenExecutor(), BrokenExecutor()])

    def breaking(player: str, view: View, seed: int) -> Action | None:
        for trouble in troubles:
            raise trouble
        return think(player, view, seed)

    monkeypatch.setattr(module, "think", breaking)

    async def test(store: Store) -> None:
        tables = tables_of(store)
        due, silences = store.due, iter(range(3))

        async def silent(now: float) -> list[str]:
            for _ in silences:
                raise OperationalError("select", None, Exception("no answer"))
            return await due(now)

        store.due = silent  # type: ignore[method-assign]
        game, _ = await begun(tables, opened(chairs=(COMPUTER, COMPUTER)))
        with capture_logs() as lines:
            async with computers_at(tables):
                await until(tables, game, over)
        assert [line["event"] for line in lines].count("cannot look for due tables") == 3
        assert [line["event"] for line in lines].count("thinking process lost") == 2

    with_store(sqlite, test)


def test_downtime_is_credited_once(database: str) -> None:
    """To every table with a deadline, by whichever node starts first."""

    async def test(store: Store) -> None:
        clock = Clock()
        tables, other = tables_of(store, clock), tables_of(store, clock)
        clocked, room = await begun(tables, opened(clock=log.ClockTerms(10, 50)))
        free, _ = await begun(tables)
        window, before = await begun(tables)
        before = await play_on(tables, window, lambda room: bool(room.window or room.played), Random(11))
        assert before.window, "choose another seed"
        await credit_downtime(tables)
        assert (await present(tables, clocked)).n == room.n, "a first start credits nothing"
        await store.keep_setting("alive", repr(clock.now))
        clock.now += 1000.0
        await credit_downtime(tables)
        await credit_downtime(other)
        after = await present(tables, clocked)
        assert after.n == room.n + 1
        assert after.deadline == (room.deadline or 0.0) + 1000.0
        assert (await present(tables, window)).deadline == (before.deadline or 0.0) + 1000.0
        assert (await present(tables, free)).n == 2

    with_store(database, test)


def test_a_short_absence_is_not_credited(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        game, room = await begun(tables, opened(clock=log.ClockTerms(10, 50)))
        await store.keep_setting("alive", repr(clock.now - BEAT))
        await credit_downtime(tables)
        assert (await present(tables, game)).n == room.n

    with_store(sqlite, test)


def test_a_server_says_that_it_is_there(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(1234.5)
        beating = asyncio.create_task(beat(tables_of(store, clock)))
        async with asyncio.timeout(5):
            while await store.setting("alive") is None:  # noqa: ASYNC110  # nor for this
                await asyncio.sleep(0.01)
        beating.cancel()
        assert await store.setting("alive") == "1234.5"

    with_store(sqlite, test)


def test_who_is_not_awaited_has_nothing_to_say() -> None:
    table = Table.set(opened("classic"), 2).until(playing)
    assert table.room.phase is Phase.PLAY
    assert table.room.state is not None
    turn = table.room.state.position.turn
    assert think("heuristic", table.room.state.view(1 - turn), 0) is None
    answer = think("heuristic", table.room.state.view(turn), 0)
    assert answer == player_of("heuristic", Random(0)).act(table.room.state.view(turn))
    assert answer in table.room.state.legal(turn)
