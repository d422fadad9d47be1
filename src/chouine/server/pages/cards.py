"""Pictures of cards: the fragments of `table/cards.html`, each rendered once for a language."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from chouine.cards import PACK, Card, Suit
from chouine.server.pages.env import environment
from chouine.server.pages.words import Words


@cache
def face(card: Card) -> Markup:
    """A card's drawing; whoever puts it in a page says its name."""
    return drawing(f"card-{str(card).lower()}", "face")


@cache
def card_back() -> Markup:
    """The back, the same for every card."""
    return drawing("back", "face")


@cache
def sign(suit: Suit) -> Markup:
    """A suit's sign alone."""
    return drawing(f"suit-{suit.letter}", "sign")


def drawing(symbol: str, kind: str) -> Markup:
    """A use of one symbol of the deck, which has no words in it."""
    made = environment("en").get_template("table/cards.html").module
    return made.drawing(symbol, kind)  # type: ignore[attr-defined, no-any-return]


class Pictures:
    """Every card in each way the table shows it, indexed by card, in one language."""

    def __init__(self, words: Words) -> None:
        made = environment(words.language).get_template("table/cards.html").module
        cards = [(card, words.card(card), face(card)) for card in PACK]
        self.face, self.back, self.sign = tuple(map(face, PACK)), card_back(), tuple(map(sign, Suit))
        """Drawings without a text alternative, by card and by suit."""
        self.named = tuple(made.named(*card) for card in cards)  # type: ignore[attr-defined]
        """Pictures with the card's name as text alternative."""
        self.moving = tuple(made.moving(*card) for card in cards)  # type: ignore[attr-defined]
        """Pictures that are animated from place to place; the card's name is announced elsewhere."""
        self.held = {
            kind: tuple(made.held(*card, kind) for card in cards)  # type: ignore[attr-defined]
            for kind in ("idle", "ready", "barred", "advised")
        }
        """Cards of one's own hand, as buttons, by state."""
        self.backs = tuple(
            tuple(made.backs(place, size, card_back()) for size in range(6))  # type: ignore[attr-defined]
            for place in range(4)
        )
        """Hidden hands by place round the table and number of cards: a back's identity is its place alone."""


@cache
def pictures_of(words: Words) -> Pictures:
    """The pictures for these words."""
    return Pictures(words)
