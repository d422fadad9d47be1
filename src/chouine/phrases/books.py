"""The texts that are longer than a page: the rule book, and the instructions for organisers of a contest."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chouine.phrases.catalogue import Language, Texts
from chouine.phrases.typography import in_print

PACKAGE = Path(__file__).parents[1]
RULES = Texts(fr="REGLES.md", en="RULES.md")
CONTESTS = Texts(fr="concours.md", en="contest.md")


@cache
def rulebook(language: Language) -> str:
    """REGLES.md or RULES.md, as Markdown."""
    return read_book(RULES, "", language)


@cache
def handbook(language: Language) -> str:
    """The first chapter of the instructions for organisers, as Markdown: the volunteers' page."""
    return "## " + read_book(CONTESTS, "docs", language).split("\n## ")[1]


def read_book(books: Texts, folder: str, language: Language) -> str:
    """A book's text: it lies within the installed package, else in this folder of its sources."""
    installed = PACKAGE / books[language]
    book = installed if installed.is_file() else PACKAGE.parents[1] / folder / books[language]
    text = book.read_text(encoding="utf-8")
    return in_print(text, language)
