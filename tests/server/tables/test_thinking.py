"""The input of thinking processes, exactly a seat's view; and the loss of such a process."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import process as process_module
from contextlib import suppress
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
from structlog.testing import capture_logs

from chouine.ai import levels
from chouine.ai.strongest import NetworkPlayer
from chouine.compilations import advice_ready, folder, strong_levels_ready
from chouine.partie.events import Exchanged, Shown
from chouine.players import UnknownPlayer
from chouine.registry import player_of
from chouine.rules import PRESETS
from chouine.server import thinking
from chouine.server.fair_queue import NOBODY
from chouine.server.thinking import (
    PASS,
    UNABLE,
    FairPool,
    ThinkerPool,
    ThoughtRequest,
    compile_all,
    decode,
    encode,
    processes,
    think,
)
from chouine.table.state import TableState
from tests.patience import PATIENCE, wait_until
from tests.server.matches import Table, is_over, opening, playing
from tests.server.tables.computers import threads
from tests.server.worlds import another_log


@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_comes_back_as_it_was(preset: str) -> None:
    """Views decode to the same, including cards shown and exchanges, which the seat's notation lacks."""
    seen: set[type] = set()
    for seed in range(3):
        table = Table.set(opening(preset, "3"), seed)
        while not is_over(table.table):
            table.step()
            state = table.table.state
            if state is None or state.result is not None:
                continue
            for seat in table.table.seats:
                view = state.view(seat)
                assert decode(encode(ThoughtRequest.of("random", view, 1))).view == view
                seen |= {type(event) for event in view.events}
    assert seen >= ({Shown} if "mondoubleau" in preset else {Shown, Exchanged})


def far(n: int, table: TableState) -> bool:
    return table.n >= n


def test_the_job_is_the_same_in_every_other_world() -> None:
    """§14: the encoded thought is the same in all worlds the seat cannot distinguish."""
    compared = 0
    for seed in range(20):
        rng = Random(seed)
        table = Table.set(opening(), seed).until(playing).until(partial(far, 5 + seed))
        for seat in table.table.seats:
            other = another_log(table, seat, rng)
            if other is None or table.table.state is None or other.table.state is None:
                continue
            assert other.table.state.deal != table.table.state.deal
            here, there = (
                encode(ThoughtRequest.of("heuristic", state.view(seat), 7))
                for state in (table.table.state, other.table.state)
            )
            assert here == there
            compared += 1
    assert compared > 10


def test_a_spectator_is_asked_nothing() -> None:
    table = Table.set(opening()).until(playing)
    assert table.table.state is not None
    with pytest.raises(ValueError, match="spectator"):
        ThoughtRequest.of("heuristic", table.table.state.view(None), 0)


def test_who_is_not_awaited_has_nothing_to_say() -> None:
    table = Table.set(opening("classic"), 2).until(playing)
    assert table.table.state is not None
    turn = table.table.state.position.turn
    assert think(encode(ThoughtRequest.of("heuristic", table.table.state.view(1 - turn), 0))).token == PASS
    answer = think(encode(ThoughtRequest.of("heuristic", table.table.state.view(turn), 0)))
    assert answer.token == str(player_of("heuristic").act(table.table.state.view(turn)))


def test_a_level_that_what_is_installed_cannot_play_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "highest_level", lambda: levels.UNAIDED)
    table = Table.set(opening("classic"), 2).until(playing)
    assert table.table.state is not None
    view = table.table.state.view(table.table.state.position.turn)
    assert think(encode(ThoughtRequest.of("level:8", view, 0))).token == UNABLE
    assert think(encode(ThoughtRequest.of("level:6", view, 0))).token != UNABLE


def test_a_thought_starts_no_program(tmp_path: Path) -> None:
    """An entry in the queue cannot make the thinking process run a command."""
    table = Table.set(opening("classic"), 2).until(playing)
    assert table.table.state is not None
    view = table.table.state.view(table.table.state.position.turn)
    with pytest.raises(UnknownPlayer):
        think(encode(ThoughtRequest.of(f"pipe:touch {tmp_path}/run", view, 0)))
    assert not list(tmp_path.iterdir())


def test_the_network_plays_for_levels_that_are_still_compiled() -> None:
    """While the strong levels are being compiled the network plays for them; then they are loaded and play."""
    table = Table.set(opening("classic"), 2).until(playing)
    assert table.table.state is not None
    view = table.table.state.view(table.table.state.position.turn)
    strong = ThoughtRequest.of("level:8", view, 0)

    async def test() -> None:
        pool, compiled = threads(), asyncio.Event()
        pool.compiling = asyncio.create_task(until(compiled))
        assert (await pool.think(strong, "")).token == str(NetworkPlayer().act(view))
        assert pool.deep.executor is None
        compiled.set()
        await pool.compiling
        assert (await pool.think(strong, "")).token in map(str, view.legal)
        assert pool.deep.executor is not None
        await pool.close()

    async def until(event: asyncio.Event) -> None:
        await event.wait()

    asyncio.run(test())


