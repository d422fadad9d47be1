"""Commands are carried out once with concurrent writers, and another process continues from the store."""

from __future__ import annotations

import asyncio
from random import Random
from threading import Thread, current_thread

import pytest

from chouine.errors import IllegalAction
from chouine.server import table_cache
from chouine.server.store import Append, Store
from chouine.server.table_cache import TAIL, Step
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
        table_id, _ = await begun(tables, opened("classic", "1x2"))
        table = await play_on(tables, table_id, over)
        assert table == rebuild(await store.log(table_id))
        assert await present(tables_of(store), table_id) == table

    with_store(database, test)


def test_a_command_sent_again_does_nothing_again(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, table = await begun(tables)
        command = any_answer(table, Random(1))
        after = await tables.do(table_id, command, "once")
        for again in (tables, tables_of(store)):
            assert await again.do(table_id, command, "once") == after
        assert await again.do(table_id, ask.Speak(0, "hello"), "once") == after

    with_store(database, test)


def test_a_refusal_writes_nothing(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await begun(tables)
        table = await play_on(tables, table_id, playing)
        assert table.state is not None
        turn = table.state.position.turn
        refused: list[ask.Command] = [ask.Act(1 - turn, "As"), ask.GoOn(0), ask.CutAt(0, 16), ask.Tick()]
        for command in refused:
            with pytest.raises((Refused, IllegalAction)):
                await tables.do(table_id, command, "refused")
        assert await present(tables, table_id) == table
        assert not await store.is_taken(table_id, "refused")
        with pytest.raises(LookupError):
            await tables.do("nowhere", ask.Tick())

    with_store(database, test)


def test_the_latest_steps_are_kept(database: str) -> None:
    """A watcher gets the entries it missed while they are cached; one further behind is not served from the log."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await begun(tables)
        table = await play_on(tables, table_id, over)
        written = await store.log(table_id)
        for n in (len(written), len(written) - 1, len(written) - TAIL):
            found = tables.steps(table_id, n)
            assert found is not None
            assert [(step.entry, step.after.n) for step in found] == [
                (entry, nth) for nth, (entry, _) in enumerate(written[n:], n + 1)
            ]
            assert not found or found[-1].after is table
        assert tables.steps(table_id, len(written) - TAIL - 1) is None
        assert tables.steps("nowhere", 1) is None

    with_store(database, test)


def test_a_log_is_folded_beside_the_loop(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that lists fifty tables after a restart does not block the others."""
    folded: list[str] = []

    def steps_of(table: TableState, entries: list[tuple[log.LogEntry, float]]) -> list[Step]:
        folded.append(current_thread().name)
        return table_cache.steps_of(table, entries)

    monkeypatch.setattr("chouine.server.tables.steps_of", steps_of)

    async def test(store: Store) -> None:
        table_id, _ = await begun(tables := tables_of(store))
        await play_on(tables, table_id, over)
        folded.clear()
        assert (await present(tables_of(store), table_id)).phase is Phase.OVER
        assert folded
        assert all(name.startswith("fold") for name in folded)

    with_store(database, test)


def test_two_processes_carry_one_command_out(database: str) -> None:
    """Two processes get the same command: both answer, and it is carried out once."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        table_id, table = await begun(one, opened("three"))
        rng, commands = Random(3), 0
        while not over(table):
            command = any_answer(table, rng)
            answers = await asyncio.gather(
                *(tables.do(table_id, command, f"{commands}") for tables in (one, two))
            )
            assert answers[0] == answers[1]
            table, commands = answers[0], commands + 1
        written = await store.log(table_id)
        assert table == rebuild(written) == await present(two, table_id)
        assert sum(not isinstance(entry, log.Opened | log.Shuffled) for entry, _ in written) == commands

    with_store(database, test)


def test_of_two_different_acts_at_once_one_is_refused(database: str) -> None:
    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        table_id, _ = await begun(one)
        table = await play_on(one, table_id, playing)
        (seat,) = table.awaited
        assert table.state is not None
        cards = [str(card) for card in table.state.view(seat).hand][:2]
        race = [
            tables.do(table_id, ask.Act(seat, card), card)
            for tables, card in zip((one, two), cards, strict=True)
        ]
        outcomes = await asyncio.gather(*race, return_exceptions=True)
        assert sorted(isinstance(outcome, IllegalAction) for outcome in outcomes) == [False, True]
        assert (await present(two, table_id)).n == table.n + 1

    with_store(database, test)


def test_two_processes_at_their_own_speed(database: str) -> None:
    """Three threads with separate loops and connections play one match; equal states give equal command identifiers."""
    table_id = with_store(database, lambda store: tables_of(store).open(opened("four")))
    counts: list[int] = []

    def play(seed: int) -> None:
        async def go(store: Store) -> None:
            tables, rng = tables_of(store), Random(seed)
            table = await present(tables, table_id)
            while not over(table):
                try:
                    table = await tables.do(table_id, any_answer(table, rng), f"at-{table.n}")
                except (Refused, IllegalAction):
                    table = await present(tables, table_id)
            counts.append(table.n)

        with_store(database, go)

    threads = [Thread(target=play, args=(seed,)) for seed in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(counts) == 3
    assert len(set(counts)) == 1
    written = with_store(database, lambda store: store.log(table_id))
    assert len(written) == counts[0]
    assert rebuild(written).match.over


def test_a_busy_table_says_so(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that always loses the race to a rival is refused as busy."""

    async def test(store: Store) -> None:
        tables, rival = tables_of(store), tables_of(Store(store.database))
        table_id, table = await begun(tables)
        append = store.append

        async def overtaken(more: Append) -> None:
            await rival.do(table_id, ask.Speak(1, "oops"))
            await append(more)

        monkeypatch.setattr(store, "append", overtaken)
        with pytest.raises(Refused) as refused:
            await tables.do(table_id, any_answer(table, Random(0)), "mine")
        assert refused.value.code == "table/busy"
        assert not await store.is_taken(table_id, "mine")

    with_store(sqlite, test)


def test_a_server_that_starts_goes_on_in_the_middle_of_a_trick(database: str) -> None:
    async def before(store: Store) -> tuple[str, TableState]:
        tables = tables_of(store)
        table_id, _ = await begun(tables)
        table = await play_on(tables, table_id, lambda table: table.n > 15 and trick_begun(table))
        return table_id, table

    async def afterwards(store: Store) -> None:
        tables = tables_of(store, seed=9)
        assert await present(tables, table_id) == table
        await play_on(tables, table_id, over, Random(5))

    table_id, table = with_store(database, before)
    with_store(database, afterwards)


def trick_begun(table: TableState) -> bool:
    """Whether a card lies on the table."""
    return table.state is not None and bool(table.state.view(None).table)


def test_when_a_table_wakes(database: str) -> None:
    """A table wakes for a computer's act or a deadline, never for a person without one or in a pause."""

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        computer = log.SeatHolder("heuristic", "Lavardin")
        table_id, table = await begun(tables, opened(chairs=(person(0), computer)))
        assert await store.due_tables(clock.now) == [table_id], "the computer draws a card too"
        await tables.do(table_id, ask.Pause(0))
        assert await store.waking_tables() == []
        await tables.do(table_id, ask.Resume(0))
        assert await store.waking_tables() == [table_id]
        table = await tables.do(
            table_id, any_answer(table, Random(0)) if table.awaited == {1} else ask.Pick(1, 0)
        )
        assert await store.waking_tables() == []
        await tables.do(table_id, ask.ForfeitMatch(0))

        terms = log.ClockTerms(10, 5)
        table_id, table = await begun(tables, opened(clock=terms))
        assert await store.due_tables(clock.now + 14.9) == []
        assert await store.due_tables(clock.now + 15.0) == [table_id]
        await tables.do(table_id, ask.ForfeitMatch(0))
        assert await store.waking_tables() == []

        table_id, _ = await begun(tables)
        assert await store.waking_tables() == []
        table = await play_on(tables, table_id, lambda table: bool(table.window or table.played), Random(11))
        assert table.window, "choose another seed"
        assert await store.due_tables(clock.now + WINDOW - 0.1) == []
        assert await store.due_tables(clock.now + WINDOW) == [table_id]

    with_store(database, test)


def test_watchers_are_told_and_forgotten(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await begun(tables)
        other, _ = await begun(tables)
        moved, elsewhere = asyncio.Event(), asyncio.Event()
        with tables.watching(table_id, moved), tables.watching(other, elsewhere):
            assert not moved.is_set()
            await tables.do(table_id, ask.Speak(0, "hello"))
            assert moved.is_set()
            assert not elsewhere.is_set()
            tables.notify_all()
            assert elsewhere.is_set()
        assert tables._watchers == {}
        with pytest.raises(RuntimeError), tables.watching(table_id, moved):
            raise RuntimeError
        assert tables._watchers == {}

    with_store(sqlite, test)


def test_one_revanche_however_often_it_is_asked_for(database: str) -> None:
    """§13: both players' requests, repeated and at two nodes, set one table."""

    async def test(store: Store) -> None:
        tables, other = tables_of(store), tables_of(store)
        table_id, _ = await begun(tables)
        table = await play_on(tables, table_id, over)
        table = await tables.do(table_id, ask.Revanche(0), "a")
        assert await tables.revanche(table_id, table) is None
        table = await tables.do(table_id, ask.Revanche(1), "b")
        found = await asyncio.gather(*(tables.revanche(table_id, table), other.revanche(table_id, table)))
        assert found[0] is not None
        assert set(found) == {found[0], await tables.revanche(table_id, await present(tables, table_id))}
        following = await present(tables, found[0])
        assert following.phase is Phase.TIRAGE
        assert following.holders == table.holders
        assert following.match.entries == ()
        assert (await present(tables, table_id)).next_table == found[0]
        assert {name for name, _ in await store.table_ids_of("guest-0")} == {table_id, found[0]}

    with_store(database, test)


def test_rooms_forgotten_are_folded_again(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(store: Store) -> None:
        monkeypatch.setattr("chouine.server.tables.KEPT", 1)
        tables = tables_of(store)
        table_ids = [await tables.open(opened()) for _ in range(3)]
        rooms = [await present(tables, table_id) for table_id in table_ids]
        assert len(tables._known) == 1
        assert [await present(tables, table_id) for table_id in table_ids] == rooms

    with_store(sqlite, test)
