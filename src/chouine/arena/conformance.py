"""Check a program against every requirement of the engine protocol (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from subprocess import TimeoutExpired
from time import monotonic
from typing import NamedTuple

from chouine.arena.partie import play_partie
from chouine.cards import CardSet
from chouine.errors import ChouineError, NotationError
from chouine.partie.actions import Action
from chouine.partie.deal import SEATS, Deal, SeenHand
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.pipe import GRACE, HANDSHAKE, Greeting, PipePlayer, bounds, question
from chouine.players.process import PARTING, Process
from chouine.registry import program
from chouine.rules.options import PRESETS, Rules

PARTIES = 4
"""Parties of each preset, from both sides of the deal: "au sept" comes in each that has a turnup."""
PLAYING = 45.0
"""Seconds that a program may think in all parties together, shared equally among the rules."""
UNLIMITED = 60.0
"""Seconds for the answer to `go` without a limit."""
NODES = 50


class Phrase(NamedTuple):
    """The code of a sentence that completes another."""

    code: str


class Check(NamedTuple):
    """A requirement, and its error; None if it is met."""

    name: str
    """The code of its sentence, after `conform/`."""
    data: dict[str, object]
    fault: ChouineError | None = None
    line: str = ""
    """What the program was asked."""
    skipped: bool = False
    """It was not tested: the fault before would probably repeat, and take long."""


def conformance(command: str, seconds: float) -> Iterator[Check]:
    """Yield each check as it is done; after one that ends the program, it is restarted."""
    with program(command, seconds) as player:
        greeting = run_check("greeting", player, player.greet)
        yield greeting
        if greeting.fault is not None:
            return
        said = player.greeting
        yield run_check("says", player, partial(check_rules_known, said), **describe_greeting(said))
        presets = [
            preset for preset in (PRESETS if said.presets is None else said.presets) if preset in PRESETS
        ]
        if not presets:
            return
        opening = first_view(Rules.of_preset(presets[0]))
        yield from extremes(player, said, opening)
        yield from play_parties(player, [*map(Rules.of_preset, presets), *vary_rules(said, presets)])
        yield from limits(player, opening)
        for line in ("frobnicate", "view a nonsense", "go sideways"):
            yield run_check("refuses", player, partial(check_refusal, player, line), line=line)
        yield run_check("forgets", player, partial(forgets, player, opening))
        for line in impossible_views(opening):
            yield run_check("impossible", player, partial(check_impossible, player, line), line=line)
        yield run_check("goes-on", player, partial(player.ask, opening, "go time 100"))
        yield run_check("quit", player, partial(ends, player, told_to_quit, "conform/stays"))
        yield run_check("end", player, partial(ends, player, Process.close_input, "conform/stays-at-end"))


def run_check(name: str, player: PipePlayer, does: Callable[[], object], **data: object) -> Check:
    """Run a check; the program is ended if it fails."""
    try:
        does()
    except ChouineError as error:
        player.end()
        return Check(name, data, error)
    return Check(name, data)


def describe_greeting(greeting: Greeting) -> dict[str, object]:
    """A program's name, presets and settings."""
    settings = " ".join(greeting.options)
    inclusive = {"all": "conform/every-setting", "none": "conform/no-setting", "": "conform/no-setting"}
    return {
        "program": greeting.name or Phrase("conform/unnamed"),
        "rules": " ".join(greeting.presets or ()) or Phrase("conform/every-preset"),
        "settings": Phrase(inclusive[settings]) if settings in inclusive else settings,
    }


def check_rules_known(greeting: Greeting) -> None:
    """Check that it names itself, and that its presets and settings exist."""
    if not greeting.name:
        raise ChouineError("conform/no-name")
    if greeting.repeated:
        raise ChouineError("conform/repeated", token=greeting.repeated)
    for preset in greeting.presets or ():
        if preset not in PRESETS:
            raise NotationError("syntax/preset", 1, 1, preset, known=", ".join(PRESETS))
    for setting in set(greeting.options) - {"all", "none"}:
        Rules.parse(f"classic;{setting}")


def vary_rules(greeting: Greeting, presets: Sequence[str]) -> list[Rules]:
    """A preset with a setting that the program says it plays, if there is one that changes the preset."""
    settings = ["head=always"] if "all" in greeting.options else greeting.options
    for preset in presets:
        for setting in settings:
            with suppress(NotationError):
                rules = Rules.parse(f"{preset};{setting}")
                if rules != Rules.of_preset(preset):
                    return [rules]
    return []


def first_view(rules: Rules) -> View:
    """The opening of a partie."""
    state = State.new(rules, Deal.random(rules, 0, Random(1)))
    return state.view(state.position.turn)


