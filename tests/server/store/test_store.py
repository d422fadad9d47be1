"""The store, on both backends."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
import sqlalchemy as sa

from chouine.server.store import Append, Conflict, Store
from chouine.table.entries import Cut, Forfeited, Opened, Picked, Sat, Shuffled, Spoke
from tests.server.matches import opening
from tests.server.stores import keep_session, with_store

FIRST = Append("game", 0, 1.5, None, (opening(),), wake=None, over=False, seats=((0, "guest-0"),))


def more(
    n: int, command: str | None, *entries: Picked | Spoke, wake: float | None = None, stirs: bool = True
) -> Append:
    return Append("game", n, 2.5, command, entries, wake, over=False, stirs=stirs)


def test_a_log_comes_back_as_it_was_written(database: str) -> None:
    """A log is read as it was written: exact times, same order."""
    entries = (Picked(0, 3), Picked(1, 31), Spoke(1, "hello"))

    async def test(store: Store) -> None:
        await store.open(FIRST)
        await store.append(Append("game", 1, 1763712345.123456, "c", entries, None, over=False))
        log = await store.log("game")
        assert [entry for entry, _ in log] == [opening(), *entries]
        assert [at for _, at in log] == [1.5] + [1763712345.123456] * 3
        assert await store.log("game", 3) == log[3:]
        assert await store.log("another") == []

    with_store(database, test)


def test_a_line_is_written_once(database: str) -> None:
    async def test(store: Store) -> None:
        await store.open(FIRST)
        await store.append(more(1, "a", Picked(0, 3)))
        for late in (more(1, "b", Picked(1, 3)), more(0, "b", Picked(1, 3), Picked(1, 4))):
            with pytest.raises(Conflict):
                await store.append(late)
        with pytest.raises(Conflict):
            await store.open(FIRST)
        assert len(await store.log("game")) == 2

    with_store(database, test)


def test_a_command_is_written_once(database: str) -> None:
    async def test(store: Store) -> None:
        await store.open(FIRST)
        await store.append(more(1, "a", Picked(0, 3), Picked(1, 4)))
        assert await store.is_taken("game", "a")
        assert not await store.is_taken("game", "b")
        assert not await store.is_taken("another", "a")
        with pytest.raises(Conflict):
            await store.append(more(3, "a", Spoke(0, "hello")))
        assert len(await store.log("game")) == 3

    with_store(database, test)


def test_what_was_refused_leaves_nothing(database: str) -> None:
    """A refused append changes neither the wake time nor the chairs."""

    async def test(store: Store) -> None:
        await store.open(FIRST)
        await store.append(more(1, "a", Spoke(0, "hello"), wake=50.0))
        late = Append("game", 1, 3.0, "b", (Sat(1, "friend", "Ami"),), 9.0, over=True, seats=((1, "friend"),))
        with pytest.raises(Conflict):
            await store.append(late)
        assert await store.due_tables(49.0) == []
        assert await store.due_tables(50.0) == ["game"]
        assert await store.table_ids_of("friend") == []

    with_store(database, test)


def test_of_two_writers_at_once_one_comes_first(database: str) -> None:
    """Of two concurrent appends of the same entry one succeeds and one raises Conflict."""

    async def test(store: Store) -> None:
        await store.open(FIRST)
        other = Store(store.database)
        for n in range(1, 15):
            race = [
                writer.append(more(n, f"{n}-{name}", Picked(0, n)))
                for name, writer in (("a", store), ("b", other))
            ]
            outcomes = await asyncio.gather(*race, return_exceptions=True)
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
        assert len(await store.log("game")) == 15

    with_store(database, test)


def test_tables_wake_in_the_order_of_their_time(database: str) -> None:
    async def test(store: Store) -> None:
        for table_id, wake in (("late", 30.0), ("never", None), ("soon", 10.0)):
            await store.open(Append(table_id, 0, 0.0, None, (opening(),), wake, over=False))
        assert await store.due_tables(9.9) == []
        assert await store.due_tables(30.0) == ["soon", "late"]
        assert sorted(await store.waking_tables()) == ["late", "soon"]

    with_store(database, test)


def test_tables_attended_to_keep_no_other_waiting(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that are being attended to do not fill the limit of due tables."""
    monkeypatch.setattr("chouine.server.store.DUE", 2)

    async def test(store: Store) -> None:
        for nth in range(6):
            await store.open(Append(f"{nth}", 0, 0.0, None, (opening(),), float(nth), over=False))
        assert await store.due_tables(9.0) == ["0", "1"]
        assert await store.due_tables(9.0, {"0", "1", "2", "3"}) == ["4", "5"]
        assert sorted(await store.claim(9.0, 9.0, {"0", "1", "3"})) == ["2", "4"]

    with_store(database, test)


