"""A player that is another program: the engine protocol, asking.

The program is told its own seat's line and nothing else. What it may do wrong (start late, fall silent, end,
answer nonsense or an illegal action) is an `EngineFault`; a fallback, if there is one, plays from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Self

from chouine.errors import NotationError
from chouine.notation.lines import partie_line
from chouine.notation.tokens import PASS, read_action
from chouine.partie.actions import Action
from chouine.partie.deal import SEATS
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.process import EngineFault, Process
from chouine.rules.play import au_sept

HANDSHAKE = 10.0
"""Seconds a program has to say that it is ready."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """Who plays for a program at fault, and who is told of the fault."""

    player: Player
    report: Callable[[EngineFault], None]


class PipePlayer:
    """Drives the program of a command line. Close it, or use it as a context manager."""

    def __init__(
        self, command: str, milliseconds: int = 1000, grace: float = 2.0, fallback: Fallback | None = None
    ) -> None:
        """`milliseconds` is what the program is given for an action, `grace` the seconds it may be late."""
        self.command = command
        self.milliseconds = milliseconds
        self.grace = grace
        self.fallback = fallback
        self.process: Process | None = None
        self.presets: list[str] = []
        self.fault: EngineFault | None = None

    def act(self, view: View) -> Action | None:
        if view.observer is None or (view.turn != view.observer and not au_sept(view.book, view.position)):
            return None
        if self.fault is None:
            try:
                return self.asked(view, view.observer)
            except EngineFault as fault:
                self.fault = fault
                self.end()
                if self.fallback is not None:
                    self.fallback.report(fault)
        if self.fallback is not None:
            return self.fallback.player.act(view)
        raise self.fault

    def asked(self, view: View, seat: int) -> Action | None:
        """The program's answer to a view."""
        process = self.process or self.greeted()
        if self.presets and view.rules.preset not in self.presets:
            raise EngineFault("engine/rules", command=self.command, rules=view.rules)
        process.send(f"view {SEATS[seat]} {partie_line(view)}")
        process.send(f"go time {self.milliseconds}")
        answer = self.awaited(process, "best", self.milliseconds / 1000 + self.grace)
        return self.read(view, answer)

    def greeted(self) -> Process:
        """The program started, and ready."""
        process = self.process = Process(self.command)
        process.send("hello")
        self.awaited(process, "ready", HANDSHAKE)
        return process

    def awaited(self, process: Process, word: str, seconds: float) -> str:
        """What follows `word` in the program's answer; `info` and what it says of itself may come before."""
        since = monotonic()
        while True:
            line = process.receive(seconds, since)
            said, _, rest = line.partition(" ")
            if said == word:
                return rest.strip()
            if said == "error":
                raise EngineFault("engine/refused", command=self.command, token=rest)
            if said == "rules" and word == "ready":
                self.presets = rest.split()
            elif said not in ("info", "id", "option"):
                raise EngineFault("engine/unreadable", command=self.command, token=line[:100])

    def read(self, view: View, token: str) -> Action | None:
        """The action a token names, if the seat may do it."""
        if token == PASS and view.turn != view.observer:
            return None
        try:
            action = read_action(token)
        except NotationError:
            raise EngineFault("engine/unreadable", command=self.command, token=token[:100]) from None
        if action not in view.legal:
            raise EngineFault("engine/illegal", command=self.command, token=token)
        return action

    def end(self) -> None:
        """End a program at fault."""
        if self.process is not None:
            self.process.end()
            self.process = None

    def close(self) -> None:
        """Let the program go."""
        if self.process is not None:
            self.process.part("quit")
            self.process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
