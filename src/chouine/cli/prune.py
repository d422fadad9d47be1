"""List the tables of a server's database that need not be kept; with --delete remove them.

By default only tables of computers alone go, a week after their last move: nothing in anybody's list of matches.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections import Counter
from datetime import UTC, datetime
from gettext import gettext as _
from typing import TYPE_CHECKING

from chouine.cli.serve import CannotOpen, configure_database, existing_database, lacking

if TYPE_CHECKING:
    from chouine.server.retention import RetentionDays


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = _(
        "List the tables of a server's database that need not be kept, and with --delete remove them. By default "
        "these are tables of computers alone, a week after their last move: nothing that anybody has in a list."
    )
    configure_database(parser)
    days = {
        "nobodys": (os.environ.get("CHOUINE_KEEP_NOBODYS", "7"), _("days to keep tables of computers alone")),
        "abandoned": (
            os.environ.get("CHOUINE_KEEP_ABANDONED", ""),
            _("days to keep people's matches where nothing happens any more"),
        ),
        "finished": (
            os.environ.get("CHOUINE_KEEP_FINISHED", ""),
            _("days to keep people's finished matches"),
        ),
    }
    for name, (default, what) in days.items():
        named = {"what": what, "variable": f"CHOUINE_KEEP_{name.upper()}", "here": default or _("for ever")}
        parser.add_argument(
            f"--{name}",
            type=number,
            default=default,
            metavar=_("DAYS"),
            help=_("%(what)s, after the last move; empty: for ever (default: %(variable)s, here %(here)s)")
            % named,
        )
    parser.add_argument(
        "--quota",
        type=whole,
        default=os.environ.get("CHOUINE_KEEP_QUOTA", ""),
        metavar=_("TABLES"),
        help=_(
            "number of tables to keep for each visitor who set them up (default: CHOUINE_KEEP_QUOTA, else all)"
        ),
    )
    parser.add_argument(
        "--delete", action="store_true", help=_("remove the tables; without this they are only listed")
    )


def number(text: str) -> float | None:
    """A number from 0, or `none`, for argparse."""
    if not text:
        return None
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def whole(text: str) -> int | None:
    """As `number`, for whole ones."""
    value = number(text)
    if value is not None and value != int(value):
        raise ValueError
    return None if value is None else int(value)


def run(args: argparse.Namespace) -> int:
    """Print each table, the day of its last entry, and why it may go."""
    try:
        from chouine.server.database import Damaged, Unreachable
        from chouine.server.retention import RetentionDays
    except ModuleNotFoundError as missing:
        return lacking("prune", missing)
    keep = RetentionDays(args.nobodys, args.abandoned, args.finished, args.quota)
    try:
        asyncio.run(pruned(existing_database(args.database), keep, delete=args.delete))
    except (CannotOpen, Damaged, Unreachable) as error:
        why = _("cannot open the database: %(why)s") % {"why": error}
        print(f"chouine prune: {why}", file=sys.stderr)
        return 2
    return 0


async def pruned(database: str, keep: RetentionDays, *, delete: bool) -> None:
    from chouine.server.retention import going, remove
    from chouine.server.store import Store

    store = Store.at(database)
    try:
        found = await going(store, keep)
        for table in found:
            day = datetime.fromtimestamp(table.last, UTC).date()
            print(f"{table.game} {table.why} {day} {table.entries}")
        if delete:
            await remove(store, found)
    finally:
        await store.close()
    reasons = Counter(table.why for table in found)
    numbers = {
        "tables": len(found),
        "why": ", ".join(f"{why} {times}" for why, times in sorted(reasons.items())) or _("none"),
        "entries": sum(table.entries for table in found),
    }
    if delete:
        print(_("removed: tables %(tables)s (%(why)s), entries %(entries)s") % numbers)
    else:
        print(
            _("to be removed: tables %(tables)s (%(why)s), entries %(entries)s; --delete removes them")
            % numbers
        )
