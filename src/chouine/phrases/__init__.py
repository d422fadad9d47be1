"""All sentences of the product, in French and English.

Errors and events have codes: `say("illegal/must-follow", "fr", suit=Suit.SPADES)` gives the sentence. This package has
the English text of each code; pages and help texts are in English in their sources. The French of all is in one gettext
catalogue, `locale/`. Nothing parses these texts.
"""

from __future__ import annotations

from functools import cache

from chouine.cards import Card, CardSet, Rank, Suit
from chouine.phrases import (
    arena,
    batch,
    carry,
    endgame,
    engine,
    illegal,
    match,
    naming,
    narration,
    partners,
    personas,
    problem,
    reading,
    research,
    room,
    school,
    terminal,
    thinking,
    tournament,
    verify,
)
from chouine.phrases.catalogue import N_, Language, translations

__all__ = [
    "N_",
    "PHRASES",
    "Language",
    "card_name",
    "in_words",
    "rank_name",
    "say",
    "suit_name",
    "the_card",
    "translations",
]

PHRASES: dict[str, str | tuple[str, str]] = {
    **illegal.PHRASES,
    **match.PHRASES,
    **reading.PHRASES,
    **room.PHRASES,
    **engine.PHRASES,
    **verify.PHRASES,
    **batch.PHRASES,
    **carry.PHRASES,
    **research.PHRASES,
    **endgame.PHRASES,
    **narration.PHRASES,
    **terminal.PHRASES,
    **arena.PHRASES,
    **thinking.PHRASES,
    **personas.PHRASES,
    **tournament.PHRASES,
    **school.PHRASES,
    **problem.PHRASES,
    **partners.PHRASES,
    **naming.PHRASES,
}
"""The English text of each code; a pair is singular and plural."""

SUITS = (N_("spades"), N_("hearts"), N_("diamonds"), N_("clubs"))
RANKS = (N_("seven"), N_("eight"), N_("nine"), N_("jack"), N_("queen"), N_("king"), N_("ten"), N_("ace"))
WITH_ARTICLE = (
    N_("the seven of %(suit)s"),
    N_("the eight of %(suit)s"),
    N_("the nine of %(suit)s"),
    N_("the jack of %(suit)s"),
    N_("the queen of %(suit)s"),
    N_("the king of %(suit)s"),
    N_("the ten of %(suit)s"),
    N_("the ace of %(suit)s"),
)


def say(code: str, language: Language, **data: object) -> str:
    """The sentence of a code, its placeholders filled with `data`. Raises `KeyError` for an unknown code.

    Cards and suits among the data are named in words. Where the sentence has a plural, `num` is the number.

    >>> say("illegal/must-follow", "en", suit=Suit.SPADES)
    'You still hold spades: you must follow suit, §8.'
    """
    message, words = PHRASES[code], translations(language)
    if isinstance(message, tuple):
        sentence = words.ngettext(*message, whole(data["num"], language))
    else:
        sentence = words.gettext(message)
    return sentence % {name: in_words(value, language) for name, value in data.items()}


def whole(number: object, language: Language) -> int:
    """A number for gettext's plural rules, which take whole ones: 1.5 is singular in French, plural in English."""
    if isinstance(number, float):
        return int(number) if language == "fr" else 2
    return int(str(number))


def in_words(value: object, language: Language) -> str:
    """A card, set of cards or suit named in words; anything else as it prints."""
    if isinstance(value, Card):
        return card_name(value, language)
    if isinstance(value, Suit):
        return suit_name(value, language)
    if isinstance(value, CardSet):
        return ", ".join(card_name(card, language) for card in value)
    return str(value)


@cache
def card_name(card: Card, language: Language) -> str:
    """`dame de pique`, `queen of spades`."""
    named = {"rank": rank_name(card.rank, language), "suit": suit_name(card.suit, language)}
    return translations(language).gettext(N_("%(rank)s of %(suit)s")) % named


@cache
def the_card(card: Card, language: Language) -> str:
    """`la dame de pique`, `the queen of spades`."""
    suit = suit_name(card.suit, language)
    return translations(language).gettext(WITH_ARTICLE[card.rank]) % {"suit": suit}


def rank_name(rank: Rank, language: Language) -> str:
    """`dame`, `queen`."""
    return translations(language).gettext(RANKS[rank])


def suit_name(suit: Suit, language: Language) -> str:
    """`pique`, `spades`."""
    return translations(language).gettext(SUITS[suit])
