"""Erase people from a server's database who ask its operator for it."""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import sys
from gettext import gettext as _
from pathlib import Path

from chouine.cli.arguments import somebody
from chouine.cli.backup import one_file
from chouine.cli.databases import configure_database, database_faults, existing_database, file_url
from chouine.cli.texts import CannotRun
from chouine.phrases import reason_in_words


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
            "the number that the page “Your data” shows them, their e-mail address, or the identifier of a match and a"
            " seat counted from 1, such as mXk3:2"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Erase, and print what was found."""
    copies = folder_of_copies(args.copies) if args.copies else None
    with database_faults(args.database):
        database = existing_database(args.database)
        known = asyncio.run(erase_named(database, args.guest))
        status = clear_copies(database, copies) if copies else 0
    if not known:
        raise nobody_known(args.guest)
    return status


def folder_of_copies(name: str) -> Path:
    """The folder of backups. Raises `CannotRun` if there is none."""
    folder = Path(name)
    if not folder.is_dir():
        raise CannotRun(_("there is no folder %(folder)s") % {"folder": folder})
    return folder


async def erase_named(database: str, text: str) -> bool:
    """Erase whoever is meant; False if that is nobody."""
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
    return bool(guests)


def nobody_known(text: str) -> CannotRun:
    """The error for a text by which nobody is known."""
    return CannotRun(_("nobody is known here by “%(text)s”") % {"text": text})


def clear_copies(database: str, folder: Path) -> int:
    """Clear every backup (`*.db`) in a folder, and print how many; one of another schema is named and left.

    So is one that cannot be read or written; the exit code is then 1.
    """
    from chouine.server.database import Damaged, Unreachable
    from chouine.server.erasure import erased_guests
    from chouine.server.store import Store

    async def read() -> frozenset[str]:
        async with Store.at(database) as store:
            return frozenset(await erased_guests(store))

    guests, cleared, status = asyncio.run(read()), 0, 0
    os.umask(0o077)
    for file in sorted(filter(Path.is_file, folder.glob("*.db"))):
        try:
            if asyncio.run(clear_copy(file.absolute(), guests)):
                one_file(file)
                cleared += 1
        except (Damaged, Unreachable, OSError, sqlite3.Error) as error:
            status, said = 1, {"file": file, "why": reason_in_words(error)}
            why = _("not everybody was erased from %(file)s: %(why)s") % said
            print(f"chouine: {why}", file=sys.stderr)
    print(_("backups from which somebody was erased: %(count)s") % {"count": cleared})
    return status


async def clear_copy(file: Path, guests: frozenset[str]) -> bool:
    """Erase guests from a backup; whether any had to be."""
    from chouine.server.contest.online import Contests
    from chouine.server.erasure import finish_erasures
    from chouine.server.schema import VERSION
    from chouine.server.store import Store
    from chouine.server.tables import Tables

    async with Store.at(file_url(file)) as store:
        if await store.shape() != VERSION:
            why = _("%(file)s is of another version of Chouine: nobody was erased from it") % {"file": file}
            print(f"chouine: {why}", file=sys.stderr)
            return False
        tables = Tables(store)
        return await finish_erasures(tables, Contests(store, tables.clock), guests) > 0
