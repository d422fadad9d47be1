"""The server's heartbeat: downtime is credited to clocks, once."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from structlog.testing import capture_logs

from chouine.server import heartbeat as module
from chouine.server.database import Unreachable
from chouine.server.heartbeat import BEAT, RETURN, Heartbeat, credit_downtime, steady_clock
from chouine.server.store import Store
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.state import Phase
from tests.patience import PATIENCE
from tests.server.matches import opening
from tests.server.stores import Clock, play_on, present, set_table, tables_of, with_store


def test_downtime_is_credited_once(database: str) -> None:
    """Every table with a deadline is credited once, by whichever node starts first."""

    async def test(store: Store) -> None:
        clock = Clock()
        tables, other = tables_of(store, clock), tables_of(store, clock)
        clocked, table = await set_table(tables, opening(clock=log.ClockTerms(10, 50)))
        free, _ = await set_table(tables)
        window, before = await set_table(tables)
        before = await play_on(tables, window, lambda table: bool(table.window or table.played), Random(11))
        assert before.window, "choose another seed"
        await credit_downtime(tables)
        assert (await present(tables, clocked)).n == table.n, "a first start credits nothing"
        await store.keep_setting("alive", repr(clock.now))
        clock.now += 1000.0
        await credit_downtime(tables)
        await credit_downtime(other)
        after = await present(tables, clocked)
        assert after.n == table.n + 1
        assert after.deadline == (table.deadline or 0.0) + 1000.0 + RETURN
        assert (await present(tables, window)).deadline == (before.deadline or 0.0) + 1000.0 + RETURN
        assert (await present(tables, free)).n == 2

    with_store(database, test)


def test_who_waits_before_trying_again_is_given_the_wait_back() -> None:
    """The credit covers the longest reconnection delay of the page's script, including its random quarter."""
    script = (Path(module.__file__).parent / "static/js/source.js").read_text()
    longest = re.search(r"LONGEST_WAIT = ([\d_]+);", script)
    assert longest is not None
    assert "wait * (0.75 + Math.random() / 2)" in script
    assert int(longest[1]) / 1000 * 1.25 == RETURN


def test_a_short_absence_is_not_credited(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        table_id, table = await set_table(tables, opening(clock=log.ClockTerms(10, 50)))
        await store.keep_setting("alive", repr(clock.now - BEAT))
        await credit_downtime(tables)
        assert (await present(tables, table_id)).n == table.n

    with_store(sqlite, test)


def test_a_server_says_that_it_is_there(sqlite: str) -> None:
    async def test(store: Store) -> None:
        clock = Clock(1234.5)
        beating = asyncio.create_task(Heartbeat(tables_of(store, clock)).run())
        async with asyncio.timeout(PATIENCE):
            while await store.setting("alive") is None:  # noqa: ASYNC110  # nor for this
                await asyncio.sleep(0.01)
        beating.cancel()
        assert await store.setting("alive") == "1234.5"

    with_store(sqlite, test)


def test_time_without_a_database_is_credited_before_any_deadline_is_kept(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No deadline is applied while the heartbeat cannot write, and the credit precedes its next success."""
    monkeypatch.setattr(module, "BEAT", 0.05)

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        table_id, table = await set_table(tables, opening(clock=log.ClockTerms(10, 50)))
        heartbeat, keep = Heartbeat(tables), store.keep_setting
        await heartbeat.beat()
        assert heartbeat.alive

        async def silent(name: str, value: str) -> None:
            raise Unreachable

        monkeypatch.setattr(store, "keep_setting", silent)
        beating = asyncio.create_task(heartbeat.run())
        with capture_logs() as lines:
            clock.now += 30.0
            async with asyncio.timeout(PATIENCE):
                while not lines:  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0.01)
        assert not heartbeat.alive
        assert table.phase is Phase.TIRAGE
        early = asyncio.create_task(tables.do(table_id, ask.Pick(0, 3), "early"))
        assert {line["event"] for line in lines} == {"cannot say that the server is there"}
        monkeypatch.setattr(store, "keep_setting", keep)
        async with asyncio.timeout(PATIENCE):
            while not heartbeat.alive:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
        after = await early
        assert (after.since, after.reserves) == (table.since + 30.0 + RETURN, table.reserves), (
            "it was counted as late"
        )
        beating.cancel()

    with_store(database, test)


def test_the_servers_clock_goes_on_evenly(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's clock starts from the database's time and ignores changes of the system clock."""

    async def test(store: Store) -> None:
        clock = await steady_clock(store)
        begun = clock()
        assert abs(begun - await store.now()) < PATIENCE
        monkeypatch.setattr("time.time", lambda: 0.0)
        assert 0.0 <= clock() - begun < PATIENCE

    with_store(database, test)


def test_the_clock_never_begins_before_the_last_sign(database: str) -> None:
    """After the system clock is set back between two starts, the clock continues from the last heartbeat."""

    async def test(store: Store) -> None:
        ahead = await store.now() + 3600
        await store.keep_setting("alive", repr(ahead))
        assert ahead <= (await steady_clock(store))() < ahead + 5

    with_store(database, test)
