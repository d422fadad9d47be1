"""A chapter of the rule book, for who asks `?8` at the table."""

from __future__ import annotations

import re

from chouine.phrases import Language, say
from chouine.phrases.rulebook import rulebook

CHAPTERS = range(1, 18)


def chapter(number: int, language: Language) -> list[str]:
    """The chapter's lines without markup."""
    found = re.search(rf"^## (§{number} .*?)(?=^## |\Z)", rulebook(language), re.MULTILINE | re.DOTALL)
    if not found:
        return [say("terminal/no-such-chapter", language, most=CHAPTERS[-1])]
    return [re.sub(r"\*\*|`|^> ?", "", line) for line in found[1].rstrip().splitlines()]