def test_the_strongest_level_answers_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a new installation, with real processes and an empty cache, the network answers for level 8."""
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    table = Table.set(opening("classic"), 2).until(playing)
    assert table.table.state is not None
    view = table.table.state.view(table.table.state.position.turn)

    async def test() -> None:
        pool = ThinkerPool(1)
        pool.warm()
        assert pool.compiling is not None
        answer = await pool.think(ThoughtRequest.of("level:8", view, 0), "")
        assert answer.token == str(NetworkPlayer().act(view))
        assert not pool.compiling.done()
        assert not strong_levels_ready().exists()
        await pool.close()

    asyncio.run(test())


def test_levels_that_search_are_loaded_before_they_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """If compiled before, the search levels are loaded at the server's start, after the quick levels."""
    monkeypatch.setattr(thinking, "strong_levels_ready", lambda: Path(__file__))
    monkeypatch.setattr(thinking, "advice_ready", lambda: Path(__file__))

    async def test() -> None:
        pool = ThinkerPool(1)
        pool.warm()
        assert pool.deep.executor is None
        assert pool.loading is not None
        await pool.loading
        assert isinstance(pool.deep.executor, ProcessPoolExecutor)
        loaded = await pool.deep.run(NOBODY, modules_loaded)
        assert {"chouine.ai.strongest", "chouine.ai.montecarlo"} <= loaded
        await pool.close()

    asyncio.run(test())


def modules_loaded() -> frozenset[str]:
    return frozenset(sys.modules)


def test_levels_that_search_are_loaded_once_they_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search levels are loaded after compilation only, since their process would compile them again."""
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    done = list[object]()

    async def test() -> None:
        pool, compiled = threads(), asyncio.Event()

        async def wait(_: object) -> None:
            await compiled.wait()

        monkeypatch.setattr(thinking, "compile_beside", wait)
        monkeypatch.setattr(thinking, "get_ready_to_search", lambda: done.append("loaded"))
        pool.warm()
        assert pool.loading is None
        assert pool.compiling is not None
        await asyncio.sleep(0)
        assert not done
        compiled.set()
        await pool.compiling
        assert done == ["loaded"]
        await pool.close()

    asyncio.run(test())


A_MATCH_AND_ITS_PAGES = """
import sys, chouine.cli.serve, chouine.server.app
from chouine.school.guide import moment as guided
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.server.pages.match import match_page
from chouine.server.pages.replay import replay_page
from tests.server.pages.tables import random_match
visit = Visit("fr", "c" * 32, "a")
viewer = Viewer(visit, "game", 0)
for moment in random_match("classic", "1x1", "ab", 1):
    viewer.frames(moment.before, moment.entry, moment.after)
match_page(visit, "game", moment.after)
replay_page(visit, "game", moment.after, 1, 1)
course = guided([])
guided([*course.acts, str(course.view.legal[0])])
print("numba" in sys.modules)
"""


def test_the_server_itself_never_loads_the_compiler() -> None:
    """The compiler is slow to load and needs much memory; only thinking processes import it.

    Pages that offer a review ask whether search is available without importing it, and the easy computer of the guided
    partie plays in the server.
    """
    command = [sys.executable, "-c", A_MATCH_AND_ITS_PAGES]
    told = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[3]
    ).stdout
    assert told.strip() == "False"


def test_compiling_ends_with_the_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the pool ends compilation."""
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))

    async def test() -> None:
        pool = ThinkerPool(1)
        pool.warm()
        assert pool.compiling is not None
        while not (beside := [one for one in active_children() if one.daemon]):  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.01)
        await pool.close()
        with pytest.raises(asyncio.CancelledError):
            await pool.compiling
        until = monotonic() + PATIENCE
        while any(process.is_alive() for process in beside):
            assert monotonic() < until
            await asyncio.sleep(0.01)

    asyncio.run(test())


