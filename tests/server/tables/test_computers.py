"""Computers at the table: they play by themselves, in a time that tells nothing, and outlive what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random

import pytest
from structlog.testing import capture_logs

from chouine.ai import levels
from chouine.rules import PRESETS
from chouine.server import computers as module
from chouine.server.computers import Computers
from chouine.server.database import Unreachable
from chouine.server.pages import opponents, table_page
from chouine.server.pages.visit import Visit
from chouine.server.pulse import Pulse
from chouine.server.room import commands as ask
from chouine.server.room import entries as log
from chouine.server.room.fold import fold
from chouine.server.room.state import Room
from chouine.server.store import Store
from chouine.server.tables import Tables, Tempo
from chouine.server.thinking import Pool, Thinker, Thought, encode, think
from tests.server.matches import Table, any_answer, opened, over, person, playing
from tests.server.stores import Clock, begun, play_on, present, tables_of, with_store

COMPUTER = log.Chair("heuristic", "Lavardin")


class Felt(Pulse):
    """The database is there."""

    felt = True


def threads() -> Pool:
    """Thoughts in a thread: what is looked at is what they are told, not where they run."""
    return Pool(1, ThreadPoolExecutor)


@dataclass
class Listening:
    """Hears what is asked, and answers by a function."""

    answer: Callable[[Thought], str] = lambda thought: think(encode(thought))
    asked: list[tuple[Thought, str]] = field(default_factory=list)

    async def think(self, thought: Thought, name: str) -> str:
        self.asked.append((thought, name))
        return self.answer(thought)

    async def close(self) -> None:
        pass


@asynccontextmanager
async def computers_at(tables: Tables, thinker: Thinker | None = None) -> AsyncIterator[Computers]:
    computers = Computers(tables, thinker or threads(), Felt(tables))
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
        async with computers_at(tables, Pool(2)):
            room = await until(tables, game, over)
        assert room.match.winner is not None
        assert room == fold(await store.log(game))
        assert await store.waking() == []

    with_store(sqlite, test)


@pytest.mark.parametrize("preset", PRESETS)
def test_computers_play_every_variant(preset: str, sqlite: str) -> None:
    seats = 3 if "three" in preset else 4 if "four" in preset else 2

    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened(preset, "1x1", [COMPUTER] * seats))
        async with computers_at(tables):
            await until(tables, game, over)

    with_store(sqlite, test)


def test_two_nodes_keep_the_same_computers(database: str) -> None:
    """Both look for due tables in one store: every act is made once."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        game, _ = await begun(one, opened("classic", "2x1", (COMPUTER, COMPUTER)))
        async with computers_at(one), computers_at(two):
            room = await until(one, game, over)
        assert room == fold(await store.log(game))

    with_store(database, test)


def test_what_a_restart_left_to_do_is_done(sqlite: str) -> None:
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


def test_deadlines_come_by_themselves(sqlite: str) -> None:
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


def test_a_computer_is_given_its_view_and_nothing_more(sqlite: str) -> None:
    """§14: what goes to the thinking process knows no card that the seat does not."""
    listening = Listening()

    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened(chairs=(person(0), COMPUTER)))
        room = await play_on(tables, game, lambda room: bool(playing(room) and room.awaited == {1}))
        async with computers_at(tables, listening):
            await until(tables, game, lambda now: now.n > room.n)
        ((thought, _),) = listening.asked
        assert room.state is not None
        assert thought == Thought.of("heuristic", room.state.view(1), thought.seed)
        assert 0 <= thought.seed < 2**64

    with_store(sqlite, test)


