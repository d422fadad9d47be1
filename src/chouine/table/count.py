"""The count of a finished partie in the order players make it: brisques, heads, declarations, dix de der (§12).

`SeatCount` counts by seat, for a partie played to the end; `RankTally` by rank, for any finished partie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chouine.cards import BRISQUES, POINTS, Card, CardSet, Rank
from chouine.partie import Declared, Event, State, Taken
from chouine.partie.events import taken_by
from chouine.partie.result import points_of
from chouine.rules.play import DIX_DE_DER

COUNTED = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)
"""Ranks with card points, in the order they are counted."""
HEADS = COUNTED[2:]


@dataclass(frozen=True, slots=True)
class SeatCount:
    """One seat's scoring cards and its other points."""

    brisques: tuple[Card, ...]
    heads: tuple[Card, ...]
    declared: tuple[Declared, ...]
    der: int
    total: int

    @property
    def in_brisques(self) -> int:
        return sum(card.points for card in self.brisques)

    @property
    def in_heads(self) -> int:
        return sum(card.points for card in self.heads)

    @property
    def short(self) -> int:
        """The quick count of §12: brisques, declarations and dix de der."""
        return self.in_brisques + sum(event.counts for event in self.declared) + self.der


def counts_of(state: State) -> tuple[SeatCount, ...]:
    """Every seat's count, of a partie played out."""
    last = next(event for event in reversed(state.events) if isinstance(event, Taken))
    taken, totals = taken_by(state.events, state.rules.seats), points_of(state.rule_table, state.position)
    return tuple(
        SeatCount(
            brisques=dearest_first(cards & CardSet(BRISQUES)),
            heads=dearest_first(card for card in cards if card.rank in HEADS),
            declared=declared_by(seat, state.events),
            der=DIX_DE_DER if last.seat == seat else 0,
            total=totals[seat],
        )
        for seat, cards in enumerate(taken)
    )


def dearest_first(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards sorted by rank, highest first."""
    return tuple(sorted(cards, key=lambda card: (-card.rank, card.suit)))


def declared_by(seat: int, events: Iterable[Event]) -> tuple[Declared, ...]:
    """What a seat declared."""
    return tuple(event for event in events if isinstance(event, Declared) and event.seat == seat)


@dataclass(frozen=True, slots=True)
class RankLine:
    """A rank's line of the count: how many of its cards each seat took, and their points."""

    rank: Rank
    each: int
    many: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """By seat."""
        return tuple(self.each * many for many in self.many)


@dataclass(frozen=True, slots=True)
class RankTally:
    """The count of every seat."""

    ranks: tuple[RankLine, ...]
    taken: tuple[int, ...]
    """Number of cards taken."""
    cards: tuple[int, ...]
    """Card points."""
    declared: tuple[tuple[Declared, ...], ...]
    der: int | None
    """The seat that took the last trick; None if the partie ended before."""
    totals: tuple[int, ...]


def tally_of(state: State) -> RankTally:
    """The count of a finished partie, without the trick of a chouine (§10)."""
    if state.result is None:
        raise ValueError("the partie is not over")
    tricks = [event for event in state.events if isinstance(event, Taken)]
    taken = taken_by(state.events, state.rules.seats)
    counted = before_chouine(state.events) if state.result.by == "chouine" else state.events
    ranks = tuple(
        RankLine(rank, POINTS[rank], tuple(sum(card.rank is rank for card in cards) for cards in taken))
        for rank in COUNTED
    )
    return RankTally(
        ranks=ranks,
        taken=tuple(map(len, taken)),
        cards=tuple(cards.points for cards in taken),
        declared=tuple(declared_by(seat, counted) for seat in range(state.rules.seats)),
        der=tricks[-1].seat if len(tricks) == state.rule_table.tricks else None,
        totals=state.result.points,
    )


def before_chouine(events: Sequence[Event]) -> Sequence[Event]:
    """The events up to the last trick taken before a chouine."""
    last = max((n for n, event in enumerate(events) if isinstance(event, Taken)), default=-1)
    return events[: last + 1]
