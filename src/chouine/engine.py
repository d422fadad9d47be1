"""Programs that speak the engine protocol (docs/notation.md), asked without blocking, as `chess.engine` does for chess.

    async with popen("chouine engine", {"level": "8"}) as engine:
        print((await engine.play(view, Limit(seconds=1))).action)
        async for info in engine.analyse(view, Limit(worlds=1000)):
            print(info.action, info.win)

The conversation itself is `PipePlayer`'s, which duels and the terminal use: a thread for each program holds it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self, TypeVar

from chouine.ai.racing import Limit
from chouine.errors import NotationError
from chouine.notation.tokens import read_action, token
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.pipe import GRACE, Greeting, PipePlayer, passed_over
from chouine.players.process import (
    EngineDied,
    EngineFault,
    EngineNonsense,
    EngineNotStarted,
    EngineOverlong,
    EngineSilent,
)

__all__ = [
    "Answer",
    "Engine",
    "EngineDied",
    "EngineFault",
    "EngineNonsense",
    "EngineNotStarted",
    "EngineOverlong",
    "EngineSilent",
    "Info",
    "Limit",
    "popen",
]

PATIENCE = 60.0
"""Seconds for an answer whose limit is not a time."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Info:
    """A line of a program's thinking; what it does not say is None. `text` is the whole line."""

    text: str
    action: Action | None = None
    """The act that the line is about."""
    win: float | None = None
    """Its probability to win the partie, 0 to 1; `low` and `high` are its bounds."""
    low: float | None = None
    high: float | None = None
    worlds: int | None = None
    """Samples of the hidden cards."""
    line: tuple[Action, ...] = ()
    """The likely continuation."""

    @classmethod
    def read(cls, text: str) -> Info:
        """The line `info TEXT`. The protocol fixes no grammar for it: what is not understood is left in `text`."""
        words = text.split()
        if words[:1] == ["line"]:
            with suppress(NotationError):
                return cls(text, line=tuple(map(read_action, words[1:])))
            return cls(text)
        said = dict(zip(words[::2], words[1::2], strict=False))

        def value(name: str, read: Callable[[str], T]) -> T | None:
            with suppress(KeyError, ValueError):
                return read(said[name])
            return None

        action = value("act", read_action) or value("best", read_action)
        win, low, high = (value(name, float) for name in ("win", "low", "high"))
        return cls(text, action, win, low, high, value("worlds", int))


@dataclass(frozen=True, slots=True)
class Answer:
    """A program's decision, and what it said before."""

    action: Action | None
    """None: it lets "au sept" pass (§11)."""
    infos: tuple[Info, ...]


class Engine:
    """A running program. One question at a time: a second one waits for the first.

    Every method raises an `EngineFault`, whose subclass says what went wrong: `EngineNotStarted`, `EngineDied`,
    `EngineSilent`, `EngineNonsense`, `EngineOverlong`. The program is then ended, and the next question starts it anew.
    So is one whose question is cancelled, since the protocol has no word to stop it.
    """

    def __init__(
        self,
        command: str,
        options: Mapping[str, str] = MappingProxyType({}),
        grace: float = GRACE,
        patience: float = PATIENCE,
    ) -> None:
        """`grace`: seconds by which an answer may be late; `patience`: for one whose limit is not a time."""
        self.pipe = PipePlayer(command, grace=grace, options=[*options.items()])
        self.patience = patience
        self.thread = ThreadPoolExecutor(1, "engine")

    @property
    def greeting(self) -> Greeting:
        """What the program says of itself: name, rules, options."""
        return self.pipe.greeting

    async def play(self, view: View, limit: Limit = Limit()) -> Answer:  # noqa: B008  # immutable
        """The program's decision for the seat of a view."""
        infos = [info async for info in self.analyse(view, limit)]
        return Answer(infos.pop().action, tuple(infos))

    async def analyse(self, view: View, limit: Limit = Limit()) -> AsyncGenerator[Info]:  # noqa: B008  # same
        """Yield what the program says as it thinks; the last one is its decision.

        To stop early, leave the loop inside `contextlib.aclosing`.
        """
        loop = asyncio.get_running_loop()
        said = asyncio.Queue[Info | None]()

        def hear(word: str, rest: str) -> bool:
            if word == "info":
                loop.call_soon_threadsafe(said.put_nowait, Info.read(rest.strip()))
            return passed_over(word, rest)

        await self._run(self.pipe.start)
        words = _limit_words(limit)
        seconds = self.patience if limit.seconds is None else limit.seconds + self.pipe.grace
        asking = asyncio.create_task(self._run(lambda: self.pipe.ask(view, words, seconds, hear)))
        asking.add_done_callback(lambda _: said.put_nowait(None))
        try:
            while (info := await said.get()) is not None:
                yield info
            action = await asking
        finally:
            asking.cancel()
        yield Info(f"best {token(action)}", action)

    async def _run(self, step: Callable[[], T]) -> T:
        """Take a step of the conversation in the program's thread; a fault or a cancellation ends the program."""
        running = self.thread.submit(step)
        try:
            return await asyncio.wrap_future(running)
        except EngineFault:
            self.thread.submit(self.pipe.end)
            raise
        except asyncio.CancelledError:
            if not running.cancel():
                self.pipe.kill()
                self.thread.submit(self.pipe.end)
            raise

    async def close(self) -> None:
        """End the program."""
        await self._run(self.pipe.close)
        self.thread.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        try:
            await self._run(self.pipe.start)
        except BaseException:
            self.thread.shutdown(wait=False)
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def popen(command: str, options: Mapping[str, str] = MappingProxyType({})) -> Engine:
    """The program of a command line, run without a shell; started by `async with`, which ends it too."""
    return Engine(command, options)


def _limit_words(limit: Limit) -> str:
    """The `go` line of a limit. Raises `ValueError` for one of both kinds, or of nothing."""
    if limit.seconds is not None and limit.worlds is not None:
        raise ValueError("the engine protocol has limits of seconds or of worlds, not of both")
    if limit.worlds is not None:
        return f"go nodes {limit.worlds}"
    return "go" if limit.seconds is None else f"go time {max(1, round(1000 * limit.seconds))}"
