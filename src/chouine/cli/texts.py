"""What the commands that read texts have in common: their input, and how a fault is told."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from chouine.errors import ChouineError, NotationError
from chouine.phrases import Language, say

STANDARD_INPUT = "-"
WRONG_CALL = 2


@contextmanager
def opened(name: str | None) -> Iterator[TextIO]:
    """A file, or standard input: UTF-8, whatever the locale, with any kind of line end."""
    if name is None or name == STANDARD_INPUT:
        yield io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline=None)
        return
    with Path(name).open(encoding="utf-8-sig", newline=None) as stream:
        yield stream


def write_utf8() -> None:
    """Standard output is UTF-8 too."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def complain(
    command: str,
    fault: ChouineError | OSError | UnicodeDecodeError,
    language: Language,
    name: str | None = None,
) -> int:
    """Tell in one line why a command cannot do its work; its exit status."""
    if isinstance(fault, ChouineError):
        place = f"{fault.line}:{fault.column}: " if isinstance(fault, NotationError) else ""
        why = place + say(fault.code, language, **fault.data)
    elif isinstance(fault, UnicodeDecodeError):
        why = say("syntax/encoding", language, file=name or STANDARD_INPUT)
    else:
        why = f"{name or STANDARD_INPUT}: {fault.strerror}"
    print(f"chouine {command}: {why}", file=sys.stderr)
    return WRONG_CALL
