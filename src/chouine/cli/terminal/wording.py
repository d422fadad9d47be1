"""Declarations and events in the players' words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chouine.cards import Card
from chouine.notation.french import face, faces, spoken
from chouine.partie import (
    AuSept,
    Dealt,
    Declaration,
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
from chouine.phrases import Language, in_words, say


class Teller:
    """Says events to one seat, or to all (None), in one language."""

    def __init__(self, names: Sequence[str], observer: int | None, language: Language) -> None:
        self._names = names
        self._observer = observer
        self._language = language

    def phrase(self, code: str, seat: int | None = None, **data: object) -> str:
        """A sentence about a seat: to that seat itself, in the second person."""
        you = "/you" if seat is not None and seat == self._observer else ""
        name = self.name(seat)
        return say(f"terminal/{code}{you}", self._language, name=name, **data)

    def name(self, seat: int | None) -> str:
        """A seat's name; someone's, where it is not known."""
        return say("terminal/someone", self._language) if seat is None else self._names[seat]

    def tell(self, events: Iterable[Event]) -> list[str]:
        """What happened, a line each, as far as there is something to say."""
        return [line for event in events if (line := self.line(event))]

    def line(self, event: Event) -> str:
        """One event; nothing for the end, which the count tells."""
        match event:
            case Dealt(dealer=dealer, turnup=card):
                return self.phrase("deals", dealer) + self._turned(card)
            case Declared(seat=seat, declaration=declaration, counts=counts):
                return self._declared(seat, declaration, counts)
            case TrumpFixed(suit=suit):
                return self.phrase("trump-fixed", suit=in_words(suit, self._language), symbol=suit.symbol)
            case Ended():
                return ""
            case _:
                return self._handled(event)

    def _handled(self, event: Played | Shown | Taken | Drawn | AuSept | Exchanged) -> str:
        match event:
            case Played(seat=seat, card=card):
                return self.phrase("plays", seat, card=face(card, self._language))
            case Shown(seat=seat, cards=cards):
                return self.phrase("shows", seat, cards=faces(cards or (), self._language))
            case Taken(seat=seat, points=points):
                return self.phrase("takes", seat, points=points)
            case Drawn(seat=seat, card=card, turnup=turnup):
                return self._drawn(seat, card, turnup=turnup)
            case AuSept(seat=seat):
                return self.phrase("au-sept", seat)
            case Exchanged(seat=seat, card=card):
                return self.phrase("exchanges", seat, card=face(card, self._language))

    def _turned(self, card: Card | None) -> str:
        if card is None:
            return " " + self.phrase("no-turnup")
        suit = in_words(card.suit, self._language)
        return " " + self.phrase("turned", card=face(card, self._language), suit=suit)

    def _declared(self, seat: int, declaration: Declaration, counts: int) -> str:
        said = spoken(declaration, self._language)
        worth = self.phrase("worth", points=counts) if declaration.value else ""
        return self.phrase("declares", seat, said=said, worth=worth)

    def _drawn(self, seat: int, card: Card | None, *, turnup: bool) -> str:
        if card is None:
            return self.phrase("draws", seat)
        return self.phrase("draws-turnup" if turnup else "draws-card", seat, card=face(card, self._language))
