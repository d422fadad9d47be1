"""La donne du jour: make the seed of its deals and publish their digests, or let a player play its days."""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from gettext import gettext as _
from pathlib import Path

from chouine.cli.arguments import positive_number
from chouine.cli.texts import open_text, write_utf8
from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.files import is_stream, write_new
from chouine.phrases.naming import decimal, score_of

REHEARSAL = b"rehearsal"
"""The seed without a file: its days are nobody's."""
SHORTEST = 32
"""Fewest characters of a seed: fewer could be guessed."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _("The deal of the day: three parties a day, the same for everybody.")
    commands = parser.add_subparsers(dest="what", required=True)
    make = commands.add_parser(
        "make",
        help=_("make a secret seed unless it is there, and print the digest of each day, to be published"),
    )
    make.add_argument("seed", metavar=_("FILE"), type=Path, help=_("file of the secret seed"))
    simulate = commands.add_parser("simulate", help=_("let a player play days, and say what it gave away"))
    simulate.add_argument("player", metavar=_("PLAYER"), help=_("the player, such as level:3"))
    simulate.add_argument(
        "--seed", metavar=_("FILE"), type=Path, help=_("file of the secret seed (default: days of rehearsal)")
    )
    simulate.add_argument(
        "--json", action="store_true", help=_("print a JSON line a day, with deals and acts")
    )
    for command in (make, simulate):
        command.add_argument(
            "--from",
            dest="first",
            metavar=_("DATE"),
            type=read_date,
            default=day_of(datetime.now(UTC), None),
            help=_("the first day, such as 2027-03-07 (default: today)"),
        )
        command.add_argument(
            "--days", metavar="N", type=positive_number, default=1, help=_("number of days (default: 1)")
        )


def read_date(text: str) -> date:
    """A date. Raises `ArgumentTypeError`."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_("a date is written as 2027-03-07")) from None


def run(args: argparse.Namespace) -> int:
    """Run the subcommand. Exit code: 0 done, 2 invalid arguments."""
    write_utf8()
    return {"make": make, "simulate": simulate}[args.what](args)


def make(args: argparse.Namespace) -> int:
    """Print each day's digest as a JSON line; the seed's file is made if it does not exist."""
    from chouine.daily import Day

    dates = dates_of(args)
    if not args.seed.exists():
        write_new(args.seed, f"{secrets.token_hex(SHORTEST)}\n".encode())
    seed = read_seed(args.seed)
    for one in dates:
        day = Day.of(seed, one)
        print(json.dumps({"date": str(day.day), "rules": str(day.rules), "digest": day.digest}))
    return 0


def simulate(args: argparse.Namespace) -> int:
    """Let the player play each day."""
    from chouine.daily import Day, play_day
    from chouine.notation.lines import partie_line
    from chouine.partie import State
    from chouine.players.base import close
    from chouine.registry import player_of

    seed = REHEARSAL if args.seed is None else read_seed(args.seed)
    for one in dates_of(args):
        day = Day.of(seed, one)
        players = [player_of(args.player, day.rules, one.toordinal() + nth) for nth in range(len(day.deals))]
        try:
            played = play_day(day, players)
        finally:
            for player in players:
                close(player)
        if args.json:
            found = {
                "date": str(day.day),
                "rules": str(day.rules),
                "digest": day.digest,
                "nonce": day.nonce,
                "deals": [partie_line(State.new(day.rules, deal)) for deal in day.deals],
                "acts": played.acts,
                "points": played.points,
                "cost": round(played.cost, 4),
            }
            print(json.dumps(found), flush=True)
        else:
            scores = ", ".join(score_of(points, "") for points in played.points)
            cost = decimal(round(100 * played.cost), args.language)
            print(f"{day.day} {day.rules}: {scores}; {cost}", flush=True)
    return 0


def dates_of(args: argparse.Namespace) -> Iterator[date]:
    """The days asked for. Raises `ChouineError` if there is no such day."""
    if args.days > (date.max - args.first).days + 1:
        raise ChouineError("daily/too-late", last=str(date.max))
    return (args.first + timedelta(nth) for nth in range(args.days))


def read_seed(path: Path) -> bytes:
    """The seed in a file. Raises `ChouineError` for one that could be guessed, and for what is no file."""
    if is_stream(path):
        raise ChouineError("file/not-a-file", file=path)
    with open_text(str(path)) as file:
        text = file.read().strip()
    if len(text) < SHORTEST:
        raise ChouineError("daily/short-seed", file=str(path), least=SHORTEST)
    return text.encode()
