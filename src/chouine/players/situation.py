"""What a seat can work out from its view: which cards others may hold, and how likely that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Self

from chouine.cards import SUIT_CARDS
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.play import ABOVE, led_suit
from chouine.rules.position import Position


@cache
def none_of(unseen: int, wanted: int, drawn: int) -> float:
    """How likely that `drawn` cards out of `unseen` are none of the `wanted` ones."""
    chance = 1.0
    for nth in range(min(drawn, unseen)):
        chance *= max(0, unseen - wanted - nth) / (unseen - nth)
    return chance


@dataclass(frozen=True, slots=True)
class Situation:
    """A view reduced to ints, for counting."""

    book: Book
    p: Position
    seat: int
    hand: int
    unseen: int
    """Cards in others' hands or face down in the talon, not known to be in one."""
    behind: tuple[int, ...]
    """Seats that play after this one in the current trick."""
    prospects: dict[tuple[int, int, int, int], float] = field(default_factory=dict, compare=False)
    """What hands of a suit are worth, once weighed."""

    @classmethod
    def of(cls, view: View, seat: int) -> Self:
        """As the seat to play sees it."""
        book, p = view.book, view.position
        laid = (seat - p.leader) % book.seats
        behind = tuple((seat + nth) % book.seats for nth in range(1, book.seats - laid))
        return cls(book, p, seat, p.hands[seat], view.unseen.mask, behind)

    @property
    def serving(self) -> bool:
        """Whether the talon serves: any card may be answered (§7)."""
        return self.p.tricks < self.book.drawing

    @property
    def draws(self) -> int:
        """Cards this seat has yet to draw."""
        return max(0, self.book.drawing - self.p.tricks)

    def none_held(self, seat: int, cards: int) -> float:
        """How likely that another seat, yet to play in this trick, holds none of these cards."""
        known = self.p.hands[seat]
        if known & cards:
            return 0.0
        size = self.book.hand - max(0, self.p.tricks - self.book.drawing)
        unseen = self.unseen
        return none_of(unseen.bit_count(), (cards & unseen).bit_count(), size - known.bit_count())

    def beaten_by(self, seat: int, card: int, trump: int, stake: float) -> float:
        """How likely that a seat yet to play beats this card, should it be the best so far."""
        suit = card >> 3
        higher = ABOVE[card]
        none_higher = self.none_held(seat, higher)
        if self.serving:
            eager = min(1.0, EAGER_TO_TRUMP + EAGER_A_POINT * stake)
            by_trump = 0.0
            if trump >= 0 and suit != trump:
                by_trump = (1 - self.none_held(seat, SUIT_CARDS[trump])) * eager
            by_suit = (1 - none_higher) * (eager if suit == trump else max(eager, EAGER_IN_SUIT))
            return 1 - (1 - by_trump) * (1 - by_suit)
        return self.beaten_when_bound(seat, card, trump, none_higher)

    def beaten_when_bound(self, seat: int, card: int, trump: int, none_higher: float) -> float:
        """The same once §8 binds: following comes first, then ruffing."""
        suit = card >> 3
        led = led_suit(self.p) if self.p.table else suit
        void = self.none_held(seat, SUIT_CARDS[led])
        if suit != led:  # ruffed already: only a seat void in the suit led can overruff
            return void * (1 - none_higher)
        ruffed = 0.0
        if trump >= 0 and trump != led:
            ruffed = void * (1 - self.none_held(seat, SUIT_CARDS[trump]))
        return min(1.0, (1 - none_higher) + ruffed)


EAGER_TO_TRUMP = 0.15
EAGER_A_POINT = 0.06
EAGER_IN_SUIT = 0.7
"""How ready others are to take a trick while they need not: see `Situation.beaten_by`."""
