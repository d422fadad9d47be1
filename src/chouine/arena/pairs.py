"""A pair: one deal played so often that both players have had the same chances.

With two seats that is twice, the players changing seats. With three and four seats each player is alone in every
seat once, the other in all the others: six and eight parties. The parties a player wins, from whichever of its
seats, over those anybody wins, is its rate: two equal players have 50 % each, with any number of seats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Self

from chouine.arena.aivat import luck
from chouine.arena.partie import PlayedPartie, PlayerFault, play_partie
from chouine.arena.seating import Wanted, seated
from chouine.arena.value import LinearValue
from chouine.arena.warmup import warm
from chouine.notation.records import Record
from chouine.partie.deal import SEATS, Deal
from chouine.rules.options import Rules

WON, NULLE, LOST = 1, 0, -1

SeatsOfA = tuple[bool, ...]
"""Seat by seat whether A sits there."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Who plays whom, and at what. Every pair of it follows from these and the pair's number."""

    a: str
    b: str
    rules: str = "classic"
    seed: str = "0"
    seconds: tuple[float | None, float | None] = (None, None)
    """What A is given for a decision, and B; None: as long as they take."""
    names: tuple[str, str] = ("", "")
    """What A and B are called, if not as they are written: a program by its own name."""
    recorded: bool = False
    """Whether its parties are kept as records."""
    luck: bool = False
    """Whether each partie's luck is told."""

    @property
    def called(self) -> tuple[str, str]:
        """What tables, records and logs call them."""
        return self.names[0] or self.a, self.names[1] or self.b


class Blame(NamedTuple):
    """A program at fault, as a log keeps it."""

    side: str
    """`a` or `b`."""
    code: str
    data: dict[str, str]
    """Of its sentence."""
    line: str
    """What it had been asked."""

    @classmethod
    def of(cls, fault: PlayerFault, of_a: SeatsOfA) -> Self:
        data = {name: str(value) for name, value in fault.error.data.items()}
        side = "a" if of_a[fault.seat] else "b"
        return cls(side, fault.error.code, data, fault.line)


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair played."""

    number: int
    outcomes: tuple[int, ...]
    """Of each partie whether A has won, lost, or neither (a nulle)."""
    micros: tuple[tuple[int, ...], tuple[int, ...]]
    """The microseconds of A's decisions, and of B's."""
    faults: tuple[Blame, ...] = ()
    luck: tuple[float, ...] = ()
    """Of each partie how much of A's share the cards brought."""
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
    """Of so many parties A's part, a nulle being half."""
    return (won + nulles / 2) / (won + lost + nulles)


def seatings(seats: int) -> list[SeatsOfA]:
    """Of each partie of a pair, which seats are A's."""
    alone = [tuple(place == seat for place in range(seats)) for seat in range(seats)]
    return alone if seats == 2 else alone + [tuple(not own for own in row) for row in alone]


def play_pair(duel: Duel, number: int) -> Pair:
    """Play one pair: the same whoever plays it, and whenever, if the players are."""
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
        (spent(parties, a=True), spent(parties, a=False)),
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
    with seated(wanted, rules) as players:
        return play_partie(rules, deal, players, [seconds for _, seconds in sides])


def seed_of(text: str) -> int:
    """A number that a text stands for, the same everywhere."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")


def outcome(played: PlayedPartie, of_a: SeatsOfA) -> int:
    """Who is at fault has lost, whatever the other seats then have."""
    if played.fault is not None:
        return LOST if of_a[played.fault.seat] else WON
    result = played.state.result
    if result is None or result.winner is None:
        return NULLE
    return WON if of_a[result.winner] else LOST


def spent(parties: Sequence[tuple[PlayedPartie, SeatsOfA]], *, a: bool) -> tuple[int, ...]:
    """The times of A's decisions, or of B's."""
    return tuple(
        micros
        for played, of_a in parties
        for own, times in zip(of_a, played.micros, strict=True)
        if own == a
        for micros in times
    )


def luck_of(played: PlayedPartie, of_a: SeatsOfA) -> float:
    """What the cards brought A's seats together."""
    lucky = luck(played.state, LinearValue.of(played.state.rules))
    return sum(share for share, own in zip(lucky, of_a, strict=True) if own)


def record(duel: Duel, played: PlayedPartie, of_a: SeatsOfA, number: int) -> Record:
    """The partie with who sat where."""
    a, b = map(one_word, duel.called)
    names = [a if own else b for own in of_a]
    tags = {"Event": f"{a} - {b}", "Players": "; ".join(names), "Pair": str(number)}
    if played.fault is not None:
        tags["Termination"] = f"forfeit {SEATS[played.fault.seat]}"
    return Record.of(played.state, tags)


def one_word(name: str) -> str:
    """A name fit for the `Players` tag: on one line, without the semicolon that separates names."""
    return " ".join(name.replace(";", ",").split())
