"""A finished partie laid out as players count it: brisques, heads, declarations, dix de der (§12)."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.cards import BRISQUES, Card, Rank
from chouine.partie import Declared, State, Taken
from chouine.partie.result import points_of
from chouine.rules.play import DIX_DE_DER

HEADS = (Rank.KING, Rank.QUEEN, Rank.JACK)


@dataclass(frozen=True, slots=True)
class Count:
    """One seat's cards that count, and the rest of its points."""

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


def counts_of(state: State) -> tuple[Count, ...]:
    """Every seat's count, of a partie played out."""
    return tuple(
        count_of(state, seat, total) for seat, total in enumerate(points_of(state.book, state.position))
    )


def count_of(state: State, seat: int, total: int) -> Count:
    """A seat's count, the dearest cards first."""
    tricks = [event for event in state.events if isinstance(event, Taken)]
    taken = [card for trick in tricks if trick.seat == seat for card in trick.cards]
    taken.sort(key=lambda card: (-card.rank, card.suit))
    return Count(
        brisques=tuple(card for card in taken if BRISQUES >> card & 1),
        heads=tuple(card for card in taken if card.rank in HEADS),
        declared=tuple(event for event in state.events if isinstance(event, Declared) and event.seat == seat),
        der=DIX_DE_DER if tricks[-1].seat == seat else 0,
        total=total,
    )