@pytest.mark.parametrize("compiled", [False, True])
def test_what_was_compiled_once_is_not_compiled_again(
    compiled: bool,  # noqa: FBT001  # a parameter of the test
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that restarts does not compile again."""
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    if compiled:
        strong_levels_ready().parent.mkdir(parents=True)
        strong_levels_ready().touch()
        advice_ready().touch()

    async def test() -> None:
        pool = ThinkerPool(1)
        pool.warm()
        assert (pool.compiling is None) is compiled
        assert (pool.compiling_advice is None) is compiled
        await pool.close()

    asyncio.run(test())


def test_compiling_tells_when_it_has_done_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`compile_all` leaves its marker. In a cache of its own: other tests look for the marker in the shared one."""
    shared = folder()
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    shutil.copytree(shared, folder())
    strong_levels_ready().unlink(missing_ok=True)
    with get_context("spawn").Pool(1) as another:
        another.apply(compile_all)
    assert strong_levels_ready().exists()


def test_closing_does_not_wait_for_a_thought(tmp_path: Path) -> None:
    """A program that closes its processes ends, although one of them has work for an hour."""
    script = tmp_path / "closing.py"
    script.write_text(
        """
import asyncio, time
from chouine.server.fair_queue import NOBODY
from chouine.server.thinking import FairPool, processes

async def main():
    pool = FairPool(1, processes)
    await pool.run(NOBODY, time.sleep, 0)
    working = asyncio.create_task(pool.run(NOBODY, time.sleep, 3600))
    await asyncio.sleep(0.1)
    working.cancel()
    pool.close()

if __name__ == "__main__":
    asyncio.run(main())
"""
    )
    subprocess.run([sys.executable, str(script)], check=True, timeout=5 * PATIENCE)


def test_a_process_that_is_lost_is_replaced() -> None:
    """All thoughts of a killed process fail; the next one gets a new process."""
    table = Table.set(opening("classic"), 2).until(playing)
    assert table.table.state is not None
    thought = ThoughtRequest.of("heuristic", table.table.state.view(table.table.state.position.turn), 0)

    async def test() -> None:
        pool = ThinkerPool(1)
        pool.warm()
        first = await pool.think(thought, "")
        assert isinstance(pool.quick.executor, ProcessPoolExecutor)
        (lost,) = pool.quick.executor._processes
        os.kill(lost, signal.SIGKILL)
        with capture_logs() as lines:
            async with asyncio.timeout(PATIENCE):
                while not lines:
                    with suppress(BrokenExecutor):
                        await pool.think(thought, "")
            assert (await pool.think(thought, "")).token == first.token
        assert lines == [{"event": "thinking process lost", "log_level": "warning"}]
        await pool.close()

    asyncio.run(test())


def forget_next(executor: ProcessPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this executor's processes die while the next task is being submitted, when it is in no list yet."""
    base: Any = vars(process_module)["_base"]
    make, processes, queue = base.Future, dict(executor._processes), vars(executor)["_call_queue"]

    def die_first() -> Any:
        monkeypatch.setattr(base, "Future", make)
        for process in processes.values():
            process.kill()
        if sys.version_info < (3, 12):  # later ones tell a submitted task of it all the same
            wait_until("all that are listed to be told", lambda: queue._reader.closed)
        return make()

    monkeypatch.setattr(base, "Future", die_first)


def test_a_task_begun_while_its_process_dies_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And its turn is the next one's."""
    monkeypatch.setattr(thinking, "FORGOTTEN", 0.01)

    async def test() -> None:
        pool = FairPool(1, processes)
        assert await pool.run(NOBODY, abs, -1) == 1
        assert isinstance(pool.executor, ProcessPoolExecutor)
        forget_next(pool.executor, monkeypatch)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(BrokenExecutor):
                await pool.run(NOBODY, abs, -2)
            assert await pool.run(NOBODY, abs, -3) == 3
        pool.close()

    asyncio.run(test())


class Lost(ThreadPoolExecutor):
    """Processes of which one is lost before anything is asked, or which cannot be started."""

    def __init__(self, fault: Exception) -> None:
        super().__init__(1)
        self.fault = fault

    def submit(self, *_: object, **__: object) -> Future[Any]:
        raise self.fault


def test_a_task_that_was_not_begun_in_lost_processes_is_begun_in_new_ones() -> None:
    async def test() -> None:
        made: list[Executor] = [ThreadPoolExecutor(1), Lost(BrokenExecutor())]
        pool = FairPool(1, lambda _: made.pop())
        assert await pool.run(NOBODY, abs, -1) == 1
        assert made == []

    asyncio.run(test())


@pytest.mark.parametrize("opens", [False, True])
def test_a_turn_is_given_back_where_no_process_can_be_started(*, opens: bool) -> None:
    """A machine without room for another process fails one task, and not all that come after it."""

    async def test() -> None:
        made: list[Executor] = [ThreadPoolExecutor(1), Lost(BlockingIOError())]

        def start(_: int) -> Executor:
            executor = made.pop()
            if not opens and isinstance(executor, Lost):
                raise executor.fault
            return executor

        pool = FairPool(1, start)
        with pytest.raises(BlockingIOError):
            await pool.run(NOBODY, abs, -1)
        pool.executor = None
        async with asyncio.timeout(PATIENCE):
            assert await pool.run(NOBODY, abs, -2) == 2

    asyncio.run(test())
