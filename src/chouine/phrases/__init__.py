"""Every sentence the core says, French and English, by code. Nothing parses these texts back.

`say("illegal/must-follow", "fr", suit=Suit.SPADES)`. Cards and suits among the data are named in words.
"""

from __future__ import annotations

from typing import Literal

from chouine.cards import Card, CardSet, Suit
from chouine.phrases import (
    arena,
    batch,
    endgame,
    engine,
    illegal,
    match,
    personas,
    reading,
    research,
    room,
    terminal,
    thinking,
    verify,
    words,
)

Language = Literal["fr", "en"]

PHRASES: dict[str, tuple[str, str]] = {
    **illegal.PHRASES,
    **match.PHRASES,
    **reading.PHRASES,
    **room.PHRASES,
    **engine.PHRASES,
    **verify.PHRASES,
    **batch.PHRASES,
    **research.PHRASES,
    **endgame.PHRASES,
    **terminal.PHRASES,
    **arena.PHRASES,
    **thinking.PHRASES,
    **personas.PHRASES,
}


def say(code: str, language: Language, **data: object) -> str:
    """The sentence of a code; `KeyError` for a code that has none."""
    sentence = PHRASES[code][language == "en"]
    return sentence.format_map({name: in_words(value, language) for name, value in data.items()})


def in_words(value: object, language: Language) -> str:
    """A card, set of cards or suit named in words; anything else as it prints."""
    if isinstance(value, Card):
        return card_name(value, language)
    if isinstance(value, Suit):
        return words.SUITS[value][language == "en"]
    if isinstance(value, CardSet):
        return ", ".join(card_name(card, language) for card in value)
    return str(value)


def card_name(card: Card, language: Language) -> str:
    """`dame de pique`, `queen of spades`."""
    rank = words.RANKS[card.rank][language == "en"]
    suit = words.SUITS[card.suit][language == "en"]
    return f"{rank} of {suit}" if language == "en" else f"{rank} de {suit}"
