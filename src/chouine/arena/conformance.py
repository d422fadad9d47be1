"""Check a program against every requirement of the engine protocol (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from subprocess import TimeoutExpired
from typing import NamedTuple

from chouine.arena.partie import play_partie
from chouine.errors import ChouineError
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.pipe import PipePlayer
from chouine.players.process import EngineFault
from chouine.players.questions import question
from chouine.registry import program
from chouine.rules.options import PRESETS, Rules

PARTIES = 4
"""Parties of each preset, from both sides of the deal: "au sept" comes in each that has a turnup."""
PATIENCE = 10.0
"""Seconds that a program has to reject a line, and to exit."""
NODES = 50


class Check(NamedTuple):
    """A requirement, and its error; None if it is met."""

    name: str
    """The code of its sentence, after `conform/`."""
    data: dict[str, object]
    fault: ChouineError | None
    line: str = ""
    """What the program was asked."""


def conformance(command: str, seconds: float) -> Iterator[Check]:
    """Yield each check as it is done; after one that ends the program, it is restarted."""
    player = program(command, seconds)
    try:
        greeting = checked("greeting", player, player.greeted)
        yield greeting
        if greeting.fault is not None:
            return
        yield checked("says", player, partial(known, player))
        played = [preset for preset in player.greeting.presets or PRESETS if preset in PRESETS] or ["classic"]
        for preset in played:
            yield parties(command, seconds, Rules.of_preset(preset))
        opening = first_view(Rules.of_preset(played[0]))
        for limit in (f"go nodes {NODES}", "go"):
            yield checked("limit", player, partial(answered, player, opening, limit), limit=limit)
        for line in ("frobnicate", "view a nonsense", "go sideways"):
            yield checked("refuses", player, partial(refused, player, line), line=line)
        yield checked("goes-on", player, partial(answered, player, opening, "go time 100"))
        yield checked("quit", player, partial(parted, player))
    finally:
        player.close()


def checked(name: str, player: PipePlayer, does: Callable[[], object], **data: object) -> Check:
    """Run a check; the program is ended if it fails."""
    fault = None
    try:
        does()
    except ChouineError as error:
        fault = error
        player.end()
    greeting = player.greeting
    data |= {"program": greeting.name or "?", "rules": " ".join(greeting.presets or ["?"])}
    return Check(name, data, fault)


def known(player: PipePlayer) -> None:
    """Check that it names itself, and that its presets and settings exist."""
    greeting = player.greeting
    if not greeting.name:
        raise ChouineError("conform/no-name")
    for preset in greeting.presets or ():
        Rules.parse(preset)
    for setting in set(greeting.options) - {"all", "none"}:
        Rules.parse(f"classic;{setting}")


def first_view(rules: Rules) -> View:
    """The opening of a partie."""
    state = State.new(rules, Deal.random(rules, 0, Random(1)))
    return state.view(state.position.turn)


def parties(command: str, seconds: float, rules: Rules) -> Check:
    """Whole parties against the heuristic player: every answer is in time and legal."""
    for nth in range(PARTIES):
        with program(command, seconds) as player:
            players: list[Player] = [HeuristicPlayer() for _ in range(rules.seats)]
            players[nth % rules.seats] = player
            played = play_partie(rules, Deal.random(rules, nth // 2 % rules.seats, Random(nth)), players)
        if played.fault is not None:
            return Check("parties", {"rules": rules}, played.fault.error, played.fault.line)
    return Check("parties", {"rules": rules, "parties": PARTIES}, None)


def answered(player: PipePlayer, view: View, limit: str) -> None:
    """Check that a question gets a legal act."""
    process = player.process or player.greeted()
    for line in question(view, player.greeting.asks):
        process.send(line)
    process.send(limit)
    seconds = 60.0 if limit == "go" else player.milliseconds / 1000 + player.grace
    player.read(view, player.awaited(process, "best", seconds))


def refused(player: PipePlayer, line: str) -> None:
    """Check that an unreadable line gets an error and the program continues."""
    process = player.process or player.greeted()
    process.send(line)
    try:
        player.awaited(process, "ready", PATIENCE)
    except EngineFault as fault:
        if fault.code != "engine/refused":
            raise


def parted(player: PipePlayer) -> None:
    """Check that `quit` ends the program."""
    process = player.process or player.greeted()
    process.send("quit")
    try:
        process.child.wait(PATIENCE)
    except TimeoutExpired:
        raise ChouineError("conform/stays", seconds=PATIENCE) from None