def extremes(player: PipePlayer, greeting: Greeting, view: View) -> Iterator[Check]:
    """Its options that have a range are all set to their lowest, then to their highest value."""
    ranges = {name: bounds(values) for name, values in greeting.offered.items()}
    for end in (0, 1):
        options = [(name, str(limit[end])) for name, limit in ranges.items() if limit is not None]
        if options:
            sent = ", ".join(f"option {name} {value}" for name, value in options)
            yield run_check("options", player, partial(set_first, player, options, view), options=sent)


def set_first(player: PipePlayer, options: Sequence[tuple[str, str]], view: View) -> None:
    """Check that a program just started takes these options and answers. It may first load what they need."""
    player.close()
    others = player.options
    player.options = [*others, *options]
    try:
        player.ask(view, seconds=HANDSHAKE + player.milliseconds / 1000 + player.grace)
    finally:
        player.options = others
        player.close()


class Limited:
    """The program until it has thought for some seconds, then the heuristic player: a slow program's parties end."""

    def __init__(self, player: PipePlayer, seconds: float) -> None:
        self.player = player
        self.left = seconds
        self.answers = 0
        self.other = HeuristicPlayer()

    def act(self, view: View) -> Action | None:
        if self.left <= 0:
            return self.other.act(view)
        since = monotonic()
        action = self.player.ask(view)
        self.left -= monotonic() - since
        self.answers += 1
        return action


def play_parties(player: PipePlayer, several: Sequence[Rules]) -> Iterator[Check]:
    """Parties of all these rules; after a fault, the others are skipped."""
    for nth, rules in enumerate(several):
        check = parties(player, rules, PLAYING / len(several))
        yield check
        if check.fault is not None:
            player.end()
            if others := several[nth + 1 :]:
                yield Check("parties", {"rules": ", ".join(map(str, others))}, skipped=True)
            return


def parties(player: PipePlayer, rules: Rules, seconds: float) -> Check:
    """Whole parties against the heuristic player: every answer is in time and legal."""
    started = run_check("parties", player, player.start, rules=rules)
    if started.fault is not None:
        return started
    tested = Limited(player, seconds)
    for nth in range(PARTIES if rules == Rules.of_preset(rules.preset) else 1):
        players: list[Player] = [HeuristicPlayer() for _ in range(rules.seats)]
        players[nth % rules.seats] = tested
        partie = play_partie(rules, Deal.random(rules, nth // 2 % rules.seats, Random(nth)), players)
        if partie.fault is not None:
            return Check("parties", {"rules": rules}, partie.fault.error, partie.fault.question[0])
        if tested.left <= 0:
            return Check("some", {"rules": rules, "seconds": round(seconds), "answers": tested.answers})
    return Check("parties", {"rules": rules})


def limits(player: PipePlayer, view: View) -> Iterator[Check]:
    """Answers to `go nodes` and `go`; if the first does not come, the second is not waited for."""
    nodes = f"go nodes {NODES}"
    check = run_check("limit", player, partial(player.ask, view, nodes), limit=nodes)
    yield check
    if check.fault is None:
        yield run_check("limit", player, partial(player.ask, view, "go", UNLIMITED), limit="go")
    else:
        yield Check("limit", {"limit": "go"}, skipped=True)


def check_refusal(player: PipePlayer, line: str) -> None:
    """Check that a line gets an error, with its code and text."""
    process = player.start()
    process.send(line)
    text = player.await_word(process, "error", player.milliseconds / 1000 + player.grace)
    if len(text.split()) < 2:
        raise ChouineError("conform/bare-error", token=f"error {text}".strip())


def impossible_views(view: View) -> Iterator[str]:
    """Questions that cannot be: a hand of one card too many, and a card laid that is not in the own hand."""
    seat, card, deal = view.observer or 0, next(iter(view.unseen)), view.deal
    hands = [
        SeenHand(view.hand | CardSet([card]), 0) if each == seat else hand
        for each, hand in enumerate(deal.hands)
    ]
    yield f"view {SEATS[seat]} {view.rules} {replace(deal, hands=tuple(hands))} :"
    yield f"{next(question(view))} {card}"


def check_impossible(player: PipePlayer, line: str) -> None:
    """Check that an impossible view, or the `go` after it, gets an error: some programs know no rules."""
    player.start().send(line)
    check_refusal(player, "go time 100")
    player.end()


def forgets(player: PipePlayer, view: View) -> None:
    """Check that an unreadable view leaves no older one to answer."""
    process = player.start()
    for line in question(view, player.greeting.asks):
        process.send(line)
    check_refusal(player, "view a nonsense")
    check_refusal(player, "go time 100")


def told_to_quit(process: Process) -> None:
    process.send("quit")


def ends(player: PipePlayer, part: Callable[[Process], None], code: str) -> None:
    """Check that the program ends soon after its conversation has ended."""
    process = player.start()
    part(process)
    try:
        process.child.wait(PARTING + GRACE)
    except TimeoutExpired:
        raise ChouineError(code, seconds=PARTING + GRACE) from None
    player.end()
