"""Cards as markup, made once, and the order of a hand."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from chouine.cards import Card, CardSet, Suit
from chouine.server.pages.env import static

RED = (Suit.HEARTS, Suit.DIAMONDS)
BLACK = (Suit.SPADES, Suit.CLUBS)
SVG = Markup('<svg class="{}" viewBox="{}" aria-hidden="true"><use href="{}#{}"/></svg>')


@cache
def face(card: Card) -> Markup:
    """A card's drawing; whoever puts it in a page says its name."""
    return drawing(f"card-{str(card).lower()}", "0 0 240 336")


@cache
def back() -> Markup:
    """The back, the same for every card."""
    return drawing("back", "0 0 240 336")


@cache
def sign(suit: Suit) -> Markup:
    """A suit's sign alone."""
    return drawing(f"suit-{suit.letter}", "0 0 100 100", "sign")


def drawing(symbol: str, box: str, name: str = "face") -> Markup:
    """A use of one symbol of the deck."""
    return SVG.format(name, box, static("deck/deck.svg"), symbol)


def arranged(hand: CardSet) -> tuple[Card, ...]:
    """Suit by suit, red and black alternating while they can, the strongest first (§14)."""
    held = tuple(hand)
    black = [suit for suit in BLACK if any(card.suit == suit for card in held)]
    red = [suit for suit in RED if any(card.suit == suit for card in held)]
    most, least = (black, red) if len(black) >= len(red) else (red, black)
    suits = [
        suit for place in range(len(most)) for suit in (*most[place : place + 1], *least[place : place + 1])
    ]
    return tuple(card for suit in suits for card in held if card.suit == suit)
