"""What commands read and print: texts, errors, and standard streams.

Any encoding is written, and a reader that leaves ends the command quietly.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from errno import EACCES, EINVAL, EISDIR, ENOENT, EPIPE
from gettext import gettext as _
from pathlib import Path
from typing import Any, TextIO, cast

from chouine.errors import ChouineError, NotationError, escape_controls
from chouine.phrases import Language, say

STANDARD_INPUT = "-"
WRONG_CALL, INTERRUPTED = 2, 130
"""Exit codes."""


class CannotRun(Exception):
    """Why a command cannot go on, in the user's words."""


FAULTS = (ChouineError, OSError, ModuleNotFoundError, CannotRun)
"""What makes a command fail without being a fault of this program."""
Fault = ChouineError | OSError | ModuleNotFoundError | CannotRun


@contextmanager
def open_text(name: str | None, errors: str = "strict") -> Iterator[TextIO]:
    """Open a file or standard input as UTF-8, or UTF-16 that says so, with any line ends, whatever the locale.

    With `surrogateescape` an invalid byte is left to `read_records`, which reports its place; else it raises a
    `ChouineError`.
    """
    asked = name is None or name == STANDARD_INPUT
    with (
        nullcontext(cast("io.BufferedReader", sys.stdin.buffer))
        if asked
        else Path(str(name)).open("rb") as stream
    ):
        wide = stream.peek(2).startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        encoding = "utf-16" if wide else "utf-8-sig"
        try:
            yield io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline=None)
        except UnicodeDecodeError as fault:
            raise ChouineError("syntax/encoding", file=STANDARD_INPUT if asked else name) from fault


def write_utf8() -> None:
    """Make standard output UTF-8 too."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors=sys.stdout.errors)


def complain(command: str, fault: Fault, language: Language) -> int:
    """Print in one line why a command failed; returns its exit code."""
    clear_progress()
    print(complaint_of(command, fault, language), file=sys.stderr)
    return WRONG_CALL


def clear_progress() -> None:
    """Clear the line that tells how far a long job is, if there is one."""
    from chouine.jobs import clear  # imported late: most commands have no long job

    clear()


def complaint_of(command: str, fault: Fault, language: Language) -> str:
    """Why a command failed, in one line. An error of a long job's item names the item."""
    if isinstance(fault, ModuleNotFoundError):
        return missing_package(command, fault)
    if isinstance(fault, NotationError):
        why = f"{fault.line}:{fault.column}: {in_a_text(fault, language)}"
    elif isinstance(fault, ChouineError):
        why = say(fault.code, language, **fault.data)
    elif isinstance(fault, OSError):
        why = f"{fault.filename or STANDARD_INPUT}: {unopened_message(fault, language)}"
    else:
        why = str(fault)
    for item in getattr(fault, "__notes__", ()):
        why = say("jobs/about", language, why=why, item=item)
    return f"chouine {command}: {escape_controls(why)}"


def in_a_text(fault: NotationError, language: Language) -> str:
    """The message of an error in a text; for an illegal action it names the seat on turn."""
    why, turn = say(fault.code, language, **fault.data), fault.data.get("turn")
    if not isinstance(turn, int) or turn < 0:
        return why
    from chouine.partie.deal import SEATS

    return say("reading/to-seat", language, seat=SEATS[turn], why=why)


def unopened_message(fault: OSError, language: Language) -> str:
    """Why a file cannot be opened, else in the system's words."""
    code = {ENOENT: "file/none", EISDIR: "file/folder", EACCES: "file/forbidden"}.get(fault.errno or 0)
    return say(code, language) if code else str(fault.strerror or fault)


def missing_package(command: str, missing: ModuleNotFoundError) -> str:
    """Which package a command lacks, and how to install it. Raises the error again for a module of this program."""
    name = str(missing.name)
    if name.startswith("chouine"):
        raise missing
    needed = {
        "command": command,
        "package": name,
        "extra": "fast" if name in ("numba", "numpy") else "server",
    }
    return _("chouine %(command)s needs %(package)s: pip install 'chouine[%(extra)s]'") % needed


NEAREST = "chouine.nearest"
"""Name of the error handler of encodings that writes stand-ins."""
STAND_INS = dict(zip("♠♥♦♣–−·…«»“”→’×", 'shdc--.."""">\'x', strict=True)) | {"œ": "oe", "Œ": "OE"}


def nearest_text(error: UnicodeError) -> tuple[str, int]:
    """Write for what an encoding lacks a suit's letter, a letter without its accent, a byte's escape, else `?`."""
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
