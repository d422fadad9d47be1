"""A chapter of the rule book, shown for `?8` at the table."""

from __future__ import annotations

import re

from chouine.phrases import Language, say
from chouine.phrases.books import rulebook

CHAPTERS = range(1, 18)


MARKUP = re.compile(r"\*+|`|\[(?P<text>[^]]*)\]\([^)]*\)")
STARTS = re.compile(r"[-|]|\d+\. |§")
"""Lines that are not joined to the one before: lists, tables, chapters."""


def chapter(number: int, language: Language) -> list[str]:
    """The chapter without markup, one line a paragraph, to be wrapped by the caller."""
    found = re.search(rf"^## (§{number} .*?)(?=^## |\Z)", rulebook(language), re.MULTILINE | re.DOTALL)
    if not found:
        return [say("terminal/no-such-chapter", language, most=CHAPTERS[-1])]
    lines: list[str] = []
    for line in map(strip_markdown, found[1].rstrip().splitlines()):
        if lines and line and lines[-1] and not STARTS.match(line) and not lines[-1].startswith("§"):
            lines[-1] += " " + line
        elif not line.startswith("|--"):
            lines.append(line)
    return [cells(line) if line.startswith("|") else line for line in lines]


def strip_markdown(line: str) -> str:
    """A line without its Markdown."""
    return MARKUP.sub(lambda found: found["text"] or "", line.removeprefix(">").strip())


def cells(row: str) -> str:
    """The cells of a table's row."""
    return "  " + " · ".join(cell.strip() for cell in row.strip("|").split("|")).rstrip("· ")
