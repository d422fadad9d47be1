"""A player that is another program: the engine protocol, asking.

The program is told what its own seat knows and nothing else. What it may do wrong (start late, fall silent, end,
answer nonsense or an illegal action) is an `EngineFault`; a fallback, if there is one, plays from then on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Self

from chouine.errors import NotationError
from chouine.notation.tokens import PASS, read_action
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.process import EngineFault, Process
from chouine.players.questions import ASKS, question
from chouine.rules.options import Rules
from chouine.rules.play import au_sept

HANDSHAKE = 10.0
"""Seconds a program has to say that it is ready."""
GRACE = 2.0
"""Seconds a decision may be late, on a busy machine."""


Hear = Callable[[str, str], bool]
"""Takes a line's first word and the rest; False if the line is a fault."""


def passed_over(word: str, _: str) -> bool:
    """What a program says while it thinks is for people."""
    return word in ("info", "id", "option")


@dataclass(frozen=True, slots=True)
class Fallback:
    """The player that replaces a failed program, and the callback for the fault."""

    player: Player
    report: Callable[[EngineFault], None]


@dataclass(slots=True)
class Greeting:
    """What a program says of itself before `ready`."""

    name: str = ""
    presets: list[str] | None = None
    """The presets it plays; None: it does not say."""
    options: list[str] = field(default_factory=lambda: ["all"])
    """Settings that it plays besides what the presets say, as `head=always`; `all`, or `none`."""
    offered: dict[str, str] = field(default_factory=dict)
    """Its own options and what each may be, as `1..8`."""
    asks: list[str] = field(default_factory=list)
    """What it asks to be told besides its view (`questions.ASKS`)."""

    def hear(self, word: str, rest: str) -> bool:
        """Take up a line; False for one that does not belong here."""
        kind, _, said = rest.partition(" ")
        match word, kind:
            case "id", "name":
                self.name = said.strip()
            case "id", "options":
                self.options = said.split()
            case "id", "asks":
                self.asks = said.split()
                return set(self.asks) <= set(ASKS)
            case "option", name:
                self.offered[name] = said.strip()
            case "rules", _:
                self.presets = rest.split()
            case _:
                return word in ("id", "info")
        return True

    def takes(self, name: str, value: str) -> bool:
        """Whether it has this option, and the value lies within the bounds that it tells, if it tells any."""
        bounds = re.fullmatch(r"(\d+)\.\.(\d+)", self.offered.get(name, ""), re.ASCII)
        if bounds is None:
            return name in self.offered
        return bool(re.fullmatch(r"\d{1,9}", value, re.ASCII)) and int(bounds[1]) <= int(value) <= int(
            bounds[2]
        )

    def plays(self, rules: Rules) -> bool:
        """Whether the program says that it plays these rules."""
        preset, *settings = str(rules).split(";")
        able = "all" in self.options or set(settings) <= set(self.options)
        return able and (self.presets is None or preset in self.presets)


class PipePlayer:
    """Drives the program of a command line. Close it, or use it as a context manager."""

    def __init__(
        self,
        command: str,
        milliseconds: int = 1000,
        grace: float = GRACE,
        fallback: Fallback | None = None,
        options: Sequence[tuple[str, str]] = (),
    ) -> None:
        """`milliseconds` is what the program is given for an action, `grace` the seconds it may be late.

        `options` are names and values that it is sent once it is ready.
        """
        self.command = command
        self.milliseconds = milliseconds
        self.grace = grace
        self.fallback = fallback
        self.options = options
        self.process: Process | None = None
        self.greeting = Greeting()
        self.fault: EngineFault | None = None

    def act(self, view: View) -> Action | None:
        if view.observer is None or (view.turn != view.observer and not au_sept(view.book, view.position)):
            return None
        if self.fault is None:
            try:
                return self.asked(view)
            except EngineFault as fault:
                self.fault = fault
                self.end()
                if self.fallback is not None:
                    self.fallback.report(fault)
        if self.fallback is not None:
            return self.fallback.player.act(view)
        raise self.fault

    def asked(self, view: View) -> Action | None:
        """The program's answer to a view."""
        process = self.process or self.greeted()
        self.check(view.rules)
        for line in question(view, self.greeting.asks):
            process.send(line)
        process.send(f"go time {self.milliseconds}")
        answer = self.awaited(process, "best", self.milliseconds / 1000 + self.grace)
        return self.read(view, answer)

    def greeted(self) -> Process:
        """The program started, ready, its options set."""
        process = self.process = Process(self.command)
        self.greeting = Greeting()
        process.send("hello")
        self.awaited(process, "ready", HANDSHAKE, self.greeting.hear)
        for name, value in self.options:
            if not self.greeting.takes(name, value):
                known = ", ".join(map(" ".join, self.greeting.offered.items())) or "-"
                raise EngineFault(
                    "engine/no-option", command=self.command, token=f"{name}={value}", known=known
                )
            process.send(f"option {name} {value}")
        return process

    def check(self, rules: Rules) -> None:
        """Raise `EngineFault` unless the program says that it plays these rules."""
        if not self.greeting.plays(rules):
            raise EngineFault("engine/rules", command=self.command, rules=rules)

    def awaited(self, process: Process, word: str, seconds: float, hear: Hear = passed_over) -> str:
        """What follows `word` in the program's answer, and `hear` each line that comes before it."""
        since = monotonic()
        while True:
            line = process.receive(seconds, since)
            said, _, rest = line.partition(" ")
            if said == word:
                return rest.strip()
            if said == "error":
                raise EngineFault("engine/refused", command=self.command, token=rest)
            if not hear(said, rest):
                raise EngineFault("engine/unreadable", command=self.command, token=line[:100])

    def read(self, view: View, token: str) -> Action | None:
        """The action a token names, if the seat may do it."""
        if token == PASS and view.turn != view.observer:
            return None
        try:
            action = None if token == PASS else read_action(token)
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
