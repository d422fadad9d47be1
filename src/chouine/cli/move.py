"""Copy one database into another, empty one: from SQLite to PostgreSQL, when more nodes are needed.

Stop the server first: what is played after the copy began is not copied.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from gettext import gettext as _

from chouine.cli.arguments import storable_text
from chouine.cli.databases import database_url, report_transfer, run_transfer


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Copy everything from one database into another, empty one: from SQLite to PostgreSQL when "
        "one server is not enough. The first is left as it is."
    )
    parser.add_argument(
        "source",
        type=storable_text,
        metavar=_("FROM"),
        help=_("address of the database to move, such as sqlite:///chouine.db"),
    )
    parser.add_argument(
        "target",
        type=storable_text,
        metavar=_("TO"),
        help=_("address of the empty database, such as postgresql://chouine@localhost/chouine"),
    )


def run(args: argparse.Namespace) -> int:
    """Copy the database; refused while a server uses the source."""
    from chouine.server.migrations import upgrade
    from chouine.server.transfer import CannotTransfer

    os.umask(0o077)

    def prepare(source: str, target: str) -> None:
        upgrade(source)
        if time.time() - asyncio.run(last_sign(source)) < QUIET:
            raise CannotTransfer(_("a server is using it: stop it, and wait ten seconds"))
        upgrade(target)

    return report_transfer(
        run_transfer(lambda: (database_url(args.source), database_url(args.target)), prepare)
    )


QUIET = 10.0
"""Seconds without a heartbeat after which no server is running."""


async def last_sign(database: str) -> float:
    """The time of the last heartbeat of any server."""
    from chouine.server.store import Store

    async with Store.at(database) as store:
        return float(await store.setting("alive") or 0.0)
