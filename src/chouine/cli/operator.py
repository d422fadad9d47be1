"""Keep order on a server: a link to the keeper's page, and every act of that page; a banner, maintenance."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC, datetime
from gettext import gettext as _
from itertools import chain
from typing import TYPE_CHECKING

from chouine.cli.arguments import bounded_number, from_environment, somebody, storable_text
from chouine.cli.databases import configure_database, database_faults, existing_database

if TYPE_CHECKING:
    from chouine.server.order import KeeperActs

ACTS = ("warn", "rename", "remove", "bar", "settle")
"""The acts on a target that the keeper's page has too."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Print a link that opens the keeper's page for a quarter of an hour, once; or decide here what that page"
        " decides, while the server runs: list words and decisions, warn, rename, remove, bar, settle a report, lift a"
        " bar, make a new member's card for somebody who lost theirs. Or announce a banner or maintenance to all"
        " visitors. The people concerned are told, with the reason."
    )
    parser.add_argument(
        "act",
        nargs="?",
        default="link",
        choices=["link", "list", *ACTS, "lift", "card", "banner", "maintenance", "resume"],
        help=_("what is done (default: link)"),
    )
    parser.add_argument(
        "target",
        nargs="?",
        type=somebody,
        default="",
        metavar=_("TARGET"),
        help=_(
            "what it concerns: the number of a report or a person, words as “list” names them, such as"
            " contest:aB3:0, a match and a seat, such as mXk3:2; for lift the number of the bar"
        ),
    )
    texts = {
        "reason": _("why, for the log and for the person concerned"),
        "name": _("the name or title instead (default: Anonyme and a number)"),
        "fr": _("the banner in French; without a banner the last one ends"),
        "en": _("the banner in English"),
    }
    numbers = {
        "days": (7, 1, 3650, _("days of a bar (default: 7)")),
        "minutes": (30, 1, 100_000, _("minutes that a banner is shown, or maintenance takes (default: 30)")),
        "in": (10, 0, 1440, _("minutes until maintenance begins (default: 10)")),
    }
    for name, what in texts.items():
        parser.add_argument(f"--{name}", type=storable_text, default="", help=what)
    for name, (usual, least, most, what) in numbers.items():
        number = bounded_number(least, most)
        parser.add_argument(f"--{name}", type=number, default=usual, help=what)
    parser.add_argument("--address", action="store_true", help=_("bar the address too"))
    parser.add_argument(
        "--public-url",
        default=from_environment("CHOUINE_PUBLIC_URL"),
        metavar="URL",
        help=_("the site's address (default: CHOUINE_PUBLIC_URL, else port 8000 of this machine)"),
    )
    configure_database(parser)


def run(args: argparse.Namespace) -> int:
    """Do the act, and print what it found."""
    with database_faults(args.database):
        asyncio.run(carry_out(existing_database(args.database), args))
    return 0


async def carry_out(database: str, args: argparse.Namespace) -> None:
    """Do the act on a database. Raises `ChouineError`."""
    from chouine.server.contest.online import Contests
    from chouine.server.heartbeat import steady_clock
    from chouine.server.order import KeeperActs, KeeperDecision
    from chouine.server.store import Store
    from chouine.server.tables import Tables
    from chouine.server.visitors import secrets_of

    async with Store.at(database) as store:
        tables = Tables(store, await steady_clock(store))
        order = KeeperActs(tables, Contests(store, tables.clock), await secrets_of(store))
        if args.act == "link":
            base = args.public_url.rstrip("/") or "http://127.0.0.1:8000"
            print(f"{base}{await order.new_link()}")
        elif args.act == "list":
            await print_words(order)
        elif args.act == "lift":
            await order.lift(args.target, args.reason)
        elif args.act == "card":
            await print_card(order, args)
        elif args.act in ACTS:
            target = await order.target(args.target)
            decision = KeeperDecision(args.act, args.reason, args.name, args.days, args.address)
            await order.decide(target, decision, args.target)
        else:
            await tell(order, args)


async def tell(order: KeeperActs, args: argparse.Namespace) -> None:
    """Announce to all visitors, and log it. Raises `ChouineError` for a banner that is too long or in one language."""
    from chouine.server.notice_board import LONGEST, announce
    from chouine.server.order import OrderRefused

    now, minutes = order.tables.clock(), args.minutes * 60
    if args.act == "banner":
        if bool(args.fr) != bool(args.en) or max(len(args.fr), len(args.en)) > LONGEST:
            raise OrderRefused("order/banner", most=LONGEST)
        await announce(order.tables.store, fr=args.fr, en=args.en, until=now + minutes if args.fr else 0.0)
    elif args.act == "maintenance":
        begins = now + vars(args)["in"] * 60
        await announce(order.tables.store, begins=begins, ends=begins + minutes)
    else:
        await announce(order.tables.store, ends=0.0)
    await order.log(args.act, " / ".join(filter(None, (args.reason, args.fr, args.en))))


async def print_card(order: KeeperActs, args: argparse.Namespace) -> None:
    """Print a new member's card for a person: the address in its code, and its words. Raises `ChouineError`."""
    from chouine.server.accounts.browsers import Browsers
    from chouine.server.accounts.card import text_of, words_of
    from chouine.server.accounts.members import Members
    from chouine.server.accounts.merging import merge_guests
    from chouine.server.order import OrderRefused

    target = await order.target(args.target)
    if not target.guest or not args.reason.strip():
        raise OrderRefused("order/no-reason" if target.guest else "order/nobody", text=args.target[:60])
    members = Members(order.tables, order.contests, Browsers(order.tables))
    guest, secret = await members.issue_card(target.guest)
    base = args.public_url.rstrip("/") or "http://127.0.0.1:8000"
    print(f"{base}/account/card/{text_of(secret)}")
    print(" ".join(words_of(secret, args.language)), flush=True)
    if guest != target.guest:  # now that somebody has the card, without which nobody gets at what is theirs
        await merge_guests(order.tables, order.contests, target.guest, guest)
    await order.log("card", args.reason, guest)


async def print_words(order: KeeperActs) -> None:
    """Print the words that strangers see, and the latest acts, a line each."""
    for target in chain.from_iterable(await order.public_words()):
        print(f"{target} {target.name!r}")
    for row in await order.rulings():
        at, until = (f"{datetime.fromtimestamp(each, UTC):%Y-%m-%d %H:%M}" for each in (row.at, row.until))
        ends = _("until %(day)s") % {"day": f"{until} "} if row.until else ""
        print(f"{row.id} {at} {row.what} {ends}{row.name!r} {row.reason!r} {row.answer!r}")
