"""Erase people from a server's database who ask its operator for it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from gettext import gettext as _
from pathlib import Path

from chouine.cli.arguments import somebody
from chouine.cli.copies import clear_copies
from chouine.cli.databases import CannotOpen, configure_database, existing_database
from chouine.cli.texts import report_missing_package


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Erase a person who asks for it, while the server runs: their name, settings, progress, addresses and matches"
        " against computers. Matches with others stay, without their name; those in progress are lost by them."
    )
    configure_guest(parser)
    configure_database(parser)
    parser.add_argument(
        "--copies", metavar=_("FOLDER"), help=_("erase them from the backups in this folder too")
    )


def configure_guest(parser: argparse.ArgumentParser) -> None:
    """Declare the argument that names a person."""
    parser.add_argument(
        "guest",
        type=somebody,
        metavar=_("PERSON"),
        help=_(
            "the number that the page “My data” shows them, their e-mail address, or the identifier of a match and a"
            " seat counted from 1, such as mXk3:2"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Erase, and print what was found."""
    try:
        from chouine.server.database import Damaged, Unreachable
    except ModuleNotFoundError as missing:
        return report_missing_package("erase", missing)
    try:
        database = existing_database(args.database)
        status = asyncio.run(erase_named(database, args.guest))
        if args.copies:
            status = max(status, clear_copies(database, Path(args.copies)))
    except (CannotOpen, Damaged, Unreachable) as error:
        why = _("cannot open the database: %(why)s") % {"why": error}
    except NotADirectoryError as error:
        why = _("there is no folder %(folder)s") % {"folder": error}
    else:
        return status
    print(f"chouine erase: {why}", file=sys.stderr)
    return 2


async def erase_named(database: str, text: str) -> int:
    """Erase whoever is meant. Exit code: 2 if that is nobody."""
    from chouine.server.contest.online import Contests
    from chouine.server.erasure import erase
    from chouine.server.heartbeat import steady_clock
    from chouine.server.personal import guests_named
    from chouine.server.store import Store
    from chouine.server.tables import Tables
    from chouine.server.visitors import secrets_of

    async with Store.at(database) as store:
        guests = await guests_named(store, await secrets_of(store), text)
        tables = Tables(store, await steady_clock(store))
        for guest in guests:
            done = await erase(tables, Contests(store, tables.clock), guest)
            counts = {"count": done.deleted, "kept": done.kept}
            print(
                _("erased; matches deleted: %(count)s, matches of others without the name: %(kept)s") % counts
            )
    return 0 if guests else report_nobody("erase", text)


def report_nobody(command: str, text: str) -> int:
    """Say that nobody is known by this text; the exit code."""
    print(f"chouine {command}: " + _("nobody is known here by “%(text)s”") % {"text": text}, file=sys.stderr)
    return 2
