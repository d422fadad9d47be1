"""Template variables of the help against computers: explanations, advice, taking an act back.

The game's words in its sentences are links to the § of the rules that explain them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, NamedTuple

from chouine.phrases import N_, Language, translations
from chouine.server.pages.advising import advice_variables
from chouine.server.pages.books import rules_address
from chouine.server.pages.explaining import explanations
from chouine.server.pages.render_context import RenderContext
from chouine.server.pages.words import Words
from chouine.table.state import HELPS

VOCABULARY = {
    "1": N_("brisque|brisques"),
    "3": N_("turnup|talon"),
    "6": N_("trick|tricks|trump|trumps"),
    "8": N_("follow suit|head|ruff"),
    "9": N_("mariage|tierce|quarteron|quinte|trente|declare"),
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


def link_words(sentences: Iterable[str], language: Language, back: str) -> list[list[SentencePart]]:
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


HELPED = dict(
    zip(HELPS, (N_("the play explained"), N_("advice asked for"), N_("moves taken back")), strict=True)
)
"""Names of the kinds of help with which a match is marked."""


def help_variables(context: RenderContext) -> dict[str, Any]:
    """Template variables of help at the table: explanations, and the advice that can be requested."""
    given = context.snapshot.help
    if given is None:
        raise LookupError("nobody is helped here")
    sentences = explanations(context) if given.explained else ()
    return {
        "form": context.form,
        "seat": context.snapshot.learner,
        "explained": given.explained,
        "sentences": link_words(sentences, context.visit.language, context.here),
        **advice_variables(context),
        "takes_back": given.takes_back and not context.snapshot.held and not context.snapshot.paused,
    }


def helped_in_words(helped: Collection[str], words: Words) -> list[str]:
    """The kinds of help used in a match, in words."""
    return [words.gettext(HELPED[kind]) for kind in HELPS if kind in helped]
