"""The database of a command: the argument for it, and its file or server made ready, or the reason why not."""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
from contextlib import closing
from gettext import gettext as _
from pathlib import Path

from chouine.cli.addresses import CannotOpen, database_of, file_of


def configure_database(parser: argparse.ArgumentParser) -> None:
    """Declare `--database`."""
    parser.add_argument(
        "--database",
        default=os.environ.get("CHOUINE_DATABASE_URL", ""),
        help=_("database address (default: CHOUINE_DATABASE_URL, else SQLite in your data folder)"),
    )


def ready_database(asked: str) -> str:
    """The database's URL, after creating or migrating it to the current schema."""
    from chouine.server.migrations import missing_tables, upgrade

    try:
        database = database_of(asked)
        try_file(database)
        upgrade(database)
        check_tables(asyncio.run(missing_tables(database)))
    except CannotOpen:
        raise
    except Exception as error:  # what a driver raises is its own affair
        raise CannotOpen(str(error).partition("\n")[0] or type(error).__name__) from error
    return database


def check_tables(missing: list[str]) -> None:
    """Raise `CannotOpen` for the first table that is missing."""
    for table in missing:
        raise CannotOpen(
            _("its table %(table)s is missing, and what was in it is lost: restore a backup")
            % {"table": table}
        )


def existing_database(asked: str) -> str:
    """As `ready_database`, but an SQLite file must be there already."""
    require_file(database_of(asked))
    return ready_database(asked)


def require_file(database: str) -> None:
    """Raise `CannotOpen` if an SQLite file is missing, which would be created."""
    path = file_of(database)
    if path is not None and not path.is_file():
        raise CannotOpen(_("there is no file %(file)s") % {"file": path})


def try_file(database: str) -> None:
    """Open an SQLite file once directly: for a bad file the driver's thread would print an error of its own."""
    path = file = file_of(database)
    if path is not None and file is not None:
        if file.is_file() and file.stat().st_size == 0:
            raise CannotOpen(
                _("%(path)s is an empty file: restore a backup, or delete it to start anew") % {"path": path}
            )
        short = file.is_file() and cut_short(file)
        unwritten = Path(f"{path}-wal")  # what a killed server had not yet copied into the file
        if short and not (unwritten.is_file() and unwritten.stat().st_size):
            raise incomplete_file(path)
        with closing(connect(path)) as connection:
            if short and connection.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise incomplete_file(path)
            connection.execute("begin immediate")
            # Fails where the file may only be read; it is rolled back.
            connection.execute("create table written (ever)")


MAGIC = b"SQLite format 3\0"
"""The beginning of an SQLite file."""
HEADER = 100
"""Bytes of an SQLite file's header: its page size is at 16, its number of pages at 28.

The number counts if the counters at 24 and 92 are equal: very old versions of SQLite do not keep it."""


def cut_short(file: Path) -> bool:
    """Whether an SQLite file is shorter than its header says."""
    with file.open("rb") as opened:
        header = opened.read(HEADER)
    if len(header) < HEADER:
        return True
    if not header.startswith(MAGIC) or header[24:28] != header[92:96]:
        return False
    page = int.from_bytes(header[16:18])
    return file.stat().st_size < int.from_bytes(header[28:32]) * (page if page > 1 else 65_536)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to an SQLite file, made if it is missing. Raises `CannotOpen`."""
    try:
        return sqlite3.connect(path)
    except sqlite3.OperationalError as error:
        where = {"path": path}
        raise CannotOpen(
            _("%(path)s cannot be opened: does its folder exist, and may you write there?") % where
        ) from error


def incomplete_file(path: Path) -> CannotOpen:
    """The error for a file of which a part is missing."""
    return CannotOpen(
        _(
            "%(path)s is cut short: part of what was in it is lost. Restore a backup, or delete it to start anew"
        )
        % {"path": path}
    )
