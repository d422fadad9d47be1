"""The pack of §1: 32 cards, four suits, order A 10 K Q J 9 8 7.

A card is an int, `suit * 8 + strength`, so that within a suit a higher number beats a lower one; a set of
cards is a 32-bit int, one bit a card, one byte a suit. `Card` and `CardSet` are those ints with readable text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, Self


class Suit(IntEnum):
    """The four suits in the order in which hands are written."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """`s h d c`, as in notation."""
        return "shdc"[self]

    @property
    def symbol(self) -> str:
        """`♠ ♥ ♦ ♣`."""
        return "♠♥♦♣"[self]


class Rank(IntEnum):
    """Strength within a suit (§1): the order, never the points."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    JACK = 3
    QUEEN = 4
    KING = 5
    TEN = 6
    ACE = 7

    @property
    def letter(self) -> str:
        """`7 8 9 J Q K T A`, as in notation."""
        return "789JQKTA"[self]


POINTS = (0, 0, 0, 2, 3, 4, 10, 11)
"""Card points by rank (§1): 30 a suit."""

ALL_CARDS = 0xFFFFFFFF
SUIT_CARDS = (0xFF, 0xFF00, 0xFF0000, 0xFF000000)
BRISQUES = 0xC0C0C0C0
"""Aces and tens (§1)."""


class Card(int):
    """One card: `Card("Td")`, or by number `Card(22)`. Compares and hashes as its number."""

    __slots__ = ()

    def __new__(cls, card: str | int) -> Self:
        number: Any = _NUMBERS.get(card, -1) if isinstance(card, str) else card
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 32:
            raise ValueError(
                f"not a card: {card!r}; a card is a rank of 789TJQKA and a suit of shdc, such as 'Td'"
            )
        return super().__new__(cls, number)

    @property
    def suit(self) -> Suit:
        return Suit(self >> 3)

    @property
    def rank(self) -> Rank:
        return Rank(self & 7)

    @property
    def points(self) -> int:
        """Card points (§1)."""
        return POINTS[self & 7]

    @property
    def brisque(self) -> bool:
        """Whether it is an ace or a ten (§1)."""
        return bool(BRISQUES >> self & 1)

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Card({_NAMES[self]!r})"


_NAMES = tuple(rank.letter + suit.letter for suit in Suit for rank in Rank)
_NUMBERS = {name: number for number, name in enumerate(_NAMES)}
PACK = tuple(map(Card, range(32)))


class CardSet:
    """A set of cards, written as a hand: `CardSet("A.AT.T.A")`, ♠.♥.♦.♣, strongest first."""

    __slots__ = ("mask",)

    def __init__(self, cards: int | str | Iterable[Card] = 0) -> None:
        if isinstance(cards, str):
            mask = _hand_mask(cards)
        elif isinstance(cards, int):
            mask = -1 if isinstance(cards, bool) else cards & ALL_CARDS
        else:
            try:
                mask = sum({1 << card for card in cards})
            except (TypeError, ValueError):
                mask = -1
        if not 0 <= mask <= ALL_CARDS:
            raise TypeError(f"cards are Cards, such as Card('As'), or one text, not {cards!r}")
        self.mask = mask

    def __iter__(self) -> Iterator[Card]:
        """Suit by suit as hands are written, strongest first."""
        for cards in SUIT_CARDS:
            held = self.mask & cards
            while held:
                card = held.bit_length() - 1
                held ^= 1 << card
                yield PACK[card]

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self.mask >> card & 1)

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask | other.mask)

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & other.mask)

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & ~other.mask)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __str__(self) -> str:
        return ".".join(
            "".join(card.rank.letter for card in CardSet(self.mask & cards)) for cards in SUIT_CARDS
        )

    def __repr__(self) -> str:
        return f"CardSet({str(self)!r})"

    @property
    def points(self) -> int:
        """Their card points (§1)."""
        return sum(card.points for card in self)


def _hand_mask(text: str) -> int:
    suits = text.split(".")
    if len(suits) != len(Suit):
        raise ValueError(f"a hand has four suits, ♠.♥.♦.♣: {text!r}")
    if any(len(set(ranks)) < len(ranks) for ranks in suits):
        raise ValueError(f"a card is there twice: {text!r}")
    return sum(
        {1 << Card(rank + suit.letter) for suit, ranks in zip(Suit, suits, strict=True) for rank in ranks}
    )
