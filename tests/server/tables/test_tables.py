"""Commands are carried out once with concurrent writers, and another process continues from the store."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from threading import Thread, current_thread

import pytest

from chouine.errors import IllegalAction
from chouine.server import table_cache
from chouine.server import tables as module
from chouine.server.database import Unreachable
from chouine.server.erasure import rewrite
from chouine.server.store import ALL, Append, Store
from chouine.server.table_cache import TAIL, Step
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.commands import Refused
from chouine.table.entries import WINDOW
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState
from tests.patience import PATIENCE
from tests.server.matches import any_answer, is_over, opening, person, playing
from tests.server.stores import Clock, play_on, present, set_table, tables_of, with_store


def test_a_whole_match_is_what_the_store_has(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening("classic", "1x2"))
        table = await play_on(tables, table_id, is_over)
        assert table == rebuild(await store.log(table_id))
        assert await present(tables_of(store), table_id) == table

    with_store(database, test)


def test_a_command_sent_again_does_nothing_again(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, table = await set_table(tables)
        command = any_answer(table, Random(1))
        after = await tables.do(table_id, command, "once")
        for again in (tables, tables_of(store)):
            assert await again.do(table_id, command, "once") == after
        assert await again.do(table_id, ask.Speak(0, "hello"), "once") == after

    with_store(database, test)


def test_a_refusal_writes_nothing(database: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables)
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
        table_id, _ = await set_table(tables)
        table = await play_on(tables, table_id, is_over)
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
        table_id, _ = await set_table(tables := tables_of(store))
        await play_on(tables, table_id, is_over)
        folded.clear()
        assert (await present(tables_of(store), table_id)).phase is Phase.OVER
        assert folded
        assert all(name.startswith("fold") for name in folded)

    with_store(database, test)


def test_two_processes_carry_one_command_out(database: str) -> None:
    """Two processes get the same command: both answer, and it is carried out once."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        table_id, table = await set_table(one, opening("three"))
        rng, commands = Random(3), 0
        while not is_over(table):
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
        table_id, _ = await set_table(one)
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
    table_id = with_store(database, lambda store: tables_of(store).open(opening("four")))
    counts: list[int] = []

    def play(seed: int) -> None:
        async def go(store: Store) -> None:
            tables, rng = tables_of(store), Random(seed)
            table = await present(tables, table_id)
            while not is_over(table):
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
        thread.join(PATIENCE)
    assert len(counts) == 3
    assert len(set(counts)) == 1
    written = with_store(database, lambda store: store.log(table_id))
    assert len(written) == counts[0]
    assert rebuild(written).match.over