@pytest.mark.parametrize(("thought", "sent"), [(0.0, 0.5), (0.01, 0.5), (0.49, 0.5), (0.6, 1.0), (1.4, 1.5)])
def test_the_time_of_an_answer_does_not_tell_the_thought(
    thought: float, sent: float, sqlite: str, monkeypatch: pytest.MonkeyPatch
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
        tables = tables_of(store, tempo=Tempo())
        computers = Computers(tables, threads(), Felt(tables))
        room = Table.set(opened(chairs=(person(0), COMPUTER))).room
        monkeypatch.setattr(asyncio, "sleep", sleep)
        assert await computers.in_time("game", room, 1) == ask.Pass(1)
        monkeypatch.undo()
        assert clock.now == pytest.approx(sent)

    with_store(sqlite, test)


@pytest.mark.parametrize(("level", "sent"), [(6, 0.5), (7, 1.0), (8, 1.0)])
@pytest.mark.parametrize("thought", [0.0, 0.3, 0.49])
def test_a_level_that_thinks_ahead_always_takes_two_steps(
    level: int, sent: float, thought: float, sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known cards at once, hidden ones in a third of a second here: on a slower machine too both take as long."""
    clock = Clock(0.0)

    async def answer(*_: object) -> ask.Command:
        clock.now += thought
        return ask.Pass(1)

    async def sleep(seconds: float) -> None:
        clock.now += seconds

    monkeypatch.setattr(module, "monotonic", clock)
    monkeypatch.setattr(Computers, "answer", answer)

    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=Tempo())
        room = Table.set(opened(chairs=(person(0), log.Chair(f"level:{level}", "Anselme")))).room
        monkeypatch.setattr(asyncio, "sleep", sleep)
        await Computers(tables, threads(), Felt(tables)).in_time("game", room, 1)
        monkeypatch.undo()
        assert clock.now == pytest.approx(sent)

    with_store(sqlite, test)


def test_a_level_has_one_chance_throughout_a_partie(sqlite: str) -> None:
    """What was forgotten stays so; another seat, partie or table has another, and so has every act of other players."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        computers = Computers(tables, threads(), Felt(tables))
        chairs = (log.Chair("level:2", "Gaston"), log.Chair("level:2", "Raymonde"))
        table = Table.set(opened("classic", "5x1", chairs)).until(playing)
        first, n = computers.chance("game", table.room, 0), table.room.n
        assert 0 <= first < 2**64
        later = table.until(lambda room: room.n > n + 3).room
        assert computers.chance("game", later, 0) == first
        others = [computers.chance("game", later, 1), computers.chance("other", later, 0)]
        others.append(computers.chance("game", table.until(lambda room: bool(room.played)).room, 0))
        others.append(Computers(tables, threads(), Felt(tables)).chance("game", later, 0))
        assert len({first, *others}) == 5
        room = Table.set(opened(chairs=(person(0), log.Chair("random", "Trôo")))).room
        assert computers.chance("game", room, 1) != computers.chance("game", room, 1)

    with_store(sqlite, test)


def test_a_level_that_cannot_be_played_here_says_what_it_needs_and_goes_on_once_it_can(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old match with such a chair, where the compiler is no longer installed."""
    strong = log.Chair("level:8", "Anselme")

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock, tempo=Tempo(rest=0.0, thinking=0.01, every=0.01))
        game, _ = await begun(tables, opened(chairs=(person(0), strong)))
        room = await play_on(tables, game, lambda room: bool(playing(room) and room.awaited == {1}))
        monkeypatch.setattr(levels, "highest", lambda: levels.UNAIDED)
        monkeypatch.setattr(opponents, "highest", lambda: levels.UNAIDED)
        async with computers_at(tables):
            away = await until(tables, game, lambda now: bool(now.missing))
            assert (away.n, away.awaited) == (room.n + 1, frozenset({1}))
            page = table_page(Visit("en", "", "guest-0"), game, away, 0)
            assert "Anselme plays level 8, which needs numba" in page
            monkeypatch.undo()
            assert "Anselme is getting ready" in table_page(Visit("en", "", "guest-0"), game, away, 0)
            clock.now += module.LEASE
            after = await until(tables, game, lambda now: now.n > away.n)
        assert not after.missing

    with_store(sqlite, test)


def test_silence_at_au_sept_is_thought_of_like_the_exchange(sqlite: str) -> None:
    """§11: who has no seven asks the thinking process all the same, so its queue delays both alike."""
    listening = Listening()

    async def test(store: Store) -> None:
        tables = tables_of(store)
        computers = Computers(tables, listening, Felt(tables))
        answers = set()
        for seed in range(60):
            table = Table.set(opened(chairs=(person(0), COMPUTER)), seed)
            table.until(lambda room: bool(room.window or room.played))
            if table.room.window == {1}:
                answers.add(type(await computers.answer("game", table.room, 1)))
        assert answers >= {ask.Pass}
        assert {bool(thought.view.legal) for thought, _ in listening.asked} == {True, False}

    with_store(sqlite, test)


def test_one_tables_fault_is_not_the_others(sqlite: str) -> None:
    """And the log says neither which card nor which table."""

    def failing(thought: Thought) -> str:
        if thought.player == "random":
            raise RuntimeError(f"holding {thought.view.hand}")
        return think(encode(thought))

    async def test(store: Store) -> None:
        tables = tables_of(store)
        bad = log.Chair("random", "Trôo")
        ill, _ = await begun(tables, opened(chairs=(bad, bad)))
        well, _ = await begun(tables, opened(chairs=(COMPUTER, COMPUTER)))
        with capture_logs() as lines:
            async with computers_at(tables, Listening(failing)):
                await until(tables, well, over)
        assert not over(await present(tables, ill))
        assert {"event": "computer failed", "log_level": "warning", "kind": "RuntimeError"} in lines
        assert all(set(line) <= {"event", "log_level", "kind"} for line in lines)

    with_store(sqlite, test)


def test_a_lost_process_and_a_silent_database_are_outlived(sqlite: str) -> None:
    troubles = iter([BrokenExecutor(), BrokenExecutor()])

    def breaking(thought: Thought) -> str:
        for trouble in troubles:
            raise trouble
        return think(encode(thought))

    async def test(store: Store) -> None:
        tables = tables_of(store)
        claim, silences = store.claim, iter(range(3))

        async def silent(now: float, until: float, but: Collection[str] = ()) -> list[str]:
            for _ in silences:
                raise Unreachable
            return await claim(now, until, but)

        store.claim = silent  # type: ignore[method-assign]
        game, _ = await begun(tables, opened(chairs=(COMPUTER, COMPUTER)))
        with capture_logs() as lines:
            async with computers_at(tables, Listening(breaking)):
                await until(tables, game, over)
        assert [line["event"] for line in lines].count("cannot look for due tables") == 3
        assert next(troubles, None) is None

    with_store(sqlite, test)


def test_a_computer_nobody_thinks_for_is_away_until_somebody_does(sqlite: str) -> None:
    """The table says so once, waits, and goes on by itself; the late answer is the one that counts."""

    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=Tempo(rest=0.0, thinking=0.01, every=0.01, absent=0.05))
        back = asyncio.Event()

        class Gone(Listening):
            async def think(self, thought: Thought, name: str) -> str:
                await back.wait()
                return await super().think(thought, name)

        game, _ = await begun(tables, opened(chairs=(person(0), COMPUTER)))
        room = await play_on(tables, game, lambda room: bool(playing(room) and room.awaited == {1}))
        async with computers_at(tables, Gone()):
            away = await until(tables, game, lambda now: bool(now.missing))
            assert (away.n, away.missing, away.awaited) == (room.n + 1, frozenset({1}), frozenset({1}))
            assert "is away" in table_page(Visit("en", "", "guest-0"), game, away, 0)
            await asyncio.sleep(0.2)
            assert (await present(tables, game)).n == away.n
            back.set()
            after = await until(tables, game, lambda now: now.n > away.n)
        assert not after.missing
        assert isinstance((await store.log(game))[away.n][0], log.Acted | log.Passed)

    with_store(sqlite, test)


def test_an_answer_to_a_position_that_is_past_is_ignored(database: str) -> None:
    """Another node was quicker, and the same seat is to play again: the late card would be legal, and is not played."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        game, _ = await begun(one, opened("classic", "1x1", (person(0), COMPUTER)))
        room = await play_on(
            one, game, lambda room: playing(room) and room.awaited == {1} and not room.window
        )
        assert room.state is not None
        late = next(card for card in map(str, room.state.view(1).legal) if "+" not in card)
        released = asyncio.Event()

        class Late(Listening):
            async def think(self, *_: object) -> str:
                await released.wait()
                return late

        async with computers_at(one, Late()) as computers:
            async with asyncio.timeout(5):
                while not computers.busy:  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0.01)
            other = next(card for card in room.state.view(1).legal if str(card) != late)
            now = await two.do(game, ask.Act(1, str(other)))
            while not (now.awaited == {1} and not now.window and playing(now)):
                now = await two.do(game, any_answer(now, Random(1)))
            assert now.state is not None
            assert late in map(str, now.state.view(1).legal), "choose another seed"
            computers.tables.store.claim = nothing  # type: ignore[method-assign]
            released.set()
            await asyncio.gather(*computers.busy.values())
            assert (await present(two, game)).n == now.n

    with_store(database, test)


async def nothing(now: float, until: float, but: Collection[str] = ()) -> list[str]:
    """No table is due."""
    return []
