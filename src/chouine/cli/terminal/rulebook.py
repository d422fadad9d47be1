"""A chapter of the rule book, for who asks `?8` at the table."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import chouine
from chouine.phrases import Language, say

BOOKS = {"fr": "REGLES.md", "en": "RULES.md"}
CHAPTERS = range(1, 18)


def chapter(number: int, language: Language) -> list[str]:
    """The chapter's lines without markup; a single sentence where the book was not installed."""
    if number not in CHAPTERS:
        return [say("terminal/no-such-chapter", language, most=CHAPTERS[-1])]
    found = re.search(rf"^## (§{number} .*?)(?=^## |\Z)", book(language), re.MULTILINE | re.DOTALL)
    if not found:
        return [say(f"terminal/chapter/{number}", language)]
    return [re.sub(r"\*\*|`|^> ?", "", line) for line in found[1].rstrip().splitlines()]


@cache
def book(language: Language) -> str:
    """The rule book's text: installed with the package, or beside its sources; empty where it is neither."""
    name = BOOKS[language]
    for place in (files(chouine) / name, Path(chouine.__file__).parents[2] / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    return ""
