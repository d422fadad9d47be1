"""A pair: one deal, played in all seatings that give both players equal chances.

With two seats there are two parties, with the players' seats swapped. With three or four seats each player sits once
in every seat alone against copies of the other: six or eight parties. A player's rate is its wins from all its seats
over all decided parties: 50 % for equal players, with any number of seats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from math import inf
from random import Random
from typing import NamedTuple, Self

from chouine.arena.luck import LinearValue, luck
from chouine.arena.partie import OutOfTime, PlayedPartie, PlayerFault, interrupted_after, play_partie
from chouine.jobs import at_exit
from chouine.notation.records import Record
from chouine.partie.deal import SEATS, Deal
from chouine.players.base import Player, close
from chouine.players.pipe import PipePlayer
from chouine.registry import player_of
from chouine.rules.options import Rules

Kept = dict[tuple[str, int, float | None], Player]
_programs: Kept = {}
"""Running programs by command, seat and time limit; to start one costs more than a partie. Each seat has a process
of its own, so that no program sees two hands of one partie."""


class Wanted(NamedTuple):
    """The player asked for at a seat."""

    spec: str
    seed: int
    seconds: float | None
    """Time limit per decision; None: unlimited."""


@contextmanager
def seat_players(wanted: Sequence[Wanted], rules: Rules) -> Iterator[list[Player]]:
    """Players for one partie, seat by seat."""
    players = [
        program(one, seat, rules) or player_of(one.spec, rules, one.seed, one.seconds)
        for seat, one in enumerate(wanted)
    ]
    for player in players:
        if isinstance(player, PipePlayer):
            player.prepare()
    yield players
    for key, player in list(_programs.items()):
        if isinstance(player, PipePlayer) and player.fault is not None:
            del _programs[key]


def program(one: Wanted, seat: int, rules: Rules) -> Player | None:
    """The program running for a seat, started if it is not; None if the name is no program's."""
    if not one.spec.startswith("pipe:"):
        return None
    key = (one.spec, seat, one.seconds)
    if key not in _programs:
        _programs[key] = player_of(one.spec, rules, 0, one.seconds)
    return _programs[key]


@at_exit
def dismiss() -> None:
    """End all running programs."""
    while _programs:
        close(_programs.popitem()[1])


PATIENCE = 300.0
"""Seconds: compiling everything takes half a minute of a free core, minutes of a busy one."""


@cache
def warm(spec: str, rules: Rules, seconds: float | None) -> None:
    """Have a player play a partie against itself, once per process. External programs are left alone.

    Random parties would not do: kernels for the last tricks are only reached after acts like its own. With a limit a
    player that does not end is given up after `PATIENCE`.
    """
    players = [player_of(spec, rules, 0, seconds) for _ in range(rules.seats)]
    if not isinstance(players[0], PipePlayer):
        with suppress(OutOfTime), interrupted_after(inf if seconds is None else PATIENCE):
            play_partie(rules, Deal.random(rules, 0, Random(0)), players)


WON, NULLE, LOST = 1, 0, -1

SeatsOfA = tuple[bool, ...]
"""For each seat whether A sits there."""


@dataclass(frozen=True, slots=True)
class Duel:
    """The settings of a duel: they and a pair's number determine the pair."""

    a: str
    b: str
    rules: str = "classic"
    seed: str = "0"
    seconds: tuple[float | None, float | None] = (None, None)
    """Time limits per decision of A and of B; None: unlimited."""
    names: tuple[str, str] = ("", "")
    """Displayed names of A and B, if other than their specs: a program has its own."""
    recorded: bool = False
    """Whether parties are recorded."""
    luck: bool = False
    """Whether luck is measured."""

    @property
    def called(self) -> tuple[str, str]:
        """The names of A and B in tables, records and logs."""
        return self.names[0] or self.a, self.names[1] or self.b

    @property
    def told_apart(self) -> tuple[str, str]:
        """The names of A and B, with their letters if they are the same."""
        a, b = self.called
        return (f"{a} (A)", f"{b} (B)") if a == b else (a, b)


class Blame(NamedTuple):
    """A player's fault, as logged."""

    side: str
    """`a` or `b`."""
    code: str
    data: dict[str, str]
    """Data for its message."""
    line: str
    """The view that it was asked about …"""
    question: Sequence[str] = ()
    """… and all lines that it was asked, the view's included; none in older logs."""

    @classmethod
    def of(cls, fault: PlayerFault, of_a: SeatsOfA) -> Self:
        data = {name: str(value) for name, value in fault.error.data.items()}
        side = "a" if of_a[fault.seat] else "b"
        return cls(side, fault.error.code, data, fault.question[0], fault.question)


