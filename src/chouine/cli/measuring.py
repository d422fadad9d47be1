"""Shared by the commands that measure players: arguments, progress."""

from __future__ import annotations

import argparse
import sys
from gettext import gettext as _

from chouine.ai.explanations import percent
from chouine.arena.duel import DuelRun
from chouine.arena.pairs import Pair
from chouine.cli.arguments import configure_rules, named_like, positive_number, seconds
from chouine.cli.long_jobs import configure_workers
from chouine.errors import ChouineError
from chouine.jobs import clear
from chouine.phrases import Language, say
from chouine.registry import displayed_name
from chouine.rules import Rules


def configure_measure(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """Declare the arguments common to measurements: rules, pairs, seed unless it is always a secret one, processes."""
    parser.add_argument(
        "--pairs", metavar="N", type=positive_number, default=1000, help=_("number of pairs (default: 1000)")
    )
    configure_rules(parser)
    if seed:
        parser.add_argument(
            "--seed",
            metavar=_("TEXT"),
            default="0",
            help=_("seed of the deals and of all other chance (default: 0)"),
        )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=seconds,
        help=_(
            "seconds for a decision; a player that takes 2 s more loses the partie (default: 1 for a program, no limit "
            "for others)"
        ),
    )
    configure_workers(parser)


def configure_plot(parser: argparse.ArgumentParser) -> None:
    """Declare the argument for a plot."""
    parser.add_argument(
        "--plot",
        metavar=_("FILE"),
        type=named_like(".svg"),
        help=_("also draw the result, as SVG, in this file"),
    )


def players_by_name(args: argparse.Namespace, *players: str) -> dict[str, str]:
    """The players by their displayed names. Raises `ChouineError` if one is unavailable or two share a name."""
    rules = Rules.parse(args.rules)
    called = {displayed_name(spec, rules, args.seconds): spec for spec in players}
    if len(called) < len(players):
        raise ChouineError("arena/pool")
    return called


def tell(pair: Pair, contest: DuelRun, language: Language) -> None:
    """Report a player's first fault on standard error."""
    for side, name in zip("ab", contest.duel.told_apart, strict=True):
        faults = [fault for fault in pair.faults if fault.side == side]
        if faults and len(faults) == contest.score.faults[side]:
            what = say(faults[0].code, language, **faults[0].data)
            clear()
            line = say("arena/fault", language, player=name, pair=pair.number, what=what, line=faults[0].line)
            print(line, file=sys.stderr)


def score_text(contest: DuelRun, language: Language) -> str:
    """The duel's score so far."""
    names = dict(zip("ab", contest.duel.told_apart, strict=True))
    return say("arena/rate", language, **names, **rates(contest, language))


def rates(contest: DuelRun, language: Language) -> dict[str, str]:
    """A's rate and its interval, in words."""
    low, high = contest.score.interval
    rate = contest.score.rate
    return {
        "rate": "-" if rate is None else percent(rate, language),
        "low": percent(low, language),
        "high": percent(high, language),
    }
