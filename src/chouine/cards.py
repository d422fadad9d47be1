"""The pack of §1: 32 cards, four suits, order A 10 K Q J 9 8 7.

A card is an int, `suit * 8 + strength`, so that within a suit a higher number beats a lower one; a set of
cards is a 32-bit int, one bit a card, one byte a suit. `Card` and `CardSet` are those ints with readable text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from operator import index
from typing import Any, Self

from chouine.plaintext import repr_of


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


def index_of(value: Any) -> int:
    """An int as Python's, whether it is one or NumPy's; -1 for anything else, True included."""
    try:
        return -1 if isinstance(value, bool) else index(value)
    except TypeError:
        return -1


class Card(int):
    """One card: `Card("Td")`, or by number `Card(22)`. Compares and hashes as its number."""

    __slots__ = ()

    def __new__(cls, card: str | int) -> Self:
        number = _NUMBERS.get(card, -1) if isinstance(card, str) else index_of(card)
        if not 0 <= number < 32:
            raise ValueError(
                f"not a card: {repr_of(card)}; a card is a rank of 789TJQKA and a suit of shdc, such as 'Td'"
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

    def __format__(self, spec: str) -> str:
        """Its text, padded as a text is; as an int it would be its number."""
        return format(_NAMES[self], spec)


_NAMES = tuple(rank.letter + suit.letter for suit in Suit for rank in Rank)
_NUMBERS = {name: number for number, name in enumerate(_NAMES)}
PACK = tuple(map(Card, range(32)))
CARDS_OF_SUIT = tuple(
    tuple(tuple(card for card in reversed(suit) if held >> (card & 7) & 1) for held in range(256))
    for suit in (PACK[:8], PACK[8:16], PACK[16:24], PACK[24:])
)
"""For each suit and each set of its cards, as a byte, these cards, strongest first."""


class CardSet:
    """A set of cards, written as a hand: `CardSet("A.AT.T.A")`, ♠.♥.♦.♣, strongest first."""

    __slots__ = ("mask",)
    mask: int

    def __init__(self, cards: int | str | Iterable[Card] = 0) -> None:
        if isinstance(cards, str):
            mask = _hand_mask(cards)
        elif isinstance(cards, int):
            mask = -1 if isinstance(cards, bool) else cards & ALL_CARDS
        elif isinstance(cards, Iterable):
            try:
                mask = sum({1 << index_of(card) for card in cards})
            except (TypeError, ValueError):
                mask = -1
        else:
            mask = index_of(cards)
        if not 0 <= mask <= ALL_CARDS:
            raise TypeError(f"cards are Cards, such as Card('As'), or one text, not {repr_of(cards)}")
        _set_mask(self, mask)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a CardSet does not change: make another")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a CardSet does not change: make another")

    def __reduce__(self) -> tuple[type[CardSet], tuple[int]]:
        return CardSet, (self.mask,)

    def __iter__(self) -> Iterator[Card]:
        """Suit by suit as hands are written, strongest first."""
        spades, hearts, diamonds, clubs = CARDS_OF_SUIT
        held = self.mask
        cards = (
            *spades[held & 0xFF],
            *hearts[held >> 8 & 0xFF],
            *diamonds[held >> 16 & 0xFF],
            *clubs[held >> 24],
        )
        return iter(cards)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: Card) -> bool:
        try:
            return bool(self.mask >> card & 1)
        except (TypeError, ValueError):
            raise TypeError(f"a card is a Card, such as Card('As'), not {repr_of(card)}") from None

    def __or__(self, other: CardSet) -> CardSet:
        try:
            return CardSet(self.mask | other.mask)
        except AttributeError:
            return NotImplemented

    def __and__(self, other: CardSet) -> CardSet:
        try:
            return CardSet(self.mask & other.mask)
        except AttributeError:
            return NotImplemented

    def __sub__(self, other: CardSet) -> CardSet:
        try:
            return CardSet(self.mask & ~other.mask)
        except AttributeError:
            return NotImplemented

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


_set_mask: Callable[[CardSet, int], None] = CardSet.__dict__["mask"].__set__
"""Twice as fast as `object.__setattr__`."""


def _hand_mask(text: str) -> int:
    suits = text.split(".")
    if len(suits) != len(Suit):
        raise ValueError(f"a hand has four suits, ♠.♥.♦.♣: {repr_of(text)}")
    if any(len(set(ranks)) < len(ranks) for ranks in suits):
        raise ValueError(f"a card is there twice: {repr_of(text)}")
    return sum(
        {1 << Card(rank + suit.letter) for suit, ranks in zip(Suit, suits, strict=True) for rank in ranks}
    )
