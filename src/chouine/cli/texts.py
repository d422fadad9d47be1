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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from errno import EACCES, EINVAL, EISDIR, ENOENT, ENOTDIR, EPIPE
from gettext import gettext as _
from pathlib import Path
from typing import Any, BinaryIO, TextIO, TypeVar, cast

from chouine.errors import ChouineError, NotationError
from chouine.files import MOST_READ, is_standard_output, is_stream, read_to_end, too_much
from chouine.phrases import Language, say
from chouine.phrases.catalogue import spoken_language
from chouine.phrases.reasons import reason_code
from chouine.plaintext import escape_controls

Entry = TypeVar("Entry")
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
    if name == "":  # an unset variable's
        raise ChouineError("file/no-name")
    with (
        nullcontext(cast("io.BufferedReader", sys.stdin.buffer))
        if asked
        else Path(str(name)).open("rb") as stream
    ):
        wide = stream.peek(2).startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        encoding = "utf-16" if wide else "utf-8-sig"
        lines = cast("BinaryIO", Lines(stream, STANDARD_INPUT if asked else str(name)))
        try:
            yield io.TextIOWrapper(lines, encoding=encoding, errors=errors, newline=None)
        except UnicodeDecodeError as fault:
            raise ChouineError("syntax/encoding", file=STANDARD_INPUT if asked else name) from fault


class Lines(io.BufferedIOBase):
    """A stream whose lines end: one that goes on and on raises `OSError`, as does one that is read whole.

    A file of millions of lines has any length.
    """

    def __init__(self, stream: io.BufferedReader, name: str) -> None:
        self.stream, self.name, self.length = stream, Path(name), 0
        """`length`: bytes of the present line so far."""

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """What is there, as it comes."""
        data = self.stream.read1(size)
        end = data.rfind(b"\n")
        self.length = self.length + len(data) if end < 0 else len(data) - end
        if self.length > MOST_READ:
            raise too_much(self.name)
        return data

    def read(self, size: int | None = -1, /) -> bytes:
        """All that is left, or so many bytes."""
        return read_to_end(self.stream, self.name) if size is None or size < 0 else self.stream.read(size)


def some_of(entries: Iterable[Entry], file: str | Path | None, code: str) -> Iterator[Entry]:
    """The entries of a file. Raises `ChouineError` where it has none: nobody names a file that has nothing to read.

    Standard input may have none, as the end of a pipe in which nothing was left over.
    """
    empty = True
    for each in entries:
        empty = False
        yield each
    if empty and file not in (None, STANDARD_INPUT):
        raise ChouineError(code, file=file)


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
    return f"chouine {command}: {why_failed(fault, language)}"


def why_failed(fault: ChouineError | OSError | CannotRun, language: Language) -> str:
    """An error's sentence, with its place or its file."""
    if isinstance(fault, NotationError):
        why = f"{fault.line}:{fault.column}: {in_a_text(fault, language)}"
    elif isinstance(fault, ChouineError):
        why = say(fault.code, language, **fault.data)
    elif isinstance(fault, OSError):
        named = "" if fault.filename is None else f"{fault.filename}: "
        why = f"{named}{unopened_message(fault, language)}"
    else:
        why = str(fault)
    for item in getattr(fault, "__notes__", ()):
        why = say("jobs/about", language, why=why, item=item)
    return escape_controls(why)


def in_a_text(fault: NotationError, language: Language) -> str:
    """The message of an error in a text; for an illegal action it names the seat on turn."""
    why, turn = say(fault.code, language, **fault.data), fault.data.get("turn")
    if not isinstance(turn, int) or turn < 0:
        return why
    from chouine.partie.deal import SEATS

    return say("reading/to-seat", language, seat=SEATS[turn], why=why)


def unopened_message(fault: OSError, language: Language) -> str:
    """Why a file cannot be read or written, else in the system's words: it may be a folder on its way that is wrong."""
    path = Path(str(fault.filename or STANDARD_INPUT))
    if fault.errno == ENOTDIR:
        on_the_way = first_that_is_no_folder(path)
        return say("file/not-a-folder", language, file=on_the_way)
    if fault.errno == ENOENT and not path.parent.is_dir():
        return say("file/no-folder", language, folder=path.parent)
    code = reason_code(fault)
    return say(code, language) if code else str(fault.strerror or fault)


def first_that_is_no_folder(path: Path) -> Path:
    """The part of a path at which there is something else than a folder; the path itself if there is none."""
    return next((each for each in (path, *path.parents) if each.exists() and not each.is_dir()), path)


def check_writable(*paths: Path | None, appending: bool = False) -> None:
    """Raise `ChouineError` or `OSError` for a file that cannot be written, before long work begins.

    A file that is not only appended to is replaced, which its folder must allow.
    """
    for path in filter(None, paths):
        if is_standard_output(path):
            continue
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
        if not path.parent.is_dir():
            above = first_that_is_no_folder(path.parent)
            code = "file/not-a-folder" if above.exists() else "file/make-folder"
            raise ChouineError(code, folder=path.parent, file=above)
        needed = [path] if path.exists() else []
        if not needed or (path.is_file() and not appending):
            needed.append(path.resolve().parent)
        if not all(os.access(each, os.W_OK) for each in needed):
            raise PermissionError(EACCES, os.strerror(EACCES), str(path))


def check_apart(*paths: Path | None) -> None:
    """Raise `ChouineError` for a file that is named for two results: one would be written over the other."""
    given = [os.path.realpath(path) for path in paths if path is not None and not is_stream(path)]
    for path in given:
        if given.count(path) > 1:
            raise ChouineError("file/twice", file=path)


EXTRAS = {
    "gymnasium": "research",
    "networkx": "concours",
    "numba": "fast",
    "numpy": "fast",
    "pettingzoo": "research",
    "pyarrow": "parquet",
    "pyspiel": "research",
    "ray": "cluster",
    "scipy": "research",
    "torch": "train",
    "wasmtime": "wasm",
}
"""The smallest extra that has a module; all others are in `server`."""


def missing_package(command: str, missing: ModuleNotFoundError) -> str:
    """Which package a command lacks, and how to install it. Raises the error again for a module of this program."""
    name = str(missing.name).partition(".")[0]
    if name == "chouine":
        raise missing
    needed = {"command": command, "package": name, "extra": EXTRAS.get(name, "server")}
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
            why = unopened_message(lost, spoken_language())  # whoever prints does not know the language
            raise SystemExit(0 if left else f"chouine: {why}") from None


def prepare_streams() -> None:
    """Make standard output and errors accept any text, and standard output end the command when it is lost.

    What was closed before the command began is nothing to read, and takes whatever is written.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: its own
            setattr(sys, name, os.fdopen(opened, mode, encoding="utf-8", closefd=False))
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
