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
from threading import Lock
from types import MappingProxyType
from typing import Self, TypeVar

from chouine.ai.racing import Limit
from chouine.errors import ChouineError, NotationError, check_seconds, check_type, count_of
from chouine.notation.tokens import read_action, token
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.plaintext import repr_of
from chouine.players.pipe import GRACE, Greeting, PipePlayer, passed_over
from chouine.players.process import (
    EngineDied,
    EngineFault,
    EngineNonsense,
    EngineNotStarted,
    EngineOverlong,
    EngineSilent,
)
from chouine.rules.play import au_sept

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

    def __str__(self) -> str:
        return self.text

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
        win, low, high = (value(name, share_of) for name in ("win", "low", "high"))
        return cls(text, action, win, low, high, value("worlds", int))


def share_of(word: str) -> float:
    """A probability as a program writes it. Raises `ValueError` for any other word, such as `nan`."""
    if 0 <= (share := float(word)) <= 1:
        return share
    raise ValueError(f"not a probability: {word}")


@dataclass(frozen=True, slots=True)
class Answer:
    """A program's decision, and what it said before."""

    action: Action | None
    """None: it lets "au sept" pass (§11)."""
    infos: tuple[Info, ...]

    def __str__(self) -> str:
        """Its act, after the lines that it said."""
        return "\n".join(map(str, (*self.infos, token(self.action))))


class Engine:
    """A running program. One question at a time: a second one waits for the first.

    Every method raises an `EngineFault`, whose subclass says what went wrong: `EngineNotStarted`, `EngineDied`,
    `EngineSilent`, `EngineNonsense`, `EngineOverlong`. The program is then ended, and the next question starts it anew.
    So is one whose question is cancelled, since the protocol has no word to stop it. Once closed it answers no more,
    until `async with` opens it again.
    """

    def __init__(
        self,
        command: str,
        options: Mapping[str, str | int] = MappingProxyType({}),
        grace: float = GRACE,
        patience: float = PATIENCE,
    ) -> None:
        """`grace`: seconds by which an answer may be late; `patience`: for one whose limit is not a time."""
        check_type("command", command, str, "a command line as text, such as 'python3 engine.py'")
        if grace != 0:
            check_seconds(grace)
        check_seconds(patience)
        self.pipe = PipePlayer(command, grace=grace, options=_settings(options))
        self.patience = patience
        self.thread: ThreadPoolExecutor | None = ThreadPoolExecutor(1, "engine")
        self.lock = Lock()
        self.asking = False
        """Whether the thread takes a step of the conversation."""

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
        check_type("view", view, View, "a View, such as state.view(state.turn)")
        if view.observer is None or not (
            view.turn == view.observer or au_sept(view.rule_table, view.position)
        ):
            raise ChouineError("illegal/over" if view.turn is None else "illegal/not-your-turn")
        words = _limit_words(limit)
        loop = asyncio.get_running_loop()
        said = asyncio.Queue[Info | None]()

        def hear(word: str, rest: str) -> bool:
            if word == "info":
                loop.call_soon_threadsafe(said.put_nowait, Info.read(rest.strip()))
            return passed_over(word, rest)

        await self._run(self.pipe.start)
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
        """Take a step of the conversation in the program's thread; a fault or a cancellation ends the program.

        It is ended before the thread takes the next step, which would hear a late answer to this one.
        """
        thread, over, broken = self._open_thread(), False, False

        def take() -> T:
            nonlocal over, broken
            try:
                with self.lock:
                    self._open_thread()
                    self.asking = True
                return step()
            except BaseException:
                broken = True
                raise
            finally:
                with self.lock:
                    over, self.asking = True, False
                    if broken:
                        self.pipe.end()

        running = thread.submit(take)
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            with self.lock:
                if not (running.cancel() or over):
                    broken = True
                    self.pipe.kill()
            raise

    def _open_thread(self) -> ThreadPoolExecutor:
        if self.thread is None:
            raise RuntimeError("this engine is closed: `async with` opens it again")
        return self.thread

    async def close(self) -> None:
        """End the program, also while it thinks: that question raises `EngineDied`, and none that waits is asked."""
        if (thread := self.thread) is not None:
            with self.lock:
                self.thread = None
                if self.asking:
                    self.pipe.kill()
            try:
                await asyncio.wrap_future(thread.submit(self.pipe.close))
            finally:
                thread.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        self.thread = self.thread or ThreadPoolExecutor(1, "engine")
        try:
            await self._run(self.pipe.start)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def popen(command: str, options: Mapping[str, str | int] = MappingProxyType({})) -> Engine:
    """The program of a command line, run without a shell; started by `async with`, which ends it too."""
    return Engine(command, options)


def _settings(options: Mapping[str, str | int]) -> list[tuple[str, str]]:
    """A program's options as it is sent them, a line each."""
    check_type("options", options, Mapping, "names with their values, such as {'level': '8'}")
    for each in (*options, *options.values()):
        check_type("an option's name or value", each, (str, int), "a text or a number")
        if isinstance(each, bool) or len(str(each).splitlines()) != 1:
            raise ValueError(f"an option's name and its value are of one line, not {repr_of(each)}")
    return [(name, str(value)) for name, value in options.items()]


def _limit_words(limit: Limit) -> str:
    """The `go` line of a limit. Raises `ValueError` for one of both kinds, or of nothing."""
    check_type("limit", limit, Limit, "a Limit, such as Limit(seconds=1)")
    if limit.seconds is not None and limit.worlds is not None:
        raise ValueError("the engine protocol has limits of seconds or of worlds, not of both")
    if limit.worlds is not None:
        return f"go nodes {count_of('worlds', limit.worlds, 'a number of samples', 1)}"
    if limit.seconds is None:
        return "go"
    check_seconds(limit.seconds)
    return f"go time {max(1, round(1000 * limit.seconds))}"
