"""Any text as lines, as JSON, or as a message quotes it, whatever wrote it.

`str.splitlines` also splits at U+2028, U+0085, form feeds and other signs that may stand inside a name or a comment.
"""

from __future__ import annotations

import json
import re
from typing import Any

MARK = "\ufeff"
"""The byte order mark, which begins a file, and so a line of files joined by `cat`."""
LONGEST_QUOTE = 100
"""Characters of a faulty part that a message quotes."""


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their ends: `\n`, `\r\n` or `\r`."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def unmark(line: str) -> str:
    """A line without a byte order mark before it."""
    return line.lstrip(MARK)


def parse_json(text: str | bytes) -> Any:
    """The value in a JSON text. Raises `ValueError` for any other text, nested however deep."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("brackets within too many brackets") from error


def repr_of(value: object) -> str:
    """A wrong value, as a message tells it: on one line, and only the beginning of a long one."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - such as that of an int with thousands of digits
        text = object.__repr__(value)
    return quote(text)


def message_of(error: BaseException) -> str:
    """What an error says; its type where it says nothing, or fails to."""
    try:
        return str(error) or type(error).__name__
    except Exception:  # noqa: BLE001 - its class is the user's
        return type(error).__name__


def quote(text: str) -> str:
    """The beginning of a text, as a message quotes it."""
    return escape_controls(shorten(text, LONGEST_QUOTE))


def shorten(text: str, most: int) -> str:
    """A text cut to so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def escape_controls(text: str) -> str:
    """A text with escapes in place of control characters, which would act on the terminal that shows it."""
    return "".join(sign if sign.isprintable() or sign in "\xa0\u202f" else ascii(sign)[1:-1] for sign in text)
