"""Compute the computers' moves in separate processes, which are given one seat's view and know no table.

Requests are serialized as text, for a process on this machine or a worker on another (`workers.py`). The kernels of
levels 7 and 8 are compiled once for an installation, in one more process; until they are ready, these levels play as
the network does without search (`ai/strongest.py`).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context, parent_process
from random import Random
from threading import Thread
from time import monotonic
from typing import NamedTuple, ParamSpec, Protocol, Self, TypeVar

import msgspec
import structlog

from chouine.ai.levels import LEVELS, UNAIDED, NeedsFast, highest_level, level, level_of, looks_ahead
from chouine.cards import CardSet
from chouine.compilations import advice_ready, strong_levels_ready
from chouine.notation.lines import Disclosures, disclose, disclosures, partie_line, read_view
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.registry import check_public, player_of
from chouine.rules.options import Rules
from chouine.school import readiness
from chouine.school.readiness import compile_levels
from chouine.server.fair_queue import NOBODY, ComputeAccount, TurnQueue
from chouine.server.shared_work import SharedWork
from chouine.table.entries import DAILY

log = structlog.get_logger()

Asked = ParamSpec("Asked")
Result = TypeVar("Result")

PASS = "-"
"""The token of a computer that has nothing to do (§11)."""
UNABLE = "?"
"""The token for a level that cannot run with what is installed."""


FORGOTTEN = 5.0
"""Seconds between two looks whether anybody is left to do a task."""


class ComputerMove(msgspec.Struct, frozen=True):
    """A computer's act as a token, and the seconds it thought, without the time in the queue."""

    token: str
    seconds: float = 0.0


class ThoughtRequest(msgspec.Struct, frozen=True):
    """A request to a computer: its player's name, its seat's view as a partie line, and a random seed."""

    player: str
    seat: int
    line: str
    shown: tuple[int | None, ...]
    """What a line cannot express: the cards shown for each declaration…"""
    exchanged: tuple[int | None, ...]
    """… and the seat of each exchange (§11)."""
    seed: int

    @classmethod
    def of(cls, player: str, view: View, seed: int) -> Self:
        """The request that holds all a seat knows."""
        if view.observer is None:
            raise ValueError("a spectator has nothing to think about")
        known = disclosures(view)
        shown = tuple(None if cards is None else cards.mask for cards in known.shown)
        return cls(player, view.observer, partie_line(view), shown, known.exchanged, seed)

    @property
    def view(self) -> View:
        """The view from which the request was made."""
        shown = tuple(None if cards is None else CardSet(cards) for cards in self.shown)
        return disclose(read_view(self.line, self.seat), Disclosures(shown, self.exchanged))


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(ThoughtRequest).decode


def think(asked: bytes) -> ComputerMove:
    """A player's move for an encoded request, `-` if the seat has nothing to decide. Runs in the other process."""
    begun, thought = monotonic(), decode(asked)
    check_public(thought.player)
    view = thought.view
    try:
        act = player_of(thought.player, view.rules, thought.seed).act(view) if view.legal else None
    except NeedsFast:
        return ComputerMove(UNABLE)
    return ComputerMove(str(act or PASS), monotonic() - begun)


def think_uncompiled(asked: bytes) -> ComputerMove:
    """Answer for levels 7 and 8 while their kernels are being compiled: the network without search."""
    from chouine.ai.strongest import uncompiled_act

    begun = monotonic()
    return ComputerMove(str(uncompiled_act(decode(asked).view) or PASS), monotonic() - begun)


def get_ready(*, uncompiled: bool) -> None:
    """Import what every level needs, so that the first move is not late."""
    import chouine.ai.levels

    if uncompiled:
        import chouine.ai.network
        import chouine.ai.strongest  # noqa: F401


