"""The count of a finished partie as players make it: brisques, heads, declarations, dix de der (§12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chouine.cards import POINTS, Card, CardSet, Rank
from chouine.partie import Declared, Event, State, Taken

HEADS_FIRST = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)
"""Ranks that count, in the order they are counted."""


@dataclass(frozen=True, slots=True)
class RankLine:
    """One rank: how many of it each seat took, and what they count."""

    rank: Rank
    each: int
    many: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """By seat."""
        return tuple(self.each * many for many in self.many)


@dataclass(frozen=True, slots=True)
class Tally:
    """The count of every seat."""

    ranks: tuple[RankLine, ...]
    cards: tuple[int, ...]
    """Card points."""
    declared: tuple[tuple[Declared, ...], ...]
    der: int | None
    """Who took the last trick; None when it was not reached."""
    totals: tuple[int, ...]


def tally_of(state: State) -> Tally:
    """The count of a partie that is over. What a chouine's own trick held is not counted (§10)."""
    if state.result is None:
        raise ValueError("the partie is not over")
    tricks = [event for event in state.events if isinstance(event, Taken)]
    seats = range(state.rules.seats)
    taken = [
        CardSet(card for trick in tricks if trick.seat == seat for card in trick.cards) for seat in seats
    ]
    counted = before_chouine(state.events) if state.result.by == "chouine" else state.events
    declared = tuple(
        tuple(event for event in counted if isinstance(event, Declared) and event.seat == seat)
        for seat in seats
    )
    ranks = tuple(
        RankLine(rank, POINTS[rank], tuple(many(rank, cards) for cards in taken)) for rank in HEADS_FIRST
    )
    return Tally(
        ranks=ranks,
        cards=tuple(cards.points for cards in taken),
        declared=declared,
        der=tricks[-1].seat if len(tricks) == state.book.tricks else None,
        totals=state.result.points,
    )


def many(rank: Rank, cards: Iterable[Card]) -> int:
    """Cards of a rank."""
    return sum(card.rank is rank for card in cards)


def before_chouine(events: Sequence[Event]) -> Sequence[Event]:
    """What happened until the last trick that was taken."""
    last = max((n for n, event in enumerate(events) if isinstance(event, Taken)), default=-1)
    return events[: last + 1]
