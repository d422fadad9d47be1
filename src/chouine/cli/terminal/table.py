"""The table as a value: every move of a match, from the tirage to the last count, gives the next table.

All chance comes from `seed` and `shuffles`, so that a table saved and read again goes on exactly as it would have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import NamedTuple, Self

from chouine.cards import PACK, Card
from chouine.errors import ChouineError
from chouine.match import Match, Tirage, cut, cutter
from chouine.partie import Action, AuSept, Deal, State


class Asks(Enum):
    """What a table waits for."""

    PICK = "a card of the spread pack"
    CUT = "the cut"
    SEVEN = "whether to exchange at au sept"
    PLAY = "a card"
    COUNT = "the count to be read"
    REVANCHE = "whether to play again"


PLAYING = (Asks.SEVEN, Asks.PLAY)


class Asked(NamedTuple):
    """What the table waits for, and from which seat; -1 where anyone may answer."""

    what: Asks
    seat: int


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a seat. `kind` is `person`, or a player as `chouine.players` knows it."""

    name: str
    kind: str

    @property
    def person(self) -> bool:
        return self.kind == "person"


@dataclass(frozen=True, slots=True)
class Pick:
    """Draw the card at a place of the spread pack, from 1 (§2)."""

    place: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Lift so many cards off the pack (§2)."""

    at: int


@dataclass(frozen=True, slots=True)
class Act:
    """Play a card or exchange the seven."""

    action: Action


@dataclass(frozen=True, slots=True)
class Pass:
    """Let "au sept" pass (§11)."""


@dataclass(frozen=True, slots=True)
class Concede:
    """A seat gives up the partie (§16)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Give up the match (§16)."""


@dataclass(frozen=True, slots=True)
class Next:
    """The count is read: on with the match."""


Move = Pick | Cut | Act | Pass | Concede | Forfeit | Next


@dataclass(frozen=True, slots=True)
class Table:
    """`moves` are those since the match's last entry: from them and the match the rest follows."""

    match: Match
    chairs: tuple[Chair, ...]
    seed: str
    shuffles: int = 0
    moves: tuple[Move, ...] = ()
    picks: tuple[int, ...] = ()
    state: State | None = None
    passed: int = 0
    """How many seats have let this "au sept" pass."""

    @property
    def asked(self) -> Asked:
        """What the table waits for."""
        if self.match.over:
            return Asked(Asks.REVANCHE, -1)
        if self.match.dealer is None:
            return Asked(Asks.PICK, len(self.picks))
        if self.state is None:
            return Asked(Asks.CUT, cutter(self.match.dealer, len(self.chairs)))
        if self.state.turn is None:
            return Asked(Asks.COUNT, -1)
        if isinstance(self.state.events[-1], AuSept) and self.passed < len(self.chairs) - 1:
            return Asked(Asks.SEVEN, (self.state.turn + 1 + self.passed) % len(self.chairs))
        return Asked(Asks.PLAY, self.state.turn)

    @property
    def partie(self) -> State:
        """The partie on the table."""
        if self.state is None:
            raise ChouineError("terminal/out-of-turn")
        return self.state

    def random(self, *purpose: object) -> Random:
        """The chance of one purpose, the same each time it is asked for."""
        return Random(" ".join(map(str, (self.seed, self.shuffles, *purpose))))

    @property
    def pack(self) -> tuple[Card, ...]:
        """The pack as last shuffled."""
        pack = list(PACK)
        self.random("pack").shuffle(pack)
        return tuple(pack)

    def take(self, move: Move) -> Self:
        """The table after a move by whom it asks; a `ChouineError` if that move cannot be made."""
        after = self._moved(move)
        return replace(after, moves=() if after.shuffles > self.shuffles else (*self.moves, move))

    def _moved(self, move: Move) -> Self:
        what, seat = self.asked
        match move:
            case Pick(place=place) if what is Asks.PICK:
                return self._picked(place)
            case Cut(at=at) if what is Asks.CUT:
                return self._dealt(cutter=seat, at=at)
            case Next() if what is Asks.COUNT and self.partie.result:
                return self._entered(self.match.record(self.partie.result))
            case Forfeit() if seat >= 0:
                return self._entered(self.match.forfeit(seat))
            case Act(action=action) if what in PLAYING:
                return replace(self, state=self.partie.play(action, seat), passed=0)
            case Concede(seat=loser) if what in PLAYING and loser == seat:
                return replace(self, state=self.partie.concede(loser))
            case Pass() if what is Asks.SEVEN:
                return replace(self, passed=self.passed + 1)
        raise ChouineError("terminal/out-of-turn")

    def _picked(self, place: int) -> Self:
        if not 1 <= place <= len(PACK) or place in self.picks:
            raise ChouineError("terminal/no-such-place", most=len(PACK))
        picks = (*self.picks, place)
        if len(picks) < len(self.chairs):
            return replace(self, picks=picks)
        return self._entered(self.match.drawn(Tirage(tuple(self.pack[place - 1] for place in picks))))

    def _dealt(self, *, cutter: int, at: int) -> Self:
        dealer = (cutter + 1) % len(self.chairs)
        deal = Deal.from_pack(self.match.rules, dealer, cut(self.pack, at))
        return replace(self, state=State.new(self.match.rules, deal))

    def _entered(self, match: Match) -> Self:
        return replace(self, match=match, shuffles=self.shuffles + 1, picks=(), state=None, passed=0)

    def revanche(self) -> Self:
        """A new match at the same table (§13)."""
        return replace(self, match=self.match.revanche(), shuffles=self.shuffles + 1, moves=())
