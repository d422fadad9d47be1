"""List what a server's database need not keep; with --delete remove it."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from datetime import UTC, date, datetime
from gettext import gettext as _
from typing import TYPE_CHECKING

from chouine.cli.arguments import MOST_ITEMS, any_number, from_environment
from chouine.cli.databases import configure_database, database_faults, existing_database
from chouine.cli.erase import clear_copies, folder_of_copies
from chouine.days import day_of
from chouine.server.keeping import AGES, kept_text

if TYPE_CHECKING:
    from chouine.server.retention import RetentionDays


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "List what a server's database need not keep, and with --delete remove it. By default these are tables of "
        "computers alone, a week after their last move, browsers that have not come for 400 days, and waits and "
        "e-mail addresses without an answer: nothing that anybody has in a list."
    )
    configure_database(parser)
    for each in AGES:
        default = from_environment(f"CHOUINE_KEEP_{each.kind.upper()}", kept_text(each.kind))
        named = {"what": _(each.says), "here": default or _("for ever")}
        parser.add_argument(
            f"--{each.kind}",
            type=number,
            default=default,
            metavar=_("DAYS"),
            help=_("%(what)s; empty: for ever (default here: %(here)s)") % named,
        )
    parser.add_argument(
        "--quota",
        type=whole_number,
        default=from_environment("CHOUINE_KEEP_QUOTA"),
        metavar=_("TABLES"),
        help=_(
            "number of tables to keep for each visitor who set them up (default: CHOUINE_KEEP_QUOTA, else all)"
        ),
    )
    parser.add_argument(
        "--copies",
        metavar=_("FOLDER"),
        help=_("with --delete: also erase from the backups in this folder whoever was erased since"),
    )
    parser.add_argument(
        "--delete", action="store_true", help=_("remove what is listed; without this it is only listed")
    )


def number(text: str) -> float | None:
    """A number from 0, or None for an empty text, for argparse."""
    if not text:
        return None
    value = any_number(text)
    if value < 0:
        raise argparse.ArgumentTypeError(_("a number from 0, not “%(text)s”") % {"text": text})
    if value > MOST_ITEMS:
        said = {"least": 0, "most": MOST_ITEMS, "text": text}
        raise argparse.ArgumentTypeError(_("a number from %(least)s to %(most)s, not “%(text)s”") % said)
    return value


def whole_number(text: str) -> int | None:
    """A whole number from 0, or None for an empty text, for argparse."""
    value = number(text)
    if value is not None and value != int(value):
        raise argparse.ArgumentTypeError(_("a whole number, not “%(text)s”") % {"text": text})
    return None if value is None else int(value)


def run(args: argparse.Namespace) -> int:
    """Print each table, the day of its last entry, and why it may go; of other records each kind, and how many."""
    from chouine.server.retention import RECORDS, RetentionDays

    records = {name: getattr(args, name) for name in RECORDS}
    keep = RetentionDays(args.nobodys, args.abandoned, args.finished, args.quota, records)
    copies = folder_of_copies(args.copies) if args.copies and args.delete else None
    with database_faults(args.database):
        database = existing_database(args.database)
        asyncio.run(prune(database, keep, delete=args.delete))
        return clear_copies(database, copies) if copies else 0


def day_in(at: float) -> date:
    """The day of a time in seconds since 1970, by this machine's clock."""
    return day_of(datetime.fromtimestamp(at, UTC), None)


async def prune(database: str, keep: RetentionDays, *, delete: bool) -> None:
    from chouine.server.contest.online import Contests
    from chouine.server.erasure import erase_again, finish_erasures
    from chouine.server.retention import count_aged, going_tables, remove, remove_aged
    from chouine.server.store import Store
    from chouine.server.tables import Tables

    async with Store.at(database) as store:
        found, records = await going_tables(store, keep), await count_aged(store, keep)
        for table in found:
            print(f"{table.table_id} {table.why} {day_in(table.last)} {table.entries}")
        for kind, (many, oldest) in records.items():
            print(f"{kind} {many} {day_in(oldest)}")
        if delete:
            await remove(store, found)
            await remove_aged(store, keep)
            tables = Tables(store)
            if finished := await finish_erasures(tables, Contests(store, tables.clock), ()):
                print(_("interrupted erasures that are now done: %(count)s") % {"count": finished})
            await erase_again(store)
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