def get_ready_to_search() -> None:
    """Have levels 7 and 8 think once, so that their process has loaded its kernels before the first move."""
    rules = Rules()
    view = State.new(rules, Deal.random(rules, 0, Random(1))).view(1)
    for number in reversed(LEVELS[UNAIDED:]):
        level(number, rules, seed=1).act(view)


def compile_all() -> None:
    """Compile the kernels of levels 7 and 8, and leave a file that says so."""
    begin_patiently()
    compile_levels(Rules())
    with suppress(OSError):  # no folder that can be written: compiled code lasts as long as the process
        strong_levels_ready().touch()


def compile_advice() -> None:
    """Compile the other kernels of advice and reviews, and leave a file that says so."""
    begin_patiently()
    readiness.compile_advice(Rules())
    with suppress(OSError):  # no folder that can be written: who advises compiles it again
        advice_ready().touch()


def needs_kernels(thought: ThoughtRequest) -> bool:
    """Whether a request needs compiled kernels; quick requests never queue behind those."""
    return level_of(thought.player) > UNAIDED or thought.player == DAILY


class Backlog(NamedTuple):
    """How many requests wait, and how many processes or workers there are."""

    queued: float
    workers: float


class Thinker(Protocol):
    """A source of computers' moves."""

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:
        """The move, once it is this request's turn. Requests with equal names ask for the same decision."""

    async def close(self) -> None:
        """Stop the processes."""


def processes(number: int) -> Executor:
    """`number` worker processes, started on demand."""
    return ProcessPoolExecutor(number, get_context("spawn"), leave_with_parent)


def patient_processes(number: int) -> Executor:
    """`number` processes at a low priority, for work that takes seconds: quick answers go first."""
    return ProcessPoolExecutor(number, get_context("spawn"), begin_patiently)


def begin_patiently() -> None:
    leave_with_parent()
    with suppress(AttributeError):  # not on every system
        os.nice(5)


def leave_with_parent() -> None:
    """Make a worker process exit when the server is gone, even if the server was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(0)

    Thread(target=watch, daemon=True).start()


class FairPool:
    """Worker processes with a fair queue. If a process dies its tasks fail, and the next task starts a new one."""

    def __init__(self, number: int, start: Callable[[int], Executor]) -> None:
        self.number, self.start = number, start
        self.executor: Executor | None = None
        self.turns = TurnQueue(number)
        self.shared = SharedWork()

    def open(self) -> Executor:
        """The processes, started at the first use."""
        self.executor = self.executor or self.start(self.number)
        return self.executor

    async def run(
        self,
        share: ComputeAccount,
        function: Callable[Asked, Result],
        *args: Asked.args,
        **named: Asked.kwargs,
    ) -> Result:
        """Run a function in a process. The turn lasts until the process is done, even if the caller was cancelled."""
        await self.turns.take(share)
        loop = asyncio.get_running_loop()
        try:
            executor, running = self.begin(partial(function, *args, **named))
        except BaseException:  # such as one of the system, which has no room for another process
            self.turns.give_back()
            raise
        running.add_done_callback(lambda _: give_turn_back(loop, self.turns))
        try:
            return await answer_of(executor, running)
        except BrokenExecutor:
            self.replace_executor(executor)
            raise

    def begin(self, task: Callable[[], Result]) -> tuple[Executor, Future[Result]]:
        """Begin a task; in new processes where one of the present ones was lost before."""
        executor = self.open()
        try:
            return executor, executor.submit(task)
        except BrokenExecutor:
            self.replace_executor(executor)
        executor = self.open()
        return executor, executor.submit(task)

    def replace_executor(self, executor: Executor) -> None:
        log.warning("thinking process lost")
        if self.executor is executor:
            self.executor = None

    def close(self) -> None:
        """Kill the processes: Python waits at its exit for what they are doing, such as loading the kernels."""
        if self.executor is not None:
            running = list((getattr(self.executor, "_processes", None) or {}).values())
            self.executor.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()


async def answer_of(executor: Executor, running: Future[Result]) -> Result:
    """A task's result. Before Python 3.12 a task begun just as a process dies may be forgotten: then it fails."""
    coming = asyncio.wrap_future(running)
    try:
        while not (await asyncio.wait([coming], timeout=FORGOTTEN))[0]:
            manager = getattr(executor, "_executor_manager_thread", None)
            if manager is not None and not manager.is_alive():
                with suppress(InvalidStateError):
                    running.set_exception(BrokenExecutor("nobody is left to do this task"))
        return coming.result()
    finally:
        coming.cancel()


