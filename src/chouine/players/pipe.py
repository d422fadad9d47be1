"""A player that is another program: the asking side of the engine protocol.

The program is sent its own seat's knowledge and nothing else. Any failure (a late start, silence, an exit, an
unreadable answer, an illegal action) is an `EngineFault`; a fallback, if there is one, plays from then on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Self

from chouine.errors import NotationError
from chouine.notation.lines import disclosures, partie_line
from chouine.notation.tokens import PASS, read_act
from chouine.partie.actions import Action
from chouine.partie.deal import SEATS
from chouine.partie.view import View
from chouine.plaintext import shorten
from chouine.players.base import Player
from chouine.players.process import EngineFault, EngineNonsense, Process
from chouine.rules.options import Rules
from chouine.rules.play import au_sept

ASKS = ("open", "trick", "legal")
"""What a program may ask for: cards laid open and who exchanged; the trick so far; the acts it may answer."""


def question(view: View, asks: Collection[str] = ()) -> Iterator[str]:
    """The lines of a seat's question, without the final `go`."""
    yield f"view {SEATS[view.observer or 0]} {partie_line(view)}"
    if "open" in asks:
        shown, exchanged = disclosures(view)
        if shown:
            yield " ".join(["shown", *("?" if cards is None else str(cards) for cards in shown)])
        if exchanged:
            yield " ".join(["exchanged", *("?" if seat is None else SEATS[seat] for seat in exchanged)])
    if "trick" in asks:
        yield " ".join(["trick", *(f"{SEATS[laid.seat]}:{laid.card}" for laid in view.table)])
    if "legal" in asks:
        yield " ".join(["legal", *sorted(acts(view))])


def acts(view: View) -> list[str]:
    """The tokens a seat may answer; `-` if it may let "au sept" pass (§11)."""
    return [*map(str, view.legal), *([PASS] if view.turn != view.observer else [])]


HANDSHAKE = 10.0
"""Seconds until a program must say that it is ready."""
GRACE = 2.0
"""Seconds by which a decision may be late, since machines are busy."""
LONGEST_NAME = 60
"""Most characters of a program's name."""

EXPECTED = {
    "best": "best ACT",
    "error": "error CODE TEXT",
    "ready": "id … / rules … / option … / ready",
}
"""What is expected instead of an unreadable line, by the awaited word."""
GREETING_LINES = {
    "id": f"id name TEXT / id options all|none|SETTING … / id asks {'|'.join(ASKS)} …",
    "option": "option NAME VALUES / option NAME LOW..HIGH (LOW <= HIGH)",
    "rules": "rules PRESET …",
}
"""What is expected instead of an unreadable line of the greeting, by its first word."""

Hear = Callable[[str, str], bool]
"""Handles a line, as its first word and the rest; returns False for a faulty line."""


def passed_over(word: str, _: str) -> bool:
    """Accept `info`, `id` and `option` lines without effect: they are for people."""
    return word in ("info", "id", "option")


INTEGER = r"-?\d{1,18}"


def bounds(values: str) -> tuple[int, int] | None:
    """The lowest and the highest value of an option with the values `LOW..HIGH`; None for other values."""
    found = re.fullmatch(rf"({INTEGER})\.\.({INTEGER})", values, re.ASCII)
    return found and (int(found[1]), int(found[2]))


@dataclass(frozen=True, slots=True)
class Fallback:
    """The player that replaces a failed program, and the callback for the fault."""

    player: Player
    report: Callable[[EngineFault], None]


