"""Write a consistent copy of the whole database to a file; the server may keep running.

The file holds every pack and the server's key, so only its owner can read it. Keep it that way.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
from contextlib import closing
from gettext import gettext as _
from pathlib import Path

from chouine.cli.arguments import blame_setting
from chouine.cli.databases import configure_database, database_of, file_url, report_transfer, run_transfer
from chouine.cli.texts import CannotRun, check_writable
from chouine.files import flush_to_disk, replacing


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Write the whole database to a file while the server runs. The file holds every pack and the "
        "server's key: only its owner can read it, and it should stay so."
    )
    parser.add_argument("file", metavar=_("FILE"), help=_("file to write; it must not exist yet"))
    configure_database(parser)


def run(args: argparse.Namespace) -> int:
    """Write the backup atomically: the file is complete, with damaged matches as they are, or does not exist."""
    from chouine.server.migrations import upgrade

    file = Path(args.file)
    if file.exists():
        raise CannotRun(_("%(file)s exists already") % {"file": file})
    check_writable(file)
    os.umask(0o077)
    with replacing(file, private=True) as part:
        url = file_url(part.absolute())
        with blame_setting(args.database):
            done = run_transfer(lambda: (database_of(args.database), url), lambda _, target: upgrade(target))
        one_file(part)
    return report_transfer(done)  # once the file is there: who reads what is printed may have left


def one_file(path: Path) -> None:
    """Merge the write-ahead log into the file and flush it to disk."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma journal_mode=delete")
    flush_to_disk(path)
