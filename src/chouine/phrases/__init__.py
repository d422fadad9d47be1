"""All sentences of the product, in French and English.

Errors and events have codes: `say("illegal/must-follow", "fr", suit=Suit.SPADES)` gives the sentence. This package has
the English text of each code; pages and help texts are in English in their sources. The French of all is in one gettext
catalogue, `locale/`. Nothing parses these texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from chouine.phrases import (
    contest,
    engine,
    personas,
    reading,
    reasons,
    school,
    table,
    terminal,
)
from chouine.phrases.catalogue import N_, Language, check_language, translations
from chouine.phrases.naming import (
    capitalize,
    card_name,
    date_in_words,
    in_words,
    reason_in_words,
    score_of,
    signed_number,
    suit_name,
    the_card,
    the_cards,
    the_rank,
    thousands_apart,
)

__all__ = [
    "N_",
    "PHRASES",
    "Language",
    "capitalize",
    "card_name",
    "check_language",
    "date_in_words",
    "in_words",
    "reason_in_words",
    "say",
    "score_of",
    "signed_number",
    "suit_name",
    "the_card",
    "the_cards",
    "the_rank",
    "thousands_apart",
    "translations",
]

PHRASES: dict[str, str | tuple[str, str]] = {
    **reading.PHRASES,
    **reasons.PHRASES,
    **table.PHRASES,
    **engine.PHRASES,
    **terminal.PHRASES,
    **personas.PHRASES,
    **contest.PHRASES,
    **school.PHRASES,
}
"""The English text of each code; a pair is singular and plural."""


@runtime_checkable
class CodedError(Protocol):
    """An error whose code has a sentence."""

    code: str
    data: Mapping[str, Any]


def say(code: str, language: Language, **data: object) -> str:
    """The sentence of a code, its placeholders filled with `data`. Raises `KeyError` for an unknown code.

    Cards and suits among the data are named in words, cards with their articles; an error with a code is a sentence in
    the sentence. Where this has a plural, `num` is the number, written with its thousands apart.

    >>> from chouine.cards import Suit
    >>> say("illegal/must-follow", "en", suit=Suit.SPADES)
    'You still hold spades: you must follow suit, §8.'
    """
    if code not in PHRASES:
        raise KeyError(f"no sentence has the code {code!r}")
    message, words = PHRASES[code], translations(language)
    if isinstance(message, tuple):
        sentence = words.ngettext(*message, plural_number(data["num"], language))
    else:
        sentence = words.gettext(message)
    shown = {
        name: say(value.code, language, **value.data)
        if isinstance(value, Exception) and isinstance(value, CodedError)
        else words.gettext(value)
        if isinstance(value, str) and value in reading.FORMS
        else in_words(value, language)
        for name, value in data.items()
    }
    return sentence % (shown | {"num": thousands_apart(data["num"], language)} if "num" in data else shown)


def plural_number(number: object, language: Language) -> int:
    """A number for gettext's plural rules, which take whole ones: 1.5 is singular in French, plural in English."""
    if isinstance(number, float):
        return int(number) if language.startswith("fr") else 2
    return int(str(number))
