"""Cards and declarations as people read and say them, in French and English; for display, not the canonical form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from chouine.cards import SUIT_CARDS, Card, CardSet, Rank, Suit
from chouine.notation.tokens import FRENCH_RANKS
from chouine.partie.actions import Declaration
from chouine.phrases import Language, say

BLACK, RED = (Suit.SPADES, Suit.CLUBS), (Suit.HEARTS, Suit.DIAMONDS)


def face(card: Card, language: Language) -> str:
    """`R♠ D♥ V♣ 10♦`, `K♠ Q♥ J♣ 10♦`."""
    rank = "10" if card.rank is Rank.TEN else card.rank.letter
    if language == "fr":
        rank = FRENCH_RANKS.get(card.rank, rank)
    return rank + card.suit.symbol


def faces(cards: Iterable[Card], language: Language) -> str:
    """Cards in the order given."""
    return " ".join(face(card, language) for card in cards)


def arrange(cards: CardSet) -> list[Card]:
    """Cards sorted by suit, colours alternating if possible, strongest first (§14)."""
    suits = [of_suit(cards.mask & suit) for suit in SUIT_CARDS]
    return [card for suit in alternating_suits(tuple(map(bool, suits))) for card in suits[suit]]


@cache
def of_suit(held: int) -> tuple[Card, ...]:
    """Cards of one suit, strongest first."""
    return tuple(CardSet(held))


@cache
def alternating_suits(held: tuple[bool, ...]) -> tuple[Suit, ...]:
    """The suits present, in the order of a hand."""
    black, red = ([suit for suit in colour if held[suit]] for colour in (BLACK, RED))
    first, second = (red, black) if len(red) > len(black) else (black, red)
    return (*first[0:1], *second[0:1], *first[1:2], *second[1:2])


def declaration_spoken(declaration: Declaration, language: Language) -> str:
    """The words said with the card (§9.5): "J'ai un vingt de carreau"."""
    return phrase_for("said", declaration, language)


def declaration_name(declaration: Declaration, language: Language) -> str:
    """The declaration by name, for a label: "vingt de carreau"."""
    return phrase_for("declaration", declaration, language)


def declaration_announcement(declaration: Declaration, language: Language) -> str:
    """The declaration in a sentence, with its article: "un vingt de carreau"."""
    return phrase_for("announced", declaration, language)


def phrase_for(how: str, declaration: Declaration, language: Language) -> str:
    return say(f"{how}/{declaration.figure.value}", language, suit=declaration.suit)
