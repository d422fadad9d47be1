"""Files that are written whole or not at all, and files that only their owner may read.

The latter hold hands, seeds, keys or names. No other module replaces a file: its temporary name could be a user's own.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EISDIR, EOVERFLOW
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import BinaryIO

OWNER_ONLY = 0o600
USUAL = 0o666
"""The mode of other files, less what the user's umask takes away."""
BESIDE = "", "-journal", "-wal", "-shm"
"""Endings of an SQLite file's name, and of the files that SQLite puts beside it."""
MOST_READ = 1 << 26
"""Most bytes that are read at once, or without the end of a line: a device without an end would fill the memory."""
TEMPORARY = ".chouine-{}.new"
"""The name of a file that is not yet whole, around a random text: no user has such a file, and no pattern finds it."""


def create_private(path: Path) -> int:
    """Create a file, private from the beginning whatever the umask, and return its descriptor. Raises `OSError`."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)


def make_private(path: Path) -> None:
    """Make a database's file private, and SQLite's files beside it, where the disk knows owners: FAT does not."""
    for end in BESIDE:
        with suppress(OSError):
            path.with_name(path.name + end).chmod(OWNER_ONLY)


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[Path]:
    """An empty file of another name in the same folder; at the end it is on the disk, and takes the place of `path`.

    If anything fails, it is removed, and what `path` was stays. A usual file keeps its mode; a link leads where it led.
    Raises `OSError`, which names `path`.
    """
    target = Path(os.path.realpath(path))
    before = S_IMODE(target.stat().st_mode) if target.exists() else None
    if target.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if before is not None and not (target.is_file() and os.access(target, os.W_OK)):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))
    fresh = target.with_name(TEMPORARY.format(secrets.token_hex(8)))
    try:
        with errors_of(path, fresh):
            os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY if private else USUAL))
            if before is not None and not private:
                with suppress(OSError):  # FAT
                    fresh.chmod(before)
            yield fresh
            flush_to_disk(fresh)
            fresh.replace(target)
    finally:
        for end in BESIDE:
            with suppress(OSError):  # not there, or on a disk that can only be read
                fresh.with_name(fresh.name + end).unlink()
    with suppress(OSError):  # some systems do not open folders
        flush_to_disk(target.parent)


@contextmanager
def writing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content replaces a file at the end, whole or not at all. Raises `OSError`, which names `path`.

    What is no file, such as a pipe or `/dev/stdout`, is written to as it is.
    """
    if is_standard_output(path):
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif path.exists() and not path.is_file():
        with errors_of(path), path.open("wb") as stream:
            yield stream
    else:
        with replacing(path, private=private) as fresh, fresh.open("wb") as stream:
            yield stream


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Replace a file by one with this content, whole or not at all. Raises `OSError`, which names `path`."""
    with writing(path, private=private) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def write_new(path: Path, content: bytes) -> None:
    """Write a private file that does not exist yet, whole or not at all. Raises `OSError`, which names `path`."""
    with errors_of(path), os.fdopen(create_private(path), "wb") as stream:
        try:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        except BaseException:
            path.unlink()
            raise


def append(path: Path, content: bytes) -> None:
    """Append lines to a file, all or nothing, and have it on the disk. Raises `OSError`, which names `path`."""
    left = b"\n" + content if lacks_line_end(path) else content
    with errors_of(path), path.open("ab", buffering=0) as stream:
        before = 0 if is_stream(path) else stream.tell()
        try:
            while left:
                left = left[stream.write(left) :]
            if not is_stream(path):
                os.fsync(stream.fileno())
        except OSError:
            with suppress(OSError):
                stream.truncate(before)
            raise


def lacks_line_end(path: Path) -> bool:
    """Whether a file's last line has no end, as some editors leave it."""
    if not is_stream(path):
        with suppress(OSError), path.open("rb") as stream:  # there is none, it is empty, or not to be read
            stream.seek(-1, os.SEEK_END)
            return stream.read() != b"\n"
    return False


def read_whole(path: Path) -> bytes:
    """A file's content. Raises `OSError`, also for what has no end, such as `/dev/zero`."""
    with path.open("rb") as stream:
        return read_to_end(stream, path)


def read_to_end(stream: BinaryIO, path: Path) -> bytes:
    """What is left of a stream; `path` is named where it is too much. Raises `OSError`."""
    content = stream.read(MOST_READ + 1)
    if len(content) > MOST_READ:
        raise too_much(path)
    return content


def too_much(path: Path) -> OSError:
    """The error for a file that is too large to be read, or has no end."""
    return OSError(EOVERFLOW, os.strerror(EOVERFLOW), str(path))


@contextmanager
def errors_of(path: Path, aside: Path | None = None) -> Iterator[None]:
    """Have an `OSError` that names no file, as that of a write does not, or the one `aside`, name this one."""
    try:
        yield
    except OSError as error:
        if error.errno and error.filename in (None, str(aside)):
            error.filename = str(path)
        raise


def is_stream(path: Path) -> bool:
    """Whether a path is a pipe, a device, or this process's output; not where there is nothing, or no path at all."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (S_ISREG(mode) or S_ISDIR(mode)) or is_standard_output(path)


def is_standard_output(path: Path) -> bool:
    """Whether a path such as `/dev/stdout` is this process's output: a file opened again would be written over it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError, AttributeError):  # no such path, or an output that is no file
        return False


def flush_to_disk(path: Path) -> None:
    """Have the system write a file, or the names in a folder, to the disk. Raises `OSError`."""
    opened = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
