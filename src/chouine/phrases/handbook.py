"""The page of instructions for whoever runs a contest, docs/concours.md, for the desk and the site to show."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chouine.phrases.catalogue import Language
from chouine.phrases.typography import with_french_spaces

PACKAGE = Path(__file__).parents[1]
ORDER: tuple[Language, ...] = ("fr", "en")
"""Of its chapters."""


@cache
def handbook(language: Language) -> str:
    """The chapter of a language, as Markdown: within the installed package, or at the root of its sources."""
    installed = PACKAGE / "concours.md"
    book = installed if installed.is_file() else PACKAGE.parents[1] / "docs" / "concours.md"
    text = book.read_text(encoding="utf-8").split("\n## ")[1 + ORDER.index(language)]
    return "## " + (with_french_spaces(text) if language == "fr" else text)
