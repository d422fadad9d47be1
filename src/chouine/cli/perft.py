"""Count the action sequences of a given length from a partie line; a declaration and its card are one action."""

from __future__ import annotations

import argparse
from gettext import gettext as _

from chouine.cli.arguments import bounded_number
from chouine.notation.lines import read_state
from chouine.partie.deal import drawing_order
from chouine.rules.perft import perft

DEEPEST = 99
"""More actions than any partie has."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Count the sequences of a given number of actions from a partie line. A declaration and its "
        "card are one action."
    )
    parser.add_argument(
        "line", metavar=_("PARTIE-LINE"), help=_("'rules dealer hands turnup talon : actions'")
    )
    parser.add_argument("depth", metavar=_("DEPTH"), type=depth, help=_("how many actions deep"))
    parser.add_argument(
        "--divide", action="store_true", help=_("also print the count after each first action")
    )


def depth(text: str) -> int:
    """A number of actions, for argparse."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(_("a number of actions, not “%(text)s”") % {"text": text})
    return bounded_number(0, DEEPEST)(text)


def run(args: argparse.Namespace) -> int:
    """Print the count. Exit code 2 for an unreadable line."""
    state = read_state(args.line)
    talon = drawing_order(state.deal.talon)
    if args.divide and args.depth:
        for action in state.legal():
            print(action, perft(state.rule_table, talon, state.play(action).position, args.depth - 1))
    print(perft(state.rule_table, talon, state.position, args.depth))
    return 0
