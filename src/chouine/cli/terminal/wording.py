"""Events and the terminal's own sentences in the players' words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chouine.notation.french import face
from chouine.notation.narration import Narrator
from chouine.partie import Dealt, Declared, Event, Taken
from chouine.phrases import Language, in_words, say


class Teller:
    """Writes sentences for one seat, or for all (None), in one language."""

    def __init__(self, names: Sequence[str], observer: int | None, language: Language) -> None:
        self._names = names
        self._language = language
        self._narrator = Narrator(names, observer, language, short=True)

    def phrase(self, code: str, seat: int | None = None, **data: object) -> str:
        """A sentence of the terminal, which may name a seat."""
        name = "" if seat is None else self._names[seat]
        return say(f"terminal/{code}", self._language, name=name, **data)

    def tell(self, events: Iterable[Event]) -> list[str]:
        """One line for each event that is told."""
        return [line for event in events if (line := self._line(event))]

    def _line(self, event: Event) -> str:
        match event:
            case Dealt():
                return f"{self._narrator.sentence(event)} {self._tell_turnup(event)}"
            case Declared() | Taken():
                return self._narrator.tell_count(event)
            case _:
                return self._narrator.sentence(event)

    def _tell_turnup(self, event: Dealt) -> str:
        card = event.turnup
        if card is None:
            return self.phrase("no-turnup")
        suit = in_words(card.suit, self._language)
        return self.phrase("turned", card=face(card, self._language), suit=suit)
