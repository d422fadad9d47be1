"""Where computers think: in processes of their own that know one seat's view, and nothing of any table.

What is asked travels as text, to a process on this machine or to a worker on another (`workers.py`). What levels that
think ahead need is compiled, once for an installation, in a process beside these: meanwhile the others go on thinking.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context, parent_process
from random import Random
from threading import Thread
from time import monotonic
from typing import Protocol, Self

import msgspec
import structlog

from chouine.ai.levels import LEVELS, UNAIDED, NeedsFast, highest, level, level_of, seated
from chouine.arena.partie import play_partie
from chouine.cards import CardSet
from chouine.compilations import strong_levels_ready
from chouine.notation.lines import partie_line, read_view
from chouine.partie.deal import Deal
from chouine.partie.events import Event, Exchanged, Shown
from chouine.partie.view import View
from chouine.rules.options import Rules

log = structlog.get_logger()

PASS = "-"
"""The answer of who has nothing to do (§11)."""
UNABLE = "?"
"""The answer for a level that what is installed cannot play."""


class Answer(msgspec.Struct, frozen=True):
    """What a computer does, as a token, and for how many seconds it thought, waiting for its turn not counted."""

    token: str
    seconds: float = 0.0


class Thought(msgspec.Struct, frozen=True):
    """What a computer is asked: its player's name, its seat, its seat's line, and chance of its own."""

    player: str
    seat: int
    line: str
    shown: tuple[int | None, ...]
    """What the line has no place for: the cards laid open for each declaration…"""
    exchanged: tuple[int | None, ...]
    """… and who took the turnup each time (§11)."""
    seed: int

    @classmethod
    def of(cls, player: str, view: View, seed: int) -> Self:
        """All that a seat knows."""
        if view.observer is None:
            raise ValueError("a spectator has nothing to think about")
        events = view.events
        laid = (event.cards for event in events if isinstance(event, Shown))
        shown = tuple(None if cards is None else cards.mask for cards in laid)
        exchanged = tuple(event.seat for event in events if isinstance(event, Exchanged))
        return cls(player, view.observer, partie_line(view), shown, exchanged, seed)

    @property
    def view(self) -> View:
        """The view it was made of."""
        told = read_view(self.line, self.seat)
        shown, exchanged = iter(self.shown), iter(self.exchanged)

        def whole(event: Event) -> Event:
            match event:
                case Shown():
                    cards = next(shown)
                    return replace(event, cards=None if cards is None else CardSet(cards))
                case Exchanged():
                    return replace(event, seat=next(exchanged))
                case _:
                    return event

        return View(told.rules, told.observer, tuple(map(whole, told.events)))


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Thought).decode


def think(asked: bytes) -> Answer:
    """A player's answer, `-` where it has nothing to answer: what runs in the other process."""
    begun, thought = monotonic(), decode(asked)
    view = thought.view
    try:
        act = seated(thought.player, view.rules, thought.seed).act(view) if view.legal else None
    except NeedsFast:
        return Answer(UNABLE)
    return Answer(str(act or PASS), monotonic() - begun)


def get_ready() -> None:
    """Read what every level needs, before the first thought."""
    import chouine.ai.frail  # noqa: F401


def compile_all() -> None:
    """Play a partie as levels that think ahead do: what they need is compiled, or read from disk, and kept there."""
    leave_with_parent()
    with suppress(AttributeError):  # not on every system
        os.nice(5)
    rules = Rules()
    strong = [level(each, rules, seed=1) for each in LEVELS[-2:]]
    play_partie(rules, Deal.random(rules, 0, Random(1)), strong)
    with suppress(OSError):  # no folder that can be written: compiled code lasts as long as the process
        strong_levels_ready().touch()


class Thinker(Protocol):
    """Whoever answers for computers."""

    async def think(self, thought: Thought, name: str) -> Answer:
        """The answer. Two thoughts of one name are about one and the same decision."""

    async def close(self) -> None:
        """Stop thinking."""


def processes(number: int) -> Executor:
    """Processes in which computers think, started when they are needed."""
    return ProcessPoolExecutor(number, get_context("spawn"), leave_with_parent)


def leave_with_parent() -> None:
    """End when the server does, however it does: a server that was killed cannot say so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(0)

    Thread(target=watch, daemon=True).start()


class Pool:
    """Processes of this machine. One that is lost takes its thoughts with it; the next finds new ones."""

    def __init__(self, number: int, start: Callable[[int], Executor] = processes) -> None:
        self.number, self.start = number, start
        self.executor: Executor | None = None
        self.compiling: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Have a process there before the first thought, and strong levels ready as soon as can be."""
        self.executor = self.executor or self.start(self.number)
        self.executor.submit(get_ready)
        if highest() > UNAIDED and self.compiling is None and not strong_levels_ready().exists():
            self.compiling = asyncio.create_task(self.compile())

    async def compile(self) -> None:
        """Have all compiled in a process of its own. If that fails, each process does it when it comes to that."""
        beside = get_context("spawn").Process(target=compile_all, daemon=True)
        beside.start()
        try:
            await asyncio.to_thread(beside.join)
        finally:
            beside.kill()

    async def think(self, thought: Thought, name: str) -> Answer:  # noqa: ARG002  # nobody else thinks here
        if self.compiling is not None and level_of(thought.player) > UNAIDED:
            await asyncio.shield(self.compiling)
        executor = self.executor = self.executor or self.start(self.number)
        try:
            return await asyncio.get_running_loop().run_in_executor(executor, think, encode(thought))
        except BrokenExecutor:
            log.warning("thinking process lost")
            if self.executor is executor:
                self.executor = None
            raise

    async def close(self) -> None:
        if self.compiling is not None:
            self.compiling.cancel()
        if self.executor is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)