def give_turn_back(loop: asyncio.AbstractEventLoop, turns: TurnQueue) -> None:
    """Give a turn back, from any thread."""
    with suppress(RuntimeError):  # the loop is gone, and so is whoever waited
        loop.call_soon_threadsafe(turns.give_back)


async def compile_beside(compiles: Callable[[], None]) -> None:
    """Compile in a process of its own. If that fails, each worker compiles what it needs."""
    process = get_context("spawn").Process(target=compiles, daemon=True)
    process.start()
    try:
        await asyncio.to_thread(process.join)
    finally:
        process.kill()


class ThinkerPool:
    """Local processes with two queues: quick levels never wait behind those that search."""

    def __init__(
        self,
        number: int,
        start: Callable[[int], Executor] = processes,
        start_patient: Callable[[int], Executor] = patient_processes,
    ) -> None:
        self.number = number
        self.quick, self.deep = FairPool(number, start), FairPool(number, start_patient)
        self.loading: asyncio.Task[None] | None = None
        self.compiling: asyncio.Task[None] | None = None
        self.compiling_advice: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Start processes before the first request, and begin to compile for levels 7 and 8, then for advice."""
        compiling = looks_ahead() and not strong_levels_ready().exists()
        loaded = self.quick.open().submit(get_ready, uncompiled=compiling)
        if compiling:
            self.compiling = asyncio.create_task(self.compile_levels())
        elif highest_level() > UNAIDED:
            self.loading = asyncio.create_task(self.load_levels(asyncio.wrap_future(loaded)))
        if looks_ahead() and not advice_ready().exists():
            self.compiling_advice = asyncio.create_task(self.compile_advice())

    async def load_levels(self, after: Awaitable[None]) -> None:
        """Start a process for levels 7 and 8 once that of the quick levels is ready."""
        with suppress(BrokenExecutor):
            await after
            await self.deep.run(NOBODY, get_ready_to_search)

    async def compile_levels(self) -> None:
        """Compile for levels 7 and 8; their process has loaded the kernels before it is asked."""
        await compile_beside(compile_all)
        with suppress(BrokenExecutor):
            await self.deep.run(NOBODY, get_ready_to_search)

    async def compile_advice(self) -> None:
        """Compile for advice, after levels 7 and 8, with which it shares much."""
        if self.compiling is not None:
            await asyncio.shield(self.compiling)
        await compile_beside(compile_advice)

    async def think(self, thought: ThoughtRequest, name: str, share: ComputeAccount = NOBODY) -> ComputerMove:  # noqa: ARG002  # nobody else thinks here
        if not needs_kernels(thought):
            return await self.quick.run(share, think, encode(thought))
        if self.compiling is not None and not self.compiling.done():
            if thought.player == DAILY:  # which always gives the same answers
                await asyncio.shield(self.compiling)
                return await self.deep.run(share, think, encode(thought))
            return await self.quick.run(share, think_uncompiled, encode(thought))
        return await self.deep.run(share, think, encode(thought))

    async def backlog(self) -> Backlog:
        """How much waits for these processes."""
        return Backlog(len(self.quick.turns.waiting) + len(self.deep.turns.waiting), self.number)

    async def close(self) -> None:
        for task in (self.loading, self.compiling, self.compiling_advice):
            if task is not None:
                task.cancel()
        self.quick.close()
        self.deep.close()
