"""A chapter of the rule book, for who asks `?8` at the table."""

from __future__ import annotations

import re

from chouine.phrases import Language, say
from chouine.phrases.rulebook import rulebook

CHAPTERS = range(1, 18)


MARKUP = re.compile(r"\*+|`|\[(?P<text>[^]]*)\]\([^)]*\)")
STARTS = re.compile(r"[-|]|\d+\. |§")
"""What never goes on the line before it: list, table, chapter."""


def chapter(number: int, language: Language) -> list[str]:
    """The chapter without markup, a paragraph on a line, to be wrapped to the screen's own width."""
    found = re.search(rf"^## (§{number} .*?)(?=^## |\Z)", rulebook(language), re.MULTILINE | re.DOTALL)
    if not found:
        return [say("terminal/no-such-chapter", language, most=CHAPTERS[-1])]
    lines: list[str] = []
    for line in map(plain, found[1].rstrip().splitlines()):
        if lines and line and lines[-1] and not STARTS.match(line) and not lines[-1].startswith("§"):
            lines[-1] += " " + line
        elif not line.startswith("|--"):
            lines.append(line)
    return [cells(line) if line.startswith("|") else line for line in lines]


def plain(line: str) -> str:
    """A line of the book as it is read, not as it is written."""
    return MARKUP.sub(lambda found: found["text"] or "", line.removeprefix(">").strip())


def cells(row: str) -> str:
    """A row of a table."""
    return "  " + " · ".join(cell.strip() for cell in row.strip("|").split("|")).rstrip("· ")
