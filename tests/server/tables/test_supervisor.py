"""Background tasks survive unexpected errors, and one damaged table does not stop the others."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from structlog.testing import capture_logs

from chouine.server import app as module
from chouine.server import pubsub
from chouine.server.app import Supervisor
from chouine.server.heartbeat import Heartbeat
from chouine.server.pubsub import poll
from chouine.server.routes.operations import ready
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask
from tests.patience import PATIENCE
from tests.server.stores import Clock, present, set_table, store_at, tables_of, with_store


async def readiness(tables: Tables, supervisor: Supervisor) -> tuple[int, str]:
    """The status and the reason that `/ready` gives."""
    services = SimpleNamespace(
        tables=tables, supervisor=supervisor, leaving=asyncio.Event(), stopping=asyncio.Event()
    )
    state = SimpleNamespace(services=services)
    answer = await ready(Request({"type": "http", "app": SimpleNamespace(state=state)}))
    return answer.status_code, json.loads(bytes(answer.body)).get("why", "")


def test_a_task_that_fails_is_started_again(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged without the error's text, and `/ready` tells only of one that keeps failing."""
    monkeypatch.setattr(module, "AGAIN", 0.0)
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])

    async def test(store: Store) -> None:
        tables, supervisor, seen = tables_of(store), Supervisor(), list[tuple[int, str]]()

        async def work() -> None:
            seen.append(await readiness(tables, supervisor))
            if len(seen) < 4:
                raise ValueError("the seven of trumps")

        with capture_logs() as lines:
            async with asyncio.timeout(PATIENCE):
                await supervisor.keep("work", work)
        failing = (503, "failing: work")
        assert seen == [(200, ""), (200, ""), failing, failing]
        assert {(line["event"], line["task"], line["kind"]) for line in lines if "task" in line} == {
            ("background task failed", "work", "ValueError")
        }
        assert "seven" not in str(lines)
        now[0] += module.RECENT
        assert await readiness(tables, supervisor) == (200, "")

    with_store(sqlite, test)


def test_a_watched_table_that_is_damaged_stops_no_other(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other watched tables are still polled after a gap in one log."""
    monkeypatch.setattr(pubsub, "POLL", 0.01)

    async def test() -> None:
        async with store_at(sqlite) as first, store_at(sqlite) as second:
            one, two = tables_of(first), tables_of(second)
            damaged, sound = [(await set_table(one))[0] for _ in range(2)]
            moved = {table_id: asyncio.Event() for table_id in (damaged, sound)}
            with two.watching(damaged, moved[damaged]), two.watching(sound, moved[sound]):
                await present(two, damaged)
                await present(two, sound)
                with capture_logs() as lines:
                    polling = asyncio.create_task(poll(two, None))
                    await one.do(damaged, ask.Speak(0, "hello"))
                    await one.do(damaged, ask.Speak(0, "thanks"))
                    with closing(sqlite3.connect(sqlite.partition(":///")[2])) as connection, connection:
                        connection.execute("update entry set n = n + 7 where game = ? and n > 2", (damaged,))
                    while not lines:  # noqa: ASYNC110  # nobody tells
                        await asyncio.sleep(0.01)
                    await one.do(sound, ask.Speak(0, "hello"))
                    await asyncio.wait_for(moved[sound].wait(), PATIENCE)
                    polling.cancel()
            assert ("cannot read a watched table", "Damaged") in {
                (line["event"], line["kind"]) for line in lines
            }

    asyncio.run(test())


@pytest.mark.parametrize("stored", ["abc", "nan", "-5", "1e999", ""])
def test_a_heartbeat_that_cannot_be_read_is_replaced(sqlite: str, stored: str) -> None:
    """No clock is credited with nonsense, and the next heartbeat is written as ever."""

    async def test(store: Store) -> None:
        tables = tables_of(store, Clock(1234.5))
        await store.keep_setting("alive", stored)
        with capture_logs() as lines:
            await Heartbeat(tables).beat()
        assert await store.setting("alive") == "1234.5"
        assert [line["log_level"] for line in lines] == ["error"]

    with_store(sqlite, test)
