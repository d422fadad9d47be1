"""The rule book's text, for whoever shows a chapter."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).parents[1]
BOOKS = {"fr": "REGLES.md", "en": "RULES.md"}


@cache
def rulebook(language: Literal["fr", "en"]) -> str:
    """REGLES.md or RULES.md: within the installed package, or at the root of its sources."""
    installed = PACKAGE / BOOKS[language]
    book = installed if installed.is_file() else PACKAGE.parents[1] / BOOKS[language]
    return book.read_text(encoding="utf-8")
