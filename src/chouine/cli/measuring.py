"""What the commands that measure players have in common: what is played, by whom, and how it goes."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager

from chouine.arena.contest import Contest
from chouine.arena.entrants import ready
from chouine.arena.pairs import Duel, Pair
from chouine.arena.workers import Crew, crew, processors
from chouine.cli.reasoning import percent
from chouine.phrases import Language, say
from chouine.rules import Rules

INTERRUPTED = 130


def configure_measure(parser: argparse.ArgumentParser) -> None:
    """Declare what is played, and who plays it."""
    parser.add_argument("--pairs", metavar="N", type=positive, default=1000, help="how many (1000)")
    parser.add_argument("--rules", metavar="TEXT", default="classic", help="such as 'four;head=always'")
    parser.add_argument("--seed", metavar="TEXT", default="0", help="other deals, other chances (0)")
    parser.add_argument(
        "--seconds", metavar="S", type=seconds, help="time for a decision, for those that take time"
    )
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--workers", metavar="W", type=positive, help="processes (one a processor)")
    who.add_argument("--ray", metavar="ADDRESS", help="the workers of a Ray cluster instead")


def positive(text: str) -> int:
    """How many."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"a number from 1, not {text!r}")
    return int(text)


def seconds(text: str) -> float:
    """How long."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"a number of seconds, more than 0, not {text!r}")
    return number


def wanted(args: argparse.Namespace, *players: str) -> Duel:
    """The duel of the first player and the last that the arguments ask for; `ChouineError` if any cannot be had."""
    rules = Rules.parse(args.rules)
    for spec in players:
        ready(spec, rules, args.seconds)
    return Duel(players[0], players[-1], str(rules), args.seed, args.seconds)


def workers(args: argparse.Namespace) -> AbstractContextManager[Crew]:
    """Those who play."""
    return crew(args.workers or min(processors(), args.pairs), args.ray)


def tell(pair: Pair, contest: Contest, language: Language) -> None:
    """A player's first fault, and where the duel stands."""
    for side, name in (("a", contest.duel.a), ("b", contest.duel.b)):
        faults = [fault for fault in pair.faults if fault.side == side]
        if faults and len(faults) == contest.score.faults[side]:
            what = say(faults[0].code, language, **faults[0].data)
            clear()
            told = say("arena/fault", language, player=name, pair=pair.number, what=what, line=faults[0].line)
            print(told, file=sys.stderr)
    if sys.stderr.isatty():
        names = {"a": contest.duel.a, "b": contest.duel.b}
        done = say("arena/rate", language, **names, **rates(contest, language))
        print(f"\r{contest.score.pairs}/{contest.pairs} {done}\x1b[K", end="", file=sys.stderr, flush=True)


def clear() -> None:
    """Take the progress away."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def rates(contest: Contest, language: Language) -> dict[str, str]:
    """A's rate and its interval, in words."""
    low, high = contest.score.interval
    rate = contest.score.rate
    return {
        "rate": "-" if rate is None else percent(rate, language),
        "low": percent(low, language),
        "high": percent(high, language),
    }