def test_a_guests_tables(database: str) -> None:
    """A guest's tables, newest first; a chair with a new holder moves to the new holder's list."""

    async def test(store: Store) -> None:
        for at, table_id in enumerate(("old", "new")):
            seats = ((0, "me"), (1, "me"))
            await store.open(
                Append(table_id, 0, float(at), None, (opening(),), None, over=False, seats=seats)
            )
        assert await store.table_ids_of("me") == [("new", None), ("old", None)]
        assert await store.table_ids_of("me", limit=1) == [("new", None)]
        for seat in (0, 1):
            sat = Sat(seat, "other", "Autre")
            taken = Append("new", 1 + seat, 5.0, None, (sat,), None, over=False, seats=((seat, "other"),))
            await store.append(taken)
        assert await store.table_ids_of("me") == [("old", None)]
        assert await store.table_ids_of("other") == [("new", None)]

    with_store(database, test)


def test_sessions_and_settings(database: str) -> None:
    async def test(store: Store) -> None:
        assert await store.session("t") is None
        await keep_session(store, "t", "guest", b'{"name":"Jean"}', 2.0)
        row = await store.session("t")
        assert row is not None
        assert (row.guest, row.settings, row.seen) == ("guest", b'{"name":"Jean"}', 2.0)
        await store.touch_session("t", 3.0)
        row = await store.session("t")
        assert row is not None
        assert row.seen == 3.0
        assert await store.setting("alive") is None
        await store.keep_setting("alive", "1.0")
        await store.keep_setting("alive", "2.0")
        assert await store.setting("alive") == "2.0"

    with_store(database, test)


def test_the_first_value_of_a_setting_stays(database: str) -> None:
    """Nodes that start at the same time agree on the server's key."""

    async def test(store: Store) -> None:
        values = await asyncio.gather(*(store.first_setting("key", str(node)) for node in range(6)))
        assert len(set(values)) == 1
        assert await store.setting("key") == values[0]

    with_store(database, test)


def scalar_of(statement: str, connection: sa.Connection) -> object:
    return connection.exec_driver_sql(statement).scalar()


def test_sqlite_loses_nothing_that_was_acknowledged(sqlite: str) -> None:
    """Every SQLite connection uses WAL, full synchronisation and foreign keys."""

    async def test(store: Store) -> None:
        for ask in (store.database.read, store.database.write):
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
                assert await ask(partial(scalar_of, f"pragma {pragma}")) == value

    with_store(sqlite, test)


def test_every_kind_of_entry_fits(database: str) -> None:
    """§2, §16: the longest pack, and names in any script."""
    entries = (
        Shuffled("As" * 32, "f" * 64),
        Cut(1, 28),
        Sat(1, "g" * 22, "Ünï 🂡 名"),
        Forfeited(0, late=True),
    )

    async def test(store: Store) -> None:
        first = Opened("classic;head=always", "5x2", opening().chairs, None, "d" * 200)
        await store.open(Append("g" * 32, 0, 0.0, None, (first, *entries), None, over=True))
        assert [entry for entry, _ in await store.log("g" * 32)] == [first, *entries]

    with_store(database, test)
