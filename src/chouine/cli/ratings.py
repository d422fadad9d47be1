"""Compute all ratings of a server's database again, from its matches."""

from __future__ import annotations

import argparse
import asyncio
from gettext import gettext as _

from chouine.cli.databases import configure_database, database_faults, existing_database


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Compute all ratings of a server's database again, from the first match on: nothing changes unless a match was"
        " not entered or a figure was wrong. Of matches that are no longer kept the places are taken as they were"
        " entered."
    )
    configure_database(parser)


def run(args: argparse.Namespace) -> int:
    """Compute, and print what was found."""
    with database_faults(args.database):
        return asyncio.run(compute(existing_database(args.database)))


async def compute(database: str) -> int:
    """Compute, and print the counts."""
    from chouine.server.standing.ledger import redo
    from chouine.server.store import Store
    from chouine.server.tables import Tables

    async with Store.at(database) as store:
        done = await redo(Tables(store))
    counts = {"matches": done.matches, "new": done.entered, "faults": done.differing}
    print(_("rated matches: %(matches)s, entered now: %(new)s, figures mended: %(faults)s") % counts)
    return 0
