"""Files that only their owner may read, since they hold hands, seeds, keys or names."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600


def create_private(path: Path) -> int:
    """Create a file, private from the beginning whatever the umask, and return its descriptor. Raises `OSError`."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)


def make_private(path: Path) -> None:
    """Make a database's file private, and SQLite's files beside it, where the disk knows owners: FAT does not."""
    for each in (path, *(path.with_name(path.name + end) for end in ("-journal", "-wal", "-shm"))):
        with suppress(OSError):
            each.chmod(OWNER_ONLY)
