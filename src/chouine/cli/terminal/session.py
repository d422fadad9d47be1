"""A table on one terminal: all its chance comes from a seed, so that one saved and read again goes on as it would have.

What happens at it is `chouine.table`'s. The session keeps what it follows from: the match when the pack was last
shuffled, and the log entries since.
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
from chouine.table.evolve import opening

HERE = "terminal"
"""The guest whose seats are the persons': all of them share this terminal."""


class Asks(Enum):
    """What the table waits for."""

    PICK = "a card of the spread pack"
    CUT = "the cut"
    SEVEN = "whether to exchange at au sept"
    PLAY = "a card"
    COUNT = "the count to be read"
    REVANCHE = "whether to play again"


class PendingQuestion(NamedTuple):
    """What the table waits for, and from which seat; -1 where anyone may answer."""

    what: Asks
    seat: int


def person(name: str) -> SeatHolder:
    """A seat held by somebody at this terminal."""
    return SeatHolder("person", name, HERE)


@dataclass(frozen=True, slots=True)
class Session:
    """`begun`, `seed`, `shuffles` and `log` are what is saved; `table` follows from them."""

    table: TableState = field(compare=False)
    begun: Match
    """The match when the pack was shuffled: without the tirage or the partie in progress."""
    holders: tuple[SeatHolder, ...]
    seed: str
    shuffles: int = 0
    """Packs shuffled before this one."""
    log: tuple[LogEntry, ...] = ()
    """Entries since the pack was shuffled."""

    @classmethod
    def at(cls, match: Match, holders: tuple[SeatHolder, ...], seed: str, shuffles: int = 0) -> Self:
        """The table between two parties of a match, its pack shuffled."""
        table = replace(opening(Opened(str(match.rules), str(match.format), holders), 0.0), match=match)
        if match.over:
            return cls(replace(table, phase=Phase.OVER), match, holders, seed, shuffles)
        table = evolve(table, shuffled(seed, shuffles), 0.0)
        return cls(table, match, holders, seed, shuffles)

    def do(self, command: Command) -> Self:
        """The session after a command; a `ChouineError` if the table refuses it."""
        after = self
        for entry in decide(self.table, command, 0.0, lambda: shuffled(self.seed, self.shuffles + 1)):
            table = evolve(after.table, entry, 0.0)
            if isinstance(entry, Shuffled):
                after = replace(after, table=table, begun=table.match, shuffles=self.shuffles + 1, log=())
            else:
                after = replace(after, table=table, log=(*after.log, entry))
        return after

    def counted(self) -> Self:
        """The session once the count has been read: the next partie's pack, or the match over."""
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
        """What the table waits for."""
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
            raise ChouineError("room/no-partie")
        return self.table.state

    def random(self, *purpose: object) -> Random:
        """The chance of one purpose, the same each time it is asked for."""
        return chance(self.seed, self.shuffles, *purpose)


def chance(*purpose: object) -> Random:
    """A generator seeded by these words."""
    return Random(" ".join(map(str, purpose)))


def shuffled(seed: str, number: int) -> Shuffled:
    """A pack of a seed. Nobody verifies it, so that it needs no nonce."""
    pack = list(PACK)
    chance(seed, number, "pack").shuffle(pack)
    return Shuffled("".join(map(str, pack)), nonce="")