def test_a_command_whose_answer_is_lost_is_told_all_the_same(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database wrote a command and did not say so: those who wait for it hear of it when it is found there."""

    async def test(store: Store) -> None:
        tables, told, moved = tables_of(store), list[tuple[str, int]](), asyncio.Event()
        table_id, table = await set_table(tables)
        append = store.append

        async def write_in_silence(more: Append) -> None:
            monkeypatch.setattr(store, "append", append)
            await append(more)
            raise Unreachable

        monkeypatch.setattr(store, "append", write_in_silence)
        tables.tell = lambda table_id, n: told.append((table_id, n))
        tables.turned.append(lambda table_id, table: told.append((table_id, table.n)))
        with tables.watching(table_id, moved):
            after = await tables.do(table_id, any_answer(table, Random(0)), "mine")
            assert after.n > table.n
            assert moved.is_set()
        assert told == [(table_id, after.n)] * 2

    with_store(sqlite, test)


def test_a_command_that_was_given_up_is_told_when_it_is_sent_again(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To this node or another: the database wrote it, and did not answer for longer than anybody waits."""

    async def test(store: Store) -> None:
        told = list[tuple[str, str, int]]()
        nodes = {name: tables_of(store) for name in ("here", "there")}
        table_id, table = await set_table(nodes["here"])
        for name, node in nodes.items():
            node.tell = lambda table_id, n, name=name: told.append((name, table_id, n))  # type: ignore[misc]
            await present(node, table_id)
        command = any_answer(table, Random(0))

        async def write_in_silence(more: Append) -> None:
            await Store.append(store, more)
            raise Unreachable

        with monkeypatch.context() as silent:
            silent.setattr(store, "append", write_in_silence)
            silent.setattr(module, "PATIENCE", 0.0)
            silent.setattr(store, "is_taken", fail)
            with pytest.raises(Unreachable):
                await nodes["here"].do(table_id, command, "mine")
        assert told == []
        for name, node in nodes.items():
            after = await node.do(table_id, command, "mine")
            assert after.n > table.n
            assert told.pop() == (name, table_id, after.n)

    with_store(sqlite, test)


async def fail(*_: object) -> bool:
    raise Unreachable


@pytest.mark.parametrize(("entries", "nth"), [(1, 1), (30, 3)])
def test_a_log_that_is_rewritten_while_it_is_read_is_read_anew(
    sqlite: str, entries: int, nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that was erased after the `nth` reading is shown to nobody; long logs are read in several."""

    async def test(store: Store) -> None:
        table_id, _ = await set_table(tables_of(store))
        await play_on(tables_of(store), table_id, lambda table: table.n >= entries)
        tables, read, readings = tables_of(store), store.log, 0

        async def overtaken(of: str, after: int = 0, most: int = ALL) -> list[tuple[log.LogEntry, float]]:
            nonlocal readings
            readings += 1
            found = await read(of, after, most)
            if readings == nth:
                await store.database.write(partial(rewrite, table_id, "guest-0", {0}))
                tables.drop(table_id)
            return found

        monkeypatch.setattr(store, "log", overtaken)
        assert "guest-0" not in repr(await present(tables, table_id))
        assert readings > nth

    with_store(sqlite, test)


def test_a_log_that_is_rewritten_while_a_command_is_written_stays_so(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command was decided on a state with a name that is erased since, and that others have read anew."""

    async def test(store: Store) -> None:
        tables, moved = tables_of(store), asyncio.Event()
        table_id, table = await set_table(tables)
        append = store.append

        async def overtaken(more: Append) -> None:
            await store.database.write(partial(rewrite, table_id, "guest-0", {0}))
            tables.drop(table_id)
            await present(tables, table_id)
            moved.clear()
            await append(more)

        monkeypatch.setattr(store, "append", overtaken)
        with tables.watching(table_id, moved):
            await tables.do(table_id, any_answer(table, Random(0)))
        assert moved.is_set()
        assert tables.steps(table_id, table.n) != []  # whoever is woken finds that there is more
        after = await present(tables, table_id)
        assert after.n > table.n
        assert "guest-0" not in repr(after)

    with_store(sqlite, test)


def test_a_busy_table_says_so(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that always loses the race to a rival is refused as busy."""

    async def test(store: Store) -> None:
        tables, rival = tables_of(store), tables_of(Store(store.database))
        table_id, table = await set_table(tables)
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
    async def play_into_trick(store: Store) -> tuple[str, TableState]:
        tables = tables_of(store)
        table_id, _ = await set_table(tables)
        table = await play_on(tables, table_id, lambda table: table.n > 15 and trick_begun(table))
        return table_id, table

    async def afterwards(store: Store) -> None:
        tables = tables_of(store, seed=9)
        assert await present(tables, table_id) == table
        await play_on(tables, table_id, is_over, Random(5))

    table_id, table = with_store(database, play_into_trick)
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
        table_id, table = await set_table(tables, opening(chairs=(person(0), computer)))
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
        table_id, table = await set_table(tables, opening(clock=terms))
        assert await store.due_tables(clock.now + 14.9) == []
        assert await store.due_tables(clock.now + 15.0) == [table_id]
        await tables.do(table_id, ask.ForfeitMatch(0))
        assert await store.waking_tables() == []

        table_id, _ = await set_table(tables)
        assert await store.waking_tables() == []
        table = await play_on(tables, table_id, lambda table: bool(table.window or table.played), Random(11))
        assert table.window, "choose another seed"
        assert await store.due_tables(clock.now + WINDOW - 0.1) == []
        assert await store.due_tables(clock.now + WINDOW) == [table_id]

    with_store(database, test)


def test_watchers_are_told_and_forgotten(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables)
        other, _ = await set_table(tables)
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
    """§13: both players' requests, repeated and at two nodes, set one table; whoever set the match has set it too."""

    async def test(store: Store) -> None:
        tables, other = tables_of(store), tables_of(store)
        table_id = await tables.open(opening(), set_by=("guest-0", "here"))
        table = await play_on(tables, table_id, is_over)
        table = await tables.do(table_id, ask.Revanche(0), "a")
        assert not table.next_table
        asked = (node.do(table_id, ask.Revanche(1), "b") for node in (tables, other))
        found = {each.next_table for each in await asyncio.gather(*asked)}
        again = (await tables.do(table_id, ask.Revanche(1), "b")).next_table
        assert again
        assert found == {again}
        following = await present(tables, again)
        assert following.phase is Phase.TIRAGE
        assert following.holders == table.holders
        assert following.match.entries == ()
        assert await store.set_by(again) == ("guest-0", "")
        assert {name for name, _ in await store.table_ids_of("guest-0")} == {table_id, again}

    with_store(database, test)


def test_rooms_forgotten_are_folded_again(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(store: Store) -> None:
        monkeypatch.setattr("chouine.server.tables.KEPT", 1)
        tables = tables_of(store)
        table_ids = [await tables.open(opening()) for _ in range(3)]
        rooms = [await present(tables, table_id) for table_id in table_ids]
        assert len(tables._known) == 1
        assert [await present(tables, table_id) for table_id in table_ids] == rooms

    with_store(sqlite, test)
