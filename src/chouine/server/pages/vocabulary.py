"""Link the game's words in sentences to the § of the rules that explain them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from chouine.phrases import N_, translations
from chouine.server.pages.rules import rules_address
from chouine.server.pages.visit import Language

VOCABULARY = {
    "1": N_("brisque|brisques"),
    "3": N_("turnup|talon"),
    "6": N_("trick|tricks|trump|trumps"),
    "8": N_("follow suit|head|ruff"),
    "9": N_("mariage|tierce|quarteron|quinte|trente|announce"),
    "10": N_("chouine|chouines"),
    "11": N_("au sept|exchanges|exchanged"),
    "12": N_("dix de der"),
    "17": N_("Mondoubleau"),
}
"""The forms of the words that each § explains."""


class SentencePart(NamedTuple):
    """A piece of a sentence. `address`: where the rules explain it; empty for plain text."""

    text: str
    address: str = ""


@cache
def forms(language: Language) -> tuple[dict[str, str], re.Pattern[str]]:
    """The § of each word of a language, and a pattern that matches all words."""
    translate = translations(language).gettext
    sections = {
        form: key for key, words in VOCABULARY.items() for form in translate(words).lower().split("|")
    }
    longest_first = sorted(sections, key=lambda form: -len(form))
    return sections, re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def linked(sentences: Iterable[str], language: Language, back: str) -> list[list[SentencePart]]:
    """The sentences in pieces; the first occurrence of each word links to its §, with a link back."""
    sections, pattern = forms(language)
    known: set[str] = set()

    def pieces(sentence: str) -> list[SentencePart]:
        found, at = list[SentencePart](), 0
        for word in pattern.finditer(sentence):
            form = word[0].lower()
            if form not in known:
                known.add(form)
                address = rules_address(sections[form], back)
                found += [SentencePart(sentence[at : word.start()]), SentencePart(word[0], address)]
                at = word.end()
        return [*found, SentencePart(sentence[at:])]

    return [pieces(sentence) for sentence in sentences]
