"""Cards and declarations as players say them, in one language."""

from __future__ import annotations

from functools import cache, lru_cache

from chouine.cards import Card, Suit
from chouine.notation.display import declaration_announcement, declaration_name, declaration_spoken, face
from chouine.partie.actions import Declaration
from chouine.phrases import Language, card_name, in_words, the_card, translations
from chouine.server.pages.visit import Visit
from chouine.table.entries import LEFT


class Words:
    """The table's words in one language, with the letters of the cards."""

    def __init__(self, language: Language, indices: Language) -> None:
        self.language = language
        self.indices = indices
        self.gettext = cache(translations(language).gettext)
        self.ngettext = lru_cache(4096)(translations(language).ngettext)
        self._cards = tuple(card_name(Card(number), language) for number in range(32))
        self._the_cards = tuple(the_card(Card(number), language) for number in range(32))

    def card(self, card: Card) -> str:
        """A card: "dame de pique"."""
        return self._cards[card]

    def the(self, card: Card) -> str:
        """With its article: "la dame de pique"."""
        return self._the_cards[card]

    def short(self, card: Card) -> str:
        """A card in the cards' letters: "D♠"."""
        return face(card, self.indices)

    def suit(self, suit: Suit) -> str:
        """A suit: "pique"."""
        return in_words(suit, self.language)

    def declaration(self, declaration: Declaration) -> str:
        """A declaration by name: "vingt de carreau"."""
        return declaration_name(declaration, self.language)

    def a(self, declaration: Declaration) -> str:
        """With its article: "un vingt de carreau"."""
        return declaration_announcement(declaration, self.language)

    def declaration_said(self, declaration: Declaration) -> str:
        """A declaration as it is said aloud: "J'ai un vingt de carreau"."""
        return declaration_spoken(declaration, self.language)

    def player(self, name: str, seat: int) -> str:
        """A player's name, or the name of the seat if none was given."""
        if name == LEFT:
            return self.gettext("a player who left")
        return name or self.gettext("Player %(n)s") % {"n": seat + 1}


@cache
def in_language(language: Language, indices: Language) -> Words:
    """The words of a language, cached."""
    return Words(language, indices)


def words_of(visit: Visit) -> Words:
    """The words for a visit."""
    return in_language(visit.edition, visit.settings.indices or visit.language)
