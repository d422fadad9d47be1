"""A table on one terminal. All chance comes from a seed, so that a saved session continues as it would have.

`chouine.table` decides what happens. The session stores the match at the last shuffle and the log entries since.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from random import Random
from typing import NamedTuple, Self

from chouine.cards import PACK
from chouine.errors import ChouineError
from chouine.match import Match
from chouine.partie import State
from chouine.table import Command, LogEntry, Opened, Phase, SeatHolder, TableState, decide, evolve
from chouine.table import commands as ask
from chouine.table.entries import Shuffled
from chouine.table.evolve import opening_state

HERE = "terminal"
"""The guest of all persons' seats: they share this terminal."""


class Asks(Enum):
    """The kinds of input that a table waits for."""

    PICK = "a card of the spread pack"
    CUT = "the cut"
    SEVEN = "whether to exchange at au sept"
    PLAY = "a card"
    COUNT = "the count to be read"
    REVANCHE = "whether to play again"


class PendingQuestion(NamedTuple):
    """The kind of input the table waits for, and from which seat; -1 if anyone may answer."""

    what: Asks
    seat: int


def person(name: str) -> SeatHolder:
    """The holder of a seat at this terminal."""
    return SeatHolder("person", name, HERE)


@dataclass(frozen=True, slots=True)
class Session:
    """`begun`, `seed`, `shuffles` and `log` are saved; `table` is computed from them."""

    table: TableState = field(compare=False)
    begun: Match
    """The match at the last shuffle, without the tirage or the partie in progress."""
    holders: tuple[SeatHolder, ...]
    seed: str
    shuffles: int = 0
    """Number of packs shuffled before this one."""
    log: tuple[LogEntry, ...] = ()
    """Entries since the last shuffle."""

    @classmethod
    def at(cls, match: Match, holders: tuple[SeatHolder, ...], seed: str, shuffles: int = 0) -> Self:
        """The session at a shuffle, between two parties of a match."""
        table = replace(opening_state(Opened(str(match.rules), str(match.format), holders), 0.0), match=match)
        if match.over:
            return cls(replace(table, phase=Phase.OVER), match, holders, seed, shuffles)
        table = evolve(table, shuffled_pack(seed, shuffles), 0.0)
        return cls(table, match, holders, seed, shuffles)

    def do(self, command: Command) -> Self:
        """The session after a command. Raises a `ChouineError` if the table refuses it."""
        after = self
        for entry in decide(self.table, command, 0.0, lambda: shuffled_pack(self.seed, self.shuffles + 1)):
            table = evolve(after.table, entry, 0.0)
            if isinstance(entry, Shuffled):
                after = replace(after, table=table, begun=table.match, shuffles=self.shuffles + 1, log=())
            else:
                after = replace(after, table=table, log=(*after.log, entry))
        return after

    def count_partie(self) -> Self:
        """The session after the count has been read: at the next shuffle, or at the end of the match."""
        if self.table.phase is Phase.OVER:
            return self.at(self.table.match, self.holders, self.seed, self.shuffles + 1)
        after = self
        for seat in sorted(self.table.awaited):
            after = after.do(ask.GoOn(seat))
        return after

    def revanche(self) -> Self:
        """A new match at the same table (§13)."""
        return self.at(self.table.match.revanche(), self.holders, self.seed, self.shuffles + 1)

    @property
    def asked(self) -> PendingQuestion:
        """The input that the table waits for."""
        table = self.table
        match table.phase:
            case Phase.TIRAGE:
                return PendingQuestion(Asks.PICK, min(table.awaited))
            case Phase.CUT:
                return PendingQuestion(Asks.CUT, min(table.awaited))
            case Phase.PLAY:
                lead = self.partie.position.leader
                first = min(table.awaited, key=lambda seat: (seat - lead) % len(self.holders))
                return PendingQuestion(Asks.SEVEN if table.window else Asks.PLAY, first)
            case _:
                return PendingQuestion(Asks.COUNT if table.state else Asks.REVANCHE, -1)

    @property
    def partie(self) -> State:
        """The partie on the table."""
        if self.table.state is None:
            raise ChouineError("table/no-partie")
        return self.table.state

    def random(self, *purpose: object) -> Random:
        """A generator for one purpose, with the same numbers each time."""
        return chance(self.seed, self.shuffles, *purpose)


def chance(*purpose: object) -> Random:
    """A generator seeded by these words."""
    return Random(" ".join(map(str, purpose)))


def shuffled_pack(seed: str, number: int) -> Shuffled:
    """A pack shuffled by a seed. It needs no nonce, since nobody verifies it."""
    pack = list(PACK)
    chance(seed, number, "pack").shuffle(pack)
    return Shuffled("".join(map(str, pack)), nonce="")
