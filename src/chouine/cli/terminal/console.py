"""The terminal: reads and writes lines, wraps them to its width, colours suits where it can."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from typing import TextIO

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Cursor home, clear the screen and the scrollback: no hand may stay visible."""
RED_CARD = re.compile(r"(?:10|[A-Z2-9])?[♥♦]")


BOM = "\ufeff"


class InputEnded(Exception):
    """Standard input has ended."""


class Console:
    """Standard input and output as a table's screen."""

    def __init__(self, reads: TextIO, writes: TextIO, environment: Mapping[str, str]) -> None:
        self._reads = reads
        self._writes = writes
        self._screen = writes.isatty() and environment.get("TERM") != "dumb"
        self._colour = self._screen and not environment.get("NO_COLOR")

    @property
    def width(self) -> int:
        """Width in columns."""
        return max(20, shutil.get_terminal_size((80, 24)).columns)

    def page(self, lines: Iterable[str]) -> None:
        """Print lines on a cleared screen; on a pipe, after an empty line."""
        self._writes.write(CLEAR if self._screen else "\n")
        self.note(lines)

    def note(self, lines: Iterable[str]) -> None:
        """Print lines below the last ones."""
        for line in lines:
            self._writes.write(self._style("\n".join(self._wrap(line))) + "\n")
        self._writes.flush()

    def ask(self, question: str) -> str:
        """Read a person's answer. Raises `InputEnded`."""
        self._writes.write(self._style("\n".join(self._wrap(question))) + " ")
        self._writes.flush()
        line = self._reads.readline()
        if not line:
            raise InputEnded
        return line.strip().removeprefix(BOM)

    def _wrap(self, line: str) -> list[str]:
        if len(line) <= self.width:
            return [line]
        return textwrap.wrap(line, self.width, subsequent_indent="  ", break_long_words=False)

    def _style(self, text: str) -> str:
        return RED_CARD.sub(lambda card: f"\x1b[31m{card[0]}\x1b[0m", text) if self._colour else text


def standard() -> Console:
    """The process's terminal; bytes that its encoding lacks are replaced."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return Console(sys.stdin, sys.stdout, os.environ)
