"""How far a long job is: its log, so that nothing is computed twice, and a line for whoever waits at a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from errno import EACCES, EAGAIN, EPERM, EROFS
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, TypeVar

from chouine.errors import ChouineError
from chouine.files import errors_of, is_stream
from chouine.jobs.crews import Crew, Item
from chouine.phrases import Language, say
from chouine.plaintext import parse_json, shorten, split_lines

Entry = TypeVar("Entry")
WIDTH = 80
"""Columns of a terminal that does not tell."""


class Log:
    """A log file. Its first line identifies the job; an incomplete last line is dropped.

    From its first use until `close` it is this process's alone: two jobs that append to one log would spoil it.
    """

    kind = "job"
    other = "jobs/other"
    """The error code for the log of a job with other settings."""

    def __init__(self, path: Path, settings: dict[str, Any], **more: Any) -> None:
        """`settings` decide the results; `more` is kept beside them, and may differ when the job goes on."""
        self.path = path
        self.head: dict[str, Any] = {self.kind: settings, **more}
        self.held: BinaryIO | None = None

    def entries(self, read: Callable[[Any, int], Entry]) -> Iterator[Entry]:
        """Yield the logged items in order, each as `read` makes it of its data and number, from 0.

        `read` raises `ValueError`, `KeyError` or `TypeError` for data that are not the item's. After the last entry the
        log can be appended to. Raises `ChouineError` for a file that is not this job's log, which is left as it is, or
        that another process holds.
        """
        file = self.hold()
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = split_lines(whole.decode(errors="replace"))
        if not lines:
            start = f'{{"{self.kind}"'.encode()
            if data and not start.startswith(data[: len(start)]):
                raise ChouineError("arena/no-log", file=self.path)
            self.check_writable(file)
            file.truncate(0)
            self.add(self.head)
            return
        head = parse_line(lines[0]) or {}
        if self.kind not in head or head.keys() != self.head.keys():
            raise ChouineError("arena/no-log", file=self.path)
        if head[self.kind] != self.head[self.kind]:
            raise ChouineError(self.other, file=self.path, folder=self.path.parent)
        self.head = head
        if len(whole) < len(data):
            self.check_writable(file)
            file.truncate(len(whole))
        for number, line in enumerate(lines[1:]):
            try:
                yield read(parse_json(line), number)
            except (ValueError, KeyError, TypeError):
                raise ChouineError("arena/bad-line", file=self.path, line=number + 2) from None

    def add(self, data: dict[str, Any]) -> None:
        """Append an item."""
        file = self.held or self.hold()
        self.check_writable(file)
        left = line_of(data).encode()
        with errors_of(self.path):
            while left:
                left = left[file.write(left) :]

    def check_writable(self, file: BinaryIO) -> None:
        """Raise `PermissionError` for a log that could only be opened to be read."""
        if not file.writable():
            raise PermissionError(EACCES, os.strerror(EACCES), str(self.path))

    def hold(self) -> BinaryIO:
        """The log's file, from its beginning. Raises `ChouineError` if another process holds it, or it is no file."""
        self.close()
        if is_stream(self.path):
            raise ChouineError("file/not-a-file", file=self.path)
        file: BinaryIO
        try:
            file = self.held = self.path.open("a+b", buffering=0)  # to close one cannot fail: all is written
        except OSError as error:  # a complete log can be read all the same, on a disk without writing too
            if error.errno not in (EACCES, EPERM, EROFS) or not self.path.is_file():
                raise
            file = self.held = self.path.open("rb")
            return file
        with suppress(ImportError):  # some systems have no such locks
            import fcntl

            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:  # some disks of a network have none either
                if error.errno in (EACCES, EAGAIN):
                    self.close()
                    raise ChouineError("jobs/busy", file=self.path) from None
        file.seek(0)
        return file

    def close(self) -> None:
        """Let others have the log."""
        if self.held is not None:
            self.held.close()
            self.held = None


def line_of(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def parse_line(line: str) -> dict[str, Any] | None:
    try:
        data = parse_json(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def do_logged(
    crew: Crew,
    task: Callable[[Item], Entry],
    items: Iterable[Item],
    log: Log | None,
    fits: Callable[[Any], bool] = lambda _: True,
) -> Iterator[Entry]:
    """The results of items, JSON data: those in the log, which are not computed again, then the others.

    Raises `ChouineError` if the log is of other items, or has a result of which `fits` says that it is none.
    """
    waiting = iter(items)
    if log is None:
        yield from crew(task, waiting)
        return
    names = deque[str]()

    def entry_of(data: dict[str, Any], _number: int) -> tuple[str, Entry]:
        if not fits(data["result"]):
            raise ValueError("not a result")
        return data["item"], data["result"]

    def draw_items() -> Iterator[Item]:
        for item in waiting:
            names.append(fingerprint(item))
            yield item

    with closing(log):
        for name, result in log.entries(entry_of):
            if fingerprint(next(waiting, None)) != name:
                raise ChouineError(Log.other, file=log.path)
            yield result
        for result in crew(task, draw_items()):
            log.add({"item": names.popleft(), "result": result})
            yield result


def fingerprint(item: object) -> str:
    """A short text that differs for other items."""
    return sha256(repr(item).encode("utf-8", "surrogateescape")).hexdigest()[:16]


@contextmanager
def saying_that_it_goes_on(language: Language) -> Iterator[None]:
    """Say of an interrupted command that it goes on when it is called again."""
    try:
        yield
    except KeyboardInterrupt:
        clear()
        sys.stderr.write(f"{say('jobs/interrupted', language)}\n")
        raise


class Progress:
    """A line on standard error, if that is a terminal: items done, and the time that the others may take."""

    def __init__(self, many: int | None, language: Language) -> None:
        """`many` is the number of all items, None if it is not known."""
        self.many = many
        self.language = language
        self.before: int | None = None
        """Number of items that an earlier call did; None until the first item of this one."""
        self.began = monotonic()

    def tell(self, done: int, about: str = "") -> None:
        """Tell how many items are done, and something else."""
        if self.before is None:
            self.before = max(done - 1, 0)
        if sys.stderr.isatty():
            line = "  ".join(filter(None, (self.text(done, self.before), about)))
            sys.stderr.write(f"\r{shorten(line, columns() - 1)}\x1b[K")
            sys.stderr.flush()

    def text(self, done: int, before: int) -> str:
        """`12/400, 0:03:20 left`."""
        if self.many is None:
            return str(done)
        counted = f"{done}/{self.many}"
        if done <= before:
            return counted
        left = (monotonic() - self.began) / (done - before) * (self.many - done)
        return say("jobs/left", self.language, counted=counted, left=str(timedelta(seconds=round(left))))


def columns() -> int:
    """The terminal's width: a line that fills it goes on below, and is no longer written over."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or WIDTH
    return WIDTH


def clear() -> None:
    """Clear the progress line."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
