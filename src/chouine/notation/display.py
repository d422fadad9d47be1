"""Cards, declarations and events as people read and say them, in French and English; not the canonical form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from chouine.cards import SUIT_CARDS, Card, CardSet, Rank, Suit
from chouine.notation.tokens import FRENCH_RANKS
from chouine.partie.actions import Declaration
from chouine.partie.events import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Shown,
    Taken,
    TrumpFixed,
)
from chouine.phrases import Language, say, the_card, the_cards

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


@dataclass(frozen=True)
class Narrator:
    """Writes events for one seat in the second person, or for all (`you` is None)."""

    names: Sequence[str]
    you: int | None
    language: Language
    short: bool = False
    """Whether cards are written `Q♦` instead of in words."""

    def sentence(self, event: Event) -> str:
        """The sentence for an event; none for the end, which the count shows.

        >>> Narrator(("Anne", "Paul"), 0, "en").sentence(Played(1, Card("Qd")))
        'Paul plays the queen of diamonds.'
        >>> Narrator(("Anne", "Paul"), 0, "en", short=True).sentence(AuSept(0))
        'You say “Au sept”.'
        """
        match event:
            case Dealt(dealer=seat):
                return self.about("deals", seat)
            case Declared(seat=seat, declaration=declaration):
                return self.about("declares", seat, said=declaration_spoken(declaration, self.language))
            case Shown(seat=seat, cards=cards):
                return self.about("shows", seat, cards=self.cards(cards or CardSet()))
            case TrumpFixed(suit=suit):
                return self.about("trump-fixed", suit=suit)
            case AuSept(seat=seat):
                return self.about("au-sept", seat)
            case Ended():
                return ""
            case _:
                return self._tell_move(event)

    def tell_count(self, event: Declared | Taken) -> str:
        """A declaration or a trick with its points; a chouine has none."""
        match event:
            case Declared(seat=seat, declaration=declaration, counts=points) if points:
                said = declaration_spoken(declaration, self.language)
                return self.about("declares-points", seat, said=said, points=points)
            case Taken(seat=seat, cards=cards, points=points):
                der = points != sum(card.points for card in cards)
                return self.about("takes-points-der" if der else "takes-points", seat, points=points)
        return self.sentence(event)

    def about(self, code: str, seat: int | None = None, **data: object) -> str:
        """The sentence of a code to or about a seat; about "someone" if the seat is unknown."""
        name = say("event/someone", self.language) if seat is None else self.names[seat]
        to_you = "/you" if seat is not None and seat == self.you else ""
        return say(f"event/{code}{to_you}", self.language, name=name, **data)

    def card(self, card: Card) -> str:
        """`the queen of diamonds`, or `Q♦`."""
        return face(card, self.language) if self.short else the_card(card, self.language)

    def cards(self, cards: CardSet) -> str:
        """Several cards in the order of a hand (§14)."""
        if self.short:
            return faces(arrange(cards), self.language)
        return the_cards(arrange(cards), self.language)

    def _tell_move(self, event: Played | Taken | Drawn | Exchanged) -> str:
        match event:
            case Played(seat=seat, card=card):
                return self.about("plays", seat, card=self.card(card))
            case Taken(seat=seat):
                return self.about("takes", seat)
            case Drawn(seat=seat, card=card, turnup=turnup):
                if card is None:
                    return self.about("draws", seat)
                return self.about("draws-turnup" if turnup else "draws-card", seat, card=self.card(card))
            case _:
                seven = self.card(Card(8 * event.card.suit))
                return self.about("exchanges", event.seat, seven=seven, card=self.card(event.card))
