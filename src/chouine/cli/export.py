"""Write all that a server stores of a person into one archive."""

from __future__ import annotations

import argparse
import asyncio
from gettext import gettext as _
from pathlib import Path

from chouine.cli.databases import configure_database, database_faults, existing_database
from chouine.cli.erase import configure_guest, nobody_known
from chouine.cli.texts import CannotRun, check_writable
from chouine.files import write_new


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Write all that the server stores of a person into a ZIP file, for a letter that asks for it: JSON, and the"
        " finished parties as records. It is the file that the page “Your data” gives."
    )
    configure_guest(parser)
    parser.add_argument("file", metavar=_("FILE"), help=_("file to write; it must not exist yet"))
    configure_database(parser)


def run(args: argparse.Namespace) -> int:
    """Write the archive, readable by its owner only."""
    file = Path(args.file)
    check_writable(file)
    with database_faults(args.database):
        archive = asyncio.run(archive_named(existing_database(args.database), args.guest))
    if archive is None:
        raise nobody_known(args.guest)
    try:
        write_new(file, archive)
    except FileExistsError as error:
        raise CannotRun(_("%(file)s exists already") % {"file": file}) from error
    return 0


async def archive_named(database: str, text: str) -> bytes | None:
    """The archive of whoever is meant; None if that is nobody, or more than one."""
    from chouine.server.personal import archive_of, guests_named
    from chouine.server.store import Store
    from chouine.server.tables import Tables
    from chouine.server.visitors import secrets_of

    async with Store.at(database) as store:
        guests = await guests_named(store, await secrets_of(store), text)
        return await archive_of(Tables(store), guests[0]) if len(guests) == 1 else None
