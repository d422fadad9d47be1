"""Standard streams of every command: any encoding is written, and a reader that leaves ends the command quietly."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from errno import EINVAL, EPIPE
from typing import Any

NEAREST = "chouine.nearest"
"""Name of the error handler of encodings that writes stand-ins."""
STAND_INS = dict(zip("♠♥♦♣–−·…«»“”→’×", 'shdc--.."""">\'x', strict=True)) | {"œ": "oe", "Œ": "OE"}


def nearest_text(error: UnicodeError) -> tuple[str, int]:
    """For what an encoding lacks: a suit's letter, a letter without its accent, a byte's escape, else `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(stand_in, error.object[error.start : error.end])), error.end


def stand_in(sign: str) -> str:
    """The ASCII text that replaces a character."""
    if "\ud800" <= sign <= "\udfff":  # a byte of a file's name that is no text
        return ascii(sign)[1:-1]
    return (
        STAND_INS.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"
    )


codecs.register_error(NEAREST, nearest_text)


class Output(io.FileIO):
    """A standard output that can be lost: to a reader that has left, a full disk."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as lost:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())  # what is still buffered goes nowhere
            left = lost.errno == EPIPE or (lost.errno == EINVAL and sys.platform == "win32")
            # Not an `OSError`, which commands would report as one of theirs.
            raise SystemExit(0 if left else f"chouine: {lost.strerror}") from None


def prepare_streams() -> None:
    """Make standard output and errors accept any text, and standard output end the command when it is lost."""
    out = sys.stdout
    if type(out) is io.TextIOWrapper and not out.isatty():
        raw = Output(out.fileno(), "wb", closefd=False)
        sys.stdout = io.TextIOWrapper(
            raw if out.write_through else io.BufferedWriter(raw),
            encoding=out.encoding,
            line_buffering=out.line_buffering,
            write_through=out.write_through,
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=NEAREST)


def flush() -> None:
    """Write what is buffered while a failure can still be handled."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()