@dataclass(frozen=True, slots=True)
class Pair:
    """The result of a pair."""

    number: int
    outcomes: tuple[int, ...]
    """For each partie `WON`, `LOST` or `NULLE`, from A's side."""
    micros: tuple[tuple[int, ...], tuple[int, ...]]
    """Microseconds of each decision, A's and B's."""
    faults: tuple[Blame, ...] = ()
    luck: tuple[float, ...] = ()
    """For each partie the part of A's share due to luck."""
    records: tuple[str, ...] = ()

    @property
    def won(self) -> int:
        return self.outcomes.count(WON)

    @property
    def lost(self) -> int:
        return self.outcomes.count(LOST)

    @property
    def nulles(self) -> int:
        return self.outcomes.count(NULLE)

    @property
    def share(self) -> float:
        return share(self.won, self.lost, self.nulles)


def share(won: int, lost: int, nulles: int) -> float:
    """A's share of parties, a nulle being half."""
    return (won + nulles / 2) / (won + lost + nulles)


def seatings(seats: int) -> list[SeatsOfA]:
    """For each partie of a pair, the seats that are A's."""
    alone = [tuple(place == seat for place in range(seats)) for seat in range(seats)]
    return alone if seats == 2 else alone + [tuple(not own for own in row) for row in alone]


def play_pair(duel: Duel, number: int) -> Pair:
    """Play one pair. With deterministic players the result depends on the arguments alone."""
    rules = Rules.parse(duel.rules)
    for spec, seconds in zip((duel.a, duel.b), duel.seconds, strict=True):
        warm(spec, rules, seconds)
    deal = Deal.random(rules, number % rules.seats, Random(f"{duel.seed}:{number}"))
    parties = [
        (play_one(duel, rules, deal, of_a, f"{number}:{nth}"), of_a)
        for nth, of_a in enumerate(seatings(rules.seats))
    ]
    return Pair(
        number,
        tuple(outcome(played, of_a) for played, of_a in parties),
        (total_spent(parties, a=True), total_spent(parties, a=False)),
        tuple(Blame.of(played.fault, of_a) for played, of_a in parties if played.fault is not None),
        tuple(luck_of(played, of_a) for played, of_a in parties) if duel.luck else (),
        tuple(str(record(duel, played, of_a, number)) for played, of_a in parties) if duel.recorded else (),
    )


def play_one(duel: Duel, rules: Rules, deal: Deal, of_a: SeatsOfA, name: str) -> PlayedPartie:
    """One partie of a pair, its players seeded by its name and their seats."""
    sides = [(duel.a, duel.seconds[0]) if own else (duel.b, duel.seconds[1]) for own in of_a]
    wanted = [
        Wanted(spec, seed_of(f"{duel.seed}:{name}:{seat}"), seconds)
        for seat, (spec, seconds) in enumerate(sides)
    ]
    with seat_players(wanted, rules) as players:
        return play_partie(rules, deal, players, [seconds for _, seconds in sides])


def seed_of(text: str) -> int:
    """A random seed derived from a text, the same on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")


def outcome(played: PlayedPartie, of_a: SeatsOfA) -> int:
    """A partie's outcome for A. A player at fault has lost, whatever the cards say."""
    if played.fault is not None:
        return LOST if of_a[played.fault.seat] else WON
    result = played.state.result
    if result is None or result.winner is None:
        return NULLE
    return WON if of_a[result.winner] else LOST


def total_spent(parties: Sequence[tuple[PlayedPartie, SeatsOfA]], *, a: bool) -> tuple[int, ...]:
    """Microseconds of A's decisions, or of B's."""
    return tuple(
        micros
        for played, of_a in parties
        for own, times in zip(of_a, played.micros, strict=True)
        if own == a
        for micros in times
    )


def luck_of(played: PlayedPartie, of_a: SeatsOfA) -> float:
    """The luck of A's seats together."""
    lucky = luck(played.state, LinearValue.of(played.state.rules))
    return sum(share for share, own in zip(lucky, of_a, strict=True) if own)


def record(duel: Duel, played: PlayedPartie, of_a: SeatsOfA, number: int) -> Record:
    """A partie's record, with its players."""
    a, b = map(one_word, duel.called)
    names = [a if own else b for own in of_a]
    tags = {**tags_of(duel), "Players": "; ".join(names), "Pair": str(number)}
    if played.fault is not None:
        tags["Termination"] = f"forfeit {SEATS[played.fault.seat]}"
    return Record.of(played.state, tags)


def tags_of(duel: Duel) -> dict[str, str]:
    """The tags that all records of a duel have: its players, and a digest of what it is, so as not to tell the seed."""
    what = repr((duel.called, duel.rules, duel.seed, duel.seconds))
    digest = hashlib.sha256(what.encode()).hexdigest()[:16]
    return {"Event": " - ".join(map(one_word, duel.called)), "Duel": digest}


def one_word(name: str) -> str:
    """A name fit for the `Players` tag: on one line, without the semicolon that separates names."""
    return " ".join(name.replace(";", ",").split())
