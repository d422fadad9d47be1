"""The text of the rule book's chapters."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chouine.phrases.catalogue import Language, Texts
from chouine.phrases.typography import french_print

PACKAGE = Path(__file__).parents[1]
BOOKS = Texts(fr="REGLES.md", en="RULES.md")


@cache
def rulebook(language: Language) -> str:
    """REGLES.md or RULES.md: within the installed package, or at the root of its sources."""
    installed = PACKAGE / BOOKS[language]
    book = installed if installed.is_file() else PACKAGE.parents[1] / BOOKS[language]
    text = book.read_text(encoding="utf-8")
    return french_print(text) if language == "fr" else text
