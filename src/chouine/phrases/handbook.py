"""The instructions for organisers of a contest, shown at the desk and on the site."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chouine.phrases.catalogue import Language, Texts
from chouine.phrases.typography import french_print

PACKAGE = Path(__file__).parents[1]
PAGES = Texts(fr="concours.md", en="contest.md")


@cache
def handbook(language: Language) -> str:
    """Its first chapter, as Markdown: within the installed package, or among the documents of its sources."""
    installed = PACKAGE / PAGES[language]
    book = installed if installed.is_file() else PACKAGE.parents[1] / "docs" / PAGES[language]
    text = "## " + book.read_text(encoding="utf-8").split("\n## ")[1]
    return french_print(text) if language == "fr" else text
