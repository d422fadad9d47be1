"""The French catalogue: gettext translates the English sentences of the sources.

`locale/fr/LC_MESSAGES/chouine.po` is the source, `chouine.mo` beside it what `make messages` compiles from it.
"""

from __future__ import annotations

import os
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Literal

from chouine.plaintext import repr_of

Language = Literal["fr", "en", "fr_child"]
NAMES: dict[Language, str] = {"fr": "Français", "en": "English"}
"""Every language, as it calls itself."""
CHILD: Language = "fr_child"
"""French for children, who are addressed as "tu": a catalogue of what it says otherwise, layered over French. English
addresses everybody alike and has no such edition.
"""
LANGUAGES: dict[str, Language] = {language: language for language in NAMES}
"""Every language by its tag."""

DOMAIN = "chouine"
LOCALE = Path(__file__).with_name("locale")


def N_(message: str) -> str:  # noqa: N802  # gettext's own name
    """Mark a message for extraction; it is translated later."""
    return message


def NN_(singular: str, plural: str) -> tuple[str, str]:  # noqa: N802  # `N_` of `ngettext`
    """Mark a message with a plural."""
    return singular, plural


def check_language(language: object) -> None:
    """Raise `ValueError` unless an argument is the tag of a language."""
    if language not in (*NAMES, CHILD):
        raise ValueError(f"language is one of {', '.join(NAMES)}, not {repr_of(language)}")


def spoken_language() -> Language:
    """The language of gettext, thus of the command that runs."""
    return LANGUAGES.get(os.environ.get("LANGUAGE", ""), "en")


class Texts(dict[Language, str]):
    """A text that is longer than a sentence in several languages; English stands in for one that is missing.

    In the edition for children French stands in.
    """

    def __missing__(self, language: Language) -> str:
        return self["fr" if language == CHILD else "en"]


@cache
def translations(language: Language) -> NullTranslations:
    """The gettext functions for a language; English needs no catalogue."""
    check_language(language)
    return NullTranslations() if language == "en" else translation(DOMAIN, LOCALE, [language])