@dataclass(slots=True)
class Greeting:
    """The program's description of itself, sent before `ready`."""

    name: str = ""
    presets: list[str] | None = None
    """The presets it plays; None if it does not say."""
    options: list[str] = field(default_factory=lambda: ["all"])
    """Rule options it plays beyond its presets, such as `head=always`; `all`, or `none`."""
    offered: dict[str, str] = field(default_factory=dict)
    """Its own options, each with its range, such as `1..8`."""
    asks: list[str] = field(default_factory=list)
    """The information it asks for besides its view (`ASKS`)."""
    repeated: str = ""
    """The first line that came before, which is against the protocol."""
    heard: set[str] = field(default_factory=set)
    """The lines that came, by the words that may come once."""

    def hear(self, word: str, rest: str) -> bool:
        """Store a line of the handshake. Returns False for one that does not belong there."""
        kind, _, said = rest.partition(" ")
        if word in GREETING_LINES:
            line = word if word == "rules" else f"{word} {kind}"
            self.repeated = self.repeated or line * (line in self.heard)
            self.heard.add(line)
        match word, kind:
            case "id", "name":
                self.name = shorten(said.strip(), LONGEST_NAME)
            case "id", "options":
                self.options = said.split()
            case "id", "asks":
                self.asks = said.split()
                return set(self.asks) <= set(ASKS)
            case "option", name:
                self.offered[name] = said.strip()
                low, high = bounds(said.strip()) or (0, 0)
                return bool(name and said.strip()) and low <= high
            case "rules", _:
                self.presets = rest.split()
                return bool(self.presets)
            case _:
                return word in ("id", "info")
        return True

    def takes(self, name: str, value: str) -> bool:
        """Whether it has this option and the value is within the option's range, if it states one."""
        limits = bounds(self.offered.get(name, ""))
        if limits is None:
            return name in self.offered
        return bool(re.fullmatch(INTEGER, value, re.ASCII)) and limits[0] <= int(value) <= limits[1]

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
        """`milliseconds`: time per action; `grace`: seconds by which it may be late.

        `options`: names and values sent once the program is ready.
        """
        self.command = command
        self.milliseconds = milliseconds
        self.grace = grace
        self.fallback = fallback
        self.options = options
        self.process: Process | None = None
        self.greeting = Greeting()
        self.fault: EngineFault | None = None
        self.has_answered = False
        """Whether it has answered a question since it was started."""

    def act(self, view: View) -> Action | None:
        if view.observer is None or (
            view.turn != view.observer and not au_sept(view.rule_table, view.position)
        ):
            return None
        fault = self.fault
        if fault is None:
            try:
                return self.ask(view)
            except EngineFault as error:
                fault = self.fail(error)
        if self.fallback is not None:
            return self.fallback.player.act(view)
        raise fault

    def prepare(self) -> None:
        """Start the program before a limit counts, unless it runs. A fault is raised by its first decision."""
        if self.fault is None:
            try:
                self.start()
            except EngineFault as fault:
                self.fail(fault)

    def fail(self, fault: EngineFault) -> EngineFault:
        """End the program for a fault and report it; returns the fault."""
        self.fault = fault
        self.end()
        if self.fallback is not None:
            self.fallback.report(fault)
        return fault

    def ask(
        self, view: View, limit: str = "", seconds: float | None = None, hear: Hear = passed_over
    ) -> Action | None:
        """The program's answer to a view.

        `limit`: the `go` line, if it is not the time per action; `seconds`: how long to wait then; `hear` handles each
        line before the answer.
        """
        process = self.start()
        self.check(view.rules)
        if (unasked := process.waiting_line()).partition(" ")[0] == "best":
            raise EngineNonsense("engine/unasked", command=self.command, token=unasked[:100])
        for line in self.lines(view, limit):
            process.send(line)
        if seconds is None:
            seconds = self.milliseconds / 1000 + self.grace
        try:
            answer = self.await_word(process, "best", seconds, hear)
        except EngineFault as fault:
            raise self.of_option(fault, process, seconds) from None
        self.has_answered = True
        return self.read(view, answer)

    def lines(self, view: View, limit: str = "") -> list[str]:
        """All lines that ask for its answer to a view."""
        return [*question(view, self.greeting.asks), limit or f"go time {self.milliseconds}"]

    def of_option(self, fault: EngineFault, process: Process, seconds: float) -> EngineFault:
        """The fault of an option if an answer follows an error: each `go` has only one answer."""
        if fault.code != "engine/refused" or not self.options or self.has_answered:
            return fault
        try:
            self.await_word(process, "best", seconds)
        except EngineFault:
            return fault
        sent = ", ".join(f"option {name} {value}" for name, value in self.options)
        return EngineFault("engine/option-refused", **{**fault.data, "option": sent})

    def start(self) -> Process:
        """The program, started unless it runs."""
        return self.process or self.greet()

    def greet(self) -> Process:
        """Start the program, wait until it is ready, and set its options."""
        process = self.process = Process(self.command)
        self.greeting = Greeting()
        self.has_answered = False
        process.send("hello")
        self.await_word(process, "ready", HANDSHAKE, self.greeting.hear)
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

    def await_word(self, process: Process, word: str, seconds: float, hear: Hear = passed_over) -> str:
        """The rest of the answer line that begins with `word`; `hear` handles each line before it."""
        since = monotonic()
        while True:
            line = process.receive(seconds, since)
            said, _, rest = line.partition(" ")
            if said == word:
                return rest.strip()
            if said == "error":
                raise EngineFault("engine/refused", command=self.command, token=rest)
            if not hear(said, rest):
                forms = GREETING_LINES if word == "ready" else {}
                raise self.unexpected_line(line, forms.get(said, EXPECTED[word]))

    def unexpected_line(self, line: str, expected: str) -> EngineFault:
        """The fault of a line that is not the expected one."""
        return EngineNonsense("engine/unreadable", command=self.command, token=line[:100], expected=expected)

    def read(self, view: View, token: str) -> Action | None:
        """The action a token names. Raises `EngineFault` if it is illegal."""
        if token == PASS and view.turn != view.observer:
            return None
        try:
            action = read_act(token)
        except NotationError:
            raise self.unexpected_line(f"best {token}".strip(), EXPECTED["best"]) from None
        if action not in view.legal:
            raise EngineNonsense("engine/illegal", command=self.command, token=token)
        return action

    def kill(self) -> None:
        """Kill the program, from any thread: the one that waits for an answer gets a fault."""
        if (process := self.process) is not None:
            process.kill()

    def end(self) -> None:
        """End a faulty program."""
        if self.process is not None:
            self.process.end()
            self.process = None

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.part("quit")
            self.process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
