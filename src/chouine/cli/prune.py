"""List what a server's database need not keep; with --delete remove it."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections import Counter
from datetime import UTC, date, datetime
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING

from chouine.cli.arguments import any_number
from chouine.cli.copies import clear_copies
from chouine.cli.databases import configure_database, database_faults, existing_database
from chouine.cli.texts import CannotRun
from chouine.days import day_of
from chouine.server.keeping import kept_text

if TYPE_CHECKING:
    from chouine.server.retention import RetentionDays


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "List what a server's database need not keep, and with --delete remove it. By default these are tables of "
        "computers alone, a week after their last move, browsers that have not come for 400 days, and waits and "
        "e-mail addresses without an answer: nothing that anybody has in a list."
    )
    configure_database(parser)
    days = {
        "nobodys": _("days to keep tables of computers alone, after the last move"),
        "abandoned": _("days to keep people's matches where nothing happens, after the last move"),
        "finished": _("days to keep people's finished matches, after the last move"),
        "sessions": _("days to keep the settings and progress of a browser that does not come back"),
        "browsers": _("days to keep browsers signed in to an account that do not come back"),
        "members": _("days to keep accounts of which no browser comes back"),
        "passages": _("days to keep links sent by e-mail that sign in, which work for half an hour"),
        "formers": _("days to keep which guest became which, so that copies can be cleared of them"),
        "contests": _("days to keep contests with their names, from the announcement"),
        "names": _("days to keep the names of those who entered contests, from the announcement"),
        "waits": _("days to keep searches for a partner, after the last sign of life"),
        "blocks": _("days to keep whom a player does not want to meet"),
        "reports": _("days to keep reports"),
        "rulings": _("days to keep what the keeper decided, and bars from their end"),
        "pushes": _("days to keep browsers' subscriptions to notifications"),
        "letters": _("days to keep e-mail addresses"),
        "unanswered": _("days to keep e-mail addresses that nobody confirmed"),
        "dailies": _("days to keep what players made of the deals of the day"),
        "listings": _(
            "days to keep the names of those who are listed in the tables of the day, from their choice"
        ),
        "ratings": _("days to keep what rated matches changed, from their end"),
        "tallies": _("days to keep what matches count in their players' statistics, from their end"),
        "showings": _("days to keep what a player lets others see, after the choice"),
        "reminders": _("days to keep the hour at which a player wishes to be reminded, after the choice"),
        "holidays": _("days to keep holidays from slow matches, after their end"),
        "prepared": _("days to keep acts prepared for another's card"),
        "imports": _("days to keep parties that were brought as files"),
        "classes": _("days to keep teachers' classes with their first names, after 31 July"),
        "erasures": _("days to keep who was erased, so that copies can be cleared of them"),
        "tokens": _("days to keep tokens of programs, after their last use"),
        "bots": _("days to keep which visitors are programs, after they last played"),
        "people": _("days to keep what others see of a person, since they last used it"),
        "friends": _("days to keep friends, since one of the two last used their page"),
        "asks": _("days to keep requests to be friends; as long nobody can ask the same person again"),
        "challenges": _("days to keep challenges with their answers"),
    }
    for name, what in days.items():
        default = kept_text(name)
        named = {"what": what, "here": default or _("for ever")}
        parser.add_argument(
            f"--{name}",
            type=number,
            default=default,
            metavar=_("DAYS"),
            help=_("%(what)s; empty: for ever (default here: %(here)s)") % named,
        )
    parser.add_argument(
        "--quota",
        type=whole_number,
        default=os.environ.get("CHOUINE_KEEP_QUOTA", ""),
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
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(_("a number from 0, not “%(text)s”") % {"text": text})
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
    copies = Path(args.copies) if args.copies and args.delete else None
    if copies and not copies.is_dir():
        raise CannotRun(_("there is no folder %(folder)s") % {"folder": copies})
    with database_faults():
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
