"""Write a consistent copy of the whole database to a file; the server may keep running.

The file holds every pack and the server's key, so only its owner can read it. Keep it that way.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from contextlib import closing
from gettext import gettext as _
from pathlib import Path

from chouine.cli.databases import configure_database, database_of, file_url, run_transfer
from chouine.cli.texts import WRONG_CALL, report_missing_package


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Write the whole database to a file while the server runs. The file holds every pack and the "
        "server's key: only its owner can read it, and it should stay so."
    )
    parser.add_argument("file", metavar=_("FILE"), help=_("file to write; it must not exist yet"))
    configure_database(parser)


def run(args: argparse.Namespace) -> int:
    """Write the backup atomically: the file is complete, with damaged matches as they are, or does not exist."""
    try:
        from chouine.server.migrations import upgrade
    except ModuleNotFoundError as missing:
        return report_missing_package("backup", missing)
    file = Path(args.file)
    part = file.with_name(f"{file.name}.part")
    if file.exists() or part.exists():
        there = {"file": file if file.exists() else part}
        print(_("chouine backup: %(file)s exists already") % there, file=sys.stderr)
        return 2
    os.umask(0o077)
    url = file_url(part.absolute())
    try:
        status = run_transfer(
            "backup", lambda: (database_of(args.database), url), lambda _, target: upgrade(target)
        )
        if status != WRONG_CALL:
            one_file(part)
            part.replace(file)
        return status
    finally:
        for left in (part, Path(f"{part}-wal"), Path(f"{part}-shm")):
            left.unlink(missing_ok=True)


def one_file(path: Path) -> None:
    """Merge the write-ahead log into the file and flush it to disk."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma journal_mode=delete")
    with path.open("rb") as written:
        os.fsync(written.fileno())
