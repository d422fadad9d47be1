"""Before the deal: the tirage and the cut (§2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.cards import PACK, Card
from chouine.errors import ChouineError


class InvalidEntry(ChouineError, ValueError):
    """An entry is impossible in a match, or not possible now; `code` is `match/…`."""


PACKET = 4
"""Fewest cards in each packet of a cut."""


@dataclass(frozen=True, slots=True)
class Tirage:
    """A card drawn by each seat from the spread pack, in seat order."""

    cards: tuple[Card, ...]

    @property
    def tied(self) -> bool:
        """Whether the lowest rank was drawn twice, so that all draw again (§2)."""
        return self.dealer is None

    @property
    def dealer(self) -> int | None:
        """The seat that drew the lowest rank; None when it was drawn twice."""
        return _single_best(self.cards, min(card.rank for card in self.cards))

    @property
    def highest(self) -> int | None:
        """The seat that drew the highest rank; None when it was drawn twice."""
        return _single_best(self.cards, max(card.rank for card in self.cards))


def _single_best(cards: Sequence[Card], rank: int) -> int | None:
    seats = [seat for seat, card in enumerate(cards) if card.rank == rank]
    return seats[0] if len(seats) == 1 else None


def cutter(dealer: int, seats: int) -> int:
    """The seat that cuts: the one before the dealer, which with two seats is the opponent."""
    return (dealer - 1) % seats


def cut_void(at: int) -> bool:
    """Whether a cut leaves fewer than four cards in a packet, so that it must be repeated (§2)."""
    return not PACKET <= at <= len(PACK) - PACKET


def cut(pack: Sequence[Card], at: int) -> tuple[Card, ...]:
    """The pack with its first `at` cards lifted off and the lower packet put on top of them."""
    if cut_void(at):
        raise InvalidEntry("match/cut-void", least=PACKET, most=len(PACK) - PACKET)
    return (*pack[at:], *pack[:at])
