"""Any text as lines, whatever wrote it.

`str.splitlines` also splits at U+2028, U+0085, form feeds and other signs that may stand inside a name or a comment.
"""

from __future__ import annotations

import re

MARK = "\ufeff"
"""The byte order mark, which begins a file, and so a line of files joined by `cat`."""


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their ends: `\n`, `\r\n` or `\r`."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def unmark(line: str) -> str:
    """A line without a byte order mark before it."""
    return line.lstrip(MARK)
