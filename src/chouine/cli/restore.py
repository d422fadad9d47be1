"""Fill an empty database from a file that `chouine backup` wrote, by this version or an earlier one."""

from __future__ import annotations

import argparse
import os
import shutil
from contextlib import closing
from gettext import gettext as _
from pathlib import Path
from tempfile import TemporaryDirectory

from chouine.cli.arguments import blame_setting
from chouine.cli.databases import (
    MAGIC,
    check_owner,
    check_there,
    configure_database,
    connect,
    cut_short,
    database_of,
    file_url,
    report_transfer,
    run_transfer,
    tables_of,
)
from chouine.cli.texts import CannotRun


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Fill an empty database from a file written by `chouine backup`, by this version or an earlier one."
    )
    parser.add_argument("file", metavar=_("FILE"), help=_("file written by `chouine backup`"))
    configure_database(parser)


def run(args: argparse.Namespace) -> int:
    """Restore the backup; the file itself is not changed."""
    from chouine.server.migrations import upgrade

    file = Path(args.file)
    check_there(file)
    other = CannotRun(_("%(file)s is not a file that `chouine backup` wrote") % {"file": file})
    with file.open("rb") as opened:
        if opened.read(len(MAGIC)) != MAGIC:
            raise other
    if cut_short(file):
        raise CannotRun(
            _("%(file)s is cut short: part of what was in it is lost. Use another backup") % {"file": file}
        )
    os.umask(0o077)

    def prepare(source: str, target: str) -> None:
        upgrade(source)
        upgrade(target)

    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(file, Path(folder) / "copy.db"))
        check_owner(copy, file)
        with closing(connect(copy)) as connection:
            if not tables_of(connection):
                raise other
        with blame_setting(args.database):
            done = run_transfer(lambda: (file_url(copy), database_of(args.database)), prepare)
        return report_transfer(done)
