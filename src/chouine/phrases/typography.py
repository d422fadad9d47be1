"""Print: the no-break spaces, quotation marks and apostrophes that a plain keyboard leaves plain."""

from __future__ import annotations

import re

NUMBERED = r"(?:h|€|%%?|points?|secondes?|minutes?|heures?|jours?)(?![\w(])"
BREAKABLE = re.compile(rf" (?=[:;!?»])|(?<=«) |(?<=[Nn]°) |(?:(?<=\d)|(?<=\)s)) (?={NUMBERED})")
STRAIGHT = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_]|«)")
MARK = re.compile(
    r"""```.*?```|`[^`\n]*`|<[^>\n]*>|\n\s*\n|"|(?<=[^\W\d_])'(?=[^\W\d_])|(?<=s)'(?=\s)""", re.DOTALL
)
"""What is read one after the other in English: code and tags, which stay; the end of a paragraph; marks."""


def in_print(text: str, language: str) -> str:
    """A text as its language is printed."""
    if language == "en":
        return english_print(text)
    return french_print(text) if language.startswith("fr") else text


def english_print(text: str) -> str:
    r"""Quotation marks that open and close, and `’` within words; code stays as it is.

    >>> english_print('The taker\'s "au sept" is `say "au sept"`.')
    'The taker’s “au sept” is `say "au sept"`.'
    """
    opened = False

    def printed_mark(found: re.Match[str]) -> str:
        nonlocal opened
        mark = found[0]
        if mark == "'":
            return "’"
        if mark != '"':
            opened = opened and not mark.isspace()
            return mark
        opened = not opened
        return "“" if opened else "”"

    return MARK.sub(printed_mark, text)


def french_print(text: str) -> str:
    r"""No-break spaces before `: ; ! ? »`, after `«` and between a number and its unit, and `’` within words.

    >>> french_print("C'est une chouine !")
    'C’est une chouine\xa0!'
    >>> french_print("La table n° 3 a 12 points à 20 h.")
    'La table n°\xa03 a 12\xa0points à 20\xa0h.'
    """
    return STRAIGHT.sub("’", BREAKABLE.sub("\N{NO-BREAK SPACE}", text))
