"""Deal at random: prints the head of a partie line, to be continued."""

from __future__ import annotations

import argparse
from gettext import gettext as _
from random import Random, SystemRandom

from chouine.cli.arguments import configure_rules
from chouine.notation.lines import partie_line
from chouine.notation.tokens import read_seat
from chouine.partie import Deal, State
from chouine.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Deal at random and print the start of a partie line.")
    configure_rules(parser)
    parser.add_argument(
        "--dealer", metavar=_("SEAT"), help=_("the dealer: a, b, c or d (default: at random)")
    )
    parser.add_argument("--seed", metavar=_("TEXT"), help=_("the same text gives the same deal"))


def run(args: argparse.Namespace) -> int:
    """Print the line. Exit code 2 for invalid rules or dealer."""
    rng = SystemRandom() if args.seed is None else Random(args.seed)
    rules = Rules.parse(args.rules)
    dealer = rng.randrange(rules.seats) if args.dealer is None else read_seat(args.dealer)
    print(partie_line(State.new(rules, Deal.random(rules, dealer, rng))))
    return 0
