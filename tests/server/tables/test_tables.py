"""Commands are carried out once with concurrent writers, and another process continues from the store."""

from __future__ import annotations

import asyncio
from random import Random
from threading import Thread, current_thread

import pytest

from chouine.errors import IllegalAction
from chouine.server import steps
from chouine.server.steps import TAIL, Step
from chouine.server.store import Append, Store
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.commands import Refused
from chouine.table.entries import WINDOW
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState
from tests.server.matches import any_answer, opened, over, person, playing
from tests.server.stores import Clock, begun, play_on, present, tables_of, with_store


def test_a_whole_match_is_what_the_store_has(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables, opened("classic", "1x2"))
        room = await play_on(tables, game, over)
        assert room == rebuild(await store.log(game))
        assert await present(tables_of(store), game) == room

    with_store(database, test)


def test_a_command_sent_again_does_nothing_again(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, room = await begun(tables)
        command = any_answer(room, Random(1))
        after = await tables.do(game, command, "once")
        for again in (tables, tables_of(store)):
            assert await again.do(game, command, "once") == after
        assert await again.do(game, ask.Speak(0, "hello"), "once") == after

    with_store(database, test)


def test_a_refusal_writes_nothing(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables)
        room = await play_on(tables, game, playing)
        assert room.state is not None
        turn = room.state.position.turn
        refused: list[ask.Command] = [ask.Act(1 - turn, "As"), ask.GoOn(0), ask.CutAt(0, 16), ask.Tick()]
        for command in refused:
            with pytest.raises((Refused, IllegalAction)):
                await tables.do(game, command, "refused")
        assert await present(tables, game) == room
        assert not await store.taken(game, "refused")
        with pytest.raises(LookupError):
            await tables.do("nowhere", ask.Tick())

    with_store(database, test)


def test_the_latest_steps_are_kept(database: str) -> None:
    """A watcher gets the entries it missed while they are cached; one further behind is not served from the log."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables)
        room = await play_on(tables, game, over)
        written = await store.log(game)
        for n in (len(written), len(written) - 1, len(written) - TAIL):
            found = tables.steps(game, n)
            assert found is not None
            assert [(step.entry, step.after.n) for step in found] == [
                (entry, nth) for nth, (entry, _) in enumerate(written[n:], n + 1)
            ]
            assert not found or found[-1].after is room
        assert tables.steps(game, len(written) - TAIL - 1) is None
        assert tables.steps("nowhere", 1) is None

    with_store(database, test)


def test_a_log_is_folded_beside_the_loop(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that lists fifty tables after a restart does not block the others."""
    folded: list[str] = []

    def steps_of(room: TableState, entries: list[tuple[log.LogEntry, float]]) -> list[Step]:
        folded.append(current_thread().name)
        return steps.steps_of(room, entries)

    monkeypatch.setattr("chouine.server.tables.steps_of", steps_of)

    async def test(store: Store) -> None:
        game, _ = await begun(tables := tables_of(store))
        await play_on(tables, game, over)
        folded.clear()
        assert (await present(tables_of(store), game)).phase is Phase.OVER
        assert folded
        assert all(name.startswith("fold") for name in folded)

    with_store(database, test)


def test_two_processes_carry_one_command_out(database: str) -> None:
    """Two processes get the same command: both answer, and it is carried out once."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        game, room = await begun(one, opened("three"))
        rng, commands = Random(3), 0
        while not over(room):
            command = any_answer(room, rng)
            answers = await asyncio.gather(
                *(tables.do(game, command, f"{commands}") for tables in (one, two))
            )
            assert answers[0] == answers[1]
            room, commands = answers[0], commands + 1
        written = await store.log(game)
        assert room == rebuild(written) == await present(two, game)
        assert sum(not isinstance(entry, log.Opened | log.Shuffled) for entry, _ in written) == commands

    with_store(database, test)


def test_of_two_different_acts_at_once_one_is_refused(database: str) -> None:
    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        game, _ = await begun(one)
        room = await play_on(one, game, playing)
        (seat,) = room.awaited
        assert room.state is not None
        cards = [str(card) for card in room.state.view(seat).hand][:2]
        race = [
            tables.do(game, ask.Act(seat, card), card) for tables, card in zip((one, two), cards, strict=True)
        ]
        outcomes = await asyncio.gather(*race, return_exceptions=True)
        assert sorted(isinstance(outcome, IllegalAction) for outcome in outcomes) == [False, True]
        assert (await present(two, game)).n == room.n + 1

    with_store(database, test)


def test_two_processes_at_their_own_speed(database: str) -> None:
    """Three threads with separate loops and connections play one match; equal states give equal command identifiers."""
    game = with_store(database, lambda store: tables_of(store).open(opened("four")))
    counts: list[int] = []

    def play(seed: int) -> None:
        async def go(store: Store) -> None:
            tables, rng = tables_of(store), Random(seed)
            room = await present(tables, game)
            while not over(room):
                try:
                    room = await tables.do(game, any_answer(room, rng), f"at-{room.n}")
                except (Refused, IllegalAction):
                    room = await present(tables, game)
            counts.append(room.n)

        with_store(database, go)

    threads = [Thread(target=play, args=(seed,)) for seed in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(counts) == 3
    assert len(set(counts)) == 1
    written = with_store(database, lambda store: store.log(game))
    assert len(written) == counts[0]
    assert rebuild(written).match.over


def test_a_busy_table_says_so(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that always loses the race to a rival is refused as busy."""

    async def test(store: Store) -> None:
        tables, rival = tables_of(store), tables_of(Store(store.database))
        game, room = await begun(tables)
        append = store.append

        async def overtaken(more: Append) -> None:
            await rival.do(game, ask.Speak(1, "oops"))
            await append(more)

        monkeypatch.setattr(store, "append", overtaken)
        with pytest.raises(Refused) as refused:
            await tables.do(game, any_answer(room, Random(0)), "mine")
        assert refused.value.code == "room/busy"
        assert not await store.taken(game, "mine")

    with_store(sqlite, test)


def test_a_server_that_starts_goes_on_in_the_middle_of_a_trick(database: str) -> None:
    async def before(store: Store) -> tuple[str, TableState]:
        tables = tables_of(store)
        game, _ = await begun(tables)
        room = await play_on(tables, game, lambda room: room.n > 15 and trick_begun(room))
        return game, room

    async def afterwards(store: Store) -> None:
        tables = tables_of(store, seed=9)
        assert await present(tables, game) == room
        await play_on(tables, game, over, Random(5))

    game, room = with_store(database, before)
    with_store(database, afterwards)


def trick_begun(room: TableState) -> bool:
    """Whether a card lies on the table."""
    return room.state is not None and bool(room.state.view(None).table)


def test_when_a_table_wakes(database: str) -> None:
    """A table wakes for a computer's act or a deadline, never for a person without one or in a pause."""

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        computer = log.SeatHolder("heuristic", "Lavardin")
        game, room = await begun(tables, opened(chairs=(person(0), computer)))
        assert await store.due(clock.now) == [game], "the computer draws a card too"
        await tables.do(game, ask.Pause(0))
        assert await store.waking() == []
        await tables.do(game, ask.Resume(0))
        assert await store.waking() == [game]
        room = await tables.do(game, any_answer(room, Random(0)) if room.awaited == {1} else ask.Pick(1, 0))
        assert await store.waking() == []
        await tables.do(game, ask.ForfeitMatch(0))

        terms = log.ClockTerms(10, 5)
        game, room = await begun(tables, opened(clock=terms))
        assert await store.due(clock.now + 14.9) == []
        assert await store.due(clock.now + 15.0) == [game]
        await tables.do(game, ask.ForfeitMatch(0))
        assert await store.waking() == []

        game, _ = await begun(tables)
        assert await store.waking() == []
        room = await play_on(tables, game, lambda room: bool(room.window or room.played), Random(11))
        assert room.window, "choose another seed"
        assert await store.due(clock.now + WINDOW - 0.1) == []
        assert await store.due(clock.now + WINDOW) == [game]

    with_store(database, test)


def test_watchers_are_told_and_forgotten(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        game, _ = await begun(tables)
        other, _ = await begun(tables)
        moved, elsewhere = asyncio.Event(), asyncio.Event()
        with tables.watching(game, moved), tables.watching(other, elsewhere):
            assert not moved.is_set()
            await tables.do(game, ask.Speak(0, "hello"))
            assert moved.is_set()
            assert not elsewhere.is_set()
            tables.notify_all()
            assert elsewhere.is_set()
        assert tables._watchers == {}
        with pytest.raises(RuntimeError), tables.watching(game, moved):
            raise RuntimeError
        assert tables._watchers == {}

    with_store(sqlite, test)


def test_one_revanche_however_often_it_is_asked_for(database: str) -> None:
    """§13: both players' requests, repeated and at two nodes, set one table."""

    async def test(store: Store) -> None:
        tables, other = tables_of(store), tables_of(store)
        game, _ = await begun(tables)
        room = await play_on(tables, game, over)
        room = await tables.do(game, ask.Revanche(0), "a")
        assert await tables.revanche(game, room) is None
        room = await tables.do(game, ask.Revanche(1), "b")
        found = await asyncio.gather(*(tables.revanche(game, room), other.revanche(game, room)))
        assert found[0] is not None
        assert set(found) == {found[0], await tables.revanche(game, await present(tables, game))}
        following = await present(tables, found[0])
        assert following.phase is Phase.TIRAGE
        assert following.holders == room.holders
        assert following.match.entries == ()
        assert (await present(tables, game)).next_table == found[0]
        assert {name for name, _ in await store.games_of("guest-0")} == {game, found[0]}

    with_store(database, test)


def test_rooms_forgotten_are_folded_again(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(store: Store) -> None:
        monkeypatch.setattr("chouine.server.tables.KEPT", 1)
        tables = tables_of(store)
        games = [await tables.open(opened()) for _ in range(3)]
        rooms = [await present(tables, game) for game in games]
        assert len(tables._known) == 1
        assert [await present(tables, game) for game in games] == rooms

    with_store(sqlite, test)
