"""Deal at random: the head of a partie line, to be played on."""

from __future__ import annotations

import argparse
from random import Random, SystemRandom

from chouine.cli.language import configure_language
from chouine.cli.texts import complain
from chouine.errors import ChouineError
from chouine.notation.lines import partie_line
from chouine.notation.tokens import read_seat
from chouine.partie import Deal, State
from chouine.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--rules", metavar="TEXT", default="classic", help="such as 'classic;head=always'")
    parser.add_argument("--dealer", metavar="SEAT", help="a, b, c or d (default: any)")
    parser.add_argument("--seed", metavar="TEXT", help="deal the same again")
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Print the line; 2 for rules or a dealer that do not exist."""
    rng = SystemRandom() if args.seed is None else Random(args.seed)
    try:
        rules = Rules.parse(args.rules)
        dealer = rng.randrange(rules.seats) if args.dealer is None else read_seat(args.dealer)
        state = State.new(rules, Deal.random(rules, dealer, rng))
    except ChouineError as error:
        return complain("deal", error, args.language)
    print(partie_line(state))
    return 0
