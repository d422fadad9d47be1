"""List visitors' reports to the server's keeper; with --done delete one that has been handled."""

from __future__ import annotations

import argparse
import asyncio
import sys
from datetime import UTC, datetime
from gettext import gettext as _

from chouine.cli.arguments import storable_text
from chouine.cli.databases import configure_database, database_faults, existing_database


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "List what visitors reported to the keeper of the server, the oldest first: its number, when, the address of"
        " the match, who was reported and why, what was written."
    )
    configure_database(parser)
    parser.add_argument(
        "--done",
        action="append",
        type=storable_text,
        default=[],
        metavar=_("REPORT"),
        help=_("number of a report that is dealt with: it is removed; may be given several times"),
    )


def run(args: argparse.Namespace) -> int:
    """Print a line for each report."""
    with database_faults(args.database):
        return asyncio.run(list_reports(existing_database(args.database), args.done))


async def list_reports(database: str, done: list[str]) -> int:
    from chouine.server.partners import Partners, reported_at
    from chouine.server.store import Store

    async with Store.at(database) as store:
        partners = Partners(store, lambda: 0.0)
        unknown = [which for which in done if not await partners.settle_report(which)]
        for one in await partners.reports():
            at = datetime.fromtimestamp(one.at, UTC).strftime("%Y-%m-%d %H:%M")
            seat = one.seat + (one.place == "table")
            print(f"{one.id} {at} {reported_at(one)} {seat}:{one.name!r} {one.reason} {one.words!r}")
    for which in unknown:
        why = _("there is no report %(which)s") % {"which": which}
        print(f"chouine reports: {why}", file=sys.stderr)
    return 2 if unknown else 0
