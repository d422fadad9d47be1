"""Computers that cannot think, fail or answer late: the table shows it, waits, and continues."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from concurrent.futures import BrokenExecutor
from random import Random

import pytest
from structlog.testing import capture_logs

from chouine.ai import levels
from chouine.server import computers as module
from chouine.server.database import Unreachable
from chouine.server.fair_queue import NOBODY, ComputeAccount
from chouine.server.pages import opponents
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.server.store import Store
from chouine.server.tables import Tempo
from chouine.server.thinking import ComputerMove, ThoughtRequest, encode, think
from chouine.table import commands as ask
from chouine.table import entries as log
from tests.patience import PATIENCE
from tests.server.matches import any_answer, is_over, opening, person, playing
from tests.server.stores import Clock, play_on, present, set_table, tables_of, with_store
from tests.server.tables.computers import (
    COMPUTER,
    Listening,
    computers_at,
    nothing,
    table_awaiting_computer,
    until,
)


def test_a_level_that_cannot_be_played_here_says_what_it_needs_and_goes_on_once_it_can(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older match with a level 8 chair on a server whose compiler has been uninstalled."""
    strong = log.SeatHolder("level:8", "Anselme")

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock, tempo=Tempo(rest=0.0, thinking=0.01, every=0.01))
        table_id, table = await table_awaiting_computer(tables, strong)
        monkeypatch.setattr(levels, "highest_level", lambda: levels.UNAIDED)
        monkeypatch.setattr(opponents, "highest_level", lambda: levels.UNAIDED)
        async with computers_at(tables):
            away = await until(tables, table_id, lambda now: bool(now.missing))
            assert (away.n, away.awaited) == (table.n + 1, frozenset({1}))
            page = Viewer(Visit("en", "", "guest-0"), table_id, 0).page(away)
            assert "Anselme plays level 8, which needs numba" in page
            monkeypatch.undo()
            assert "Anselme is getting ready" in Viewer(Visit("en", "", "guest-0"), table_id, 0).page(away)
            clock.now += module.LEASE
            after = await until(tables, table_id, lambda now: now.n > away.n)
        assert not after.missing

    with_store(sqlite, test)


def test_one_tables_fault_is_not_the_others(sqlite: str) -> None:
    """A failure at one table does not affect others, and the log names neither card nor table."""

    def failing(thought: ThoughtRequest) -> ComputerMove:
        if thought.player == "random":
            raise RuntimeError(f"holding {thought.view.hand}")
        return think(encode(thought))

    async def test(store: Store) -> None:
        tables = tables_of(store)
        bad = log.SeatHolder("random", "Trôo")
        ill, _ = await set_table(tables, opening(chairs=(bad, bad)))
        well, _ = await set_table(tables, opening(chairs=(COMPUTER, COMPUTER)))
        with capture_logs() as lines:
            async with computers_at(tables, Listening(failing)):
                await until(tables, well, is_over)
        assert not is_over(await present(tables, ill))
        assert {"event": "computer failed", "log_level": "warning", "kind": "RuntimeError"} in lines
        assert all(set(line) <= {"event", "log_level", "kind"} for line in lines)

    with_store(sqlite, test)


def test_a_lost_process_and_a_silent_database_are_outlived(sqlite: str) -> None:
    troubles = iter([BrokenExecutor(), BrokenExecutor()])

    def breaking(thought: ThoughtRequest) -> ComputerMove:
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
        table_id, _ = await set_table(tables, opening(chairs=(COMPUTER, COMPUTER)))
        with capture_logs() as lines:
            async with computers_at(tables, Listening(breaking)):
                await until(tables, table_id, is_over)
        assert [line["event"] for line in lines].count("cannot look for due tables") == 3
        assert next(troubles, None) is None

    with_store(sqlite, test)


def test_a_computer_nobody_thinks_for_is_away_until_somebody_does(sqlite: str) -> None:
    """The table shows once that its computer is away and continues with the late answer."""

    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=Tempo(rest=0.0, thinking=0.01, every=0.01, absent=0.05))
        back = asyncio.Event()

        class GoneListening(Listening):
            async def think(
                self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY
            ) -> ComputerMove:
                await back.wait()
                return await super().think(thought, name, share)

        table_id, table = await table_awaiting_computer(tables)
        async with computers_at(tables, GoneListening()):
            away = await until(tables, table_id, lambda now: bool(now.missing))
            assert (away.n, away.missing, away.awaited) == (table.n + 1, frozenset({1}), frozenset({1}))
            assert "is away" in Viewer(Visit("en", "", "guest-0"), table_id, 0).page(away)
            await asyncio.sleep(0.2)
            assert (await present(tables, table_id)).n == away.n
            back.set()
            after = await until(tables, table_id, lambda now: now.n > away.n)
        assert not after.missing
        assert isinstance((await store.log(table_id))[away.n][0], log.Acted | log.Passed)

    with_store(sqlite, test)


def test_an_answer_to_a_position_that_is_past_is_ignored(database: str) -> None:
    """A late answer is discarded, though legal again, when another node has already played."""

    async def test(store: Store) -> None:
        one, two = tables_of(store), tables_of(store)
        table_id, _ = await set_table(one, opening("classic", "1x1", (person(0), COMPUTER)))
        table = await play_on(
            one, table_id, lambda table: playing(table) and table.awaited == {1} and not table.window
        )
        assert table.state is not None
        late = next(card for card in map(str, table.state.view(1).legal) if "+" not in card)
        released = asyncio.Event()

        class Late(Listening):
            async def think(self, *_: object) -> ComputerMove:
                await released.wait()
                return ComputerMove(late)

        async with computers_at(one, Late()) as computers:
            async with asyncio.timeout(PATIENCE):
                while not computers.busy:  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0.01)
            other = next(card for card in table.state.view(1).legal if str(card) != late)
            now = await two.do(table_id, ask.Act(1, str(other)))
            while not (now.awaited == {1} and not now.window and playing(now)):
                now = await two.do(table_id, any_answer(now, Random(1)))
            assert now.state is not None
            assert late in map(str, now.state.view(1).legal), "choose another seed"
            computers.tables.store.claim = nothing  # type: ignore[method-assign]
            released.set()
            await asyncio.gather(*computers.busy.values())
            assert (await present(two, table_id)).n == now.n

    with_store(database, test)
