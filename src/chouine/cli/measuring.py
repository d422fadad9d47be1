"""Shared by the commands that measure players: arguments, executor, progress."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from gettext import gettext as _

from chouine.ai.explanations import percent
from chouine.arena.duel import DuelRun
from chouine.arena.executors import Crew, crew, processors
from chouine.arena.pairs import Pair
from chouine.errors import ChouineError
from chouine.phrases import Language, say
from chouine.registry import ready
from chouine.rules import Rules

INTERRUPTED = 130
MOST_SECONDS = 1_000_000
"""Below this a time limit must be."""


def configure_measure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments common to measurements: rules, pairs, seed, processes."""
    parser.add_argument(
        "--pairs", metavar="N", type=positive, default=1000, help=_("number of pairs (default: 1000)")
    )
    parser.add_argument(
        "--rules",
        metavar=_("TEXT"),
        default="classic",
        help=_("rules, such as 'classic;head=always' (default: classic)"),
    )
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
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--workers", metavar="W", type=positive, help=_("processes (default: one for each processor)")
    )
    who.add_argument(
        "--ray", metavar=_("ADDRESS"), help=_("address of a Ray cluster whose workers play instead")
    )


def positive(text: str) -> int:
    """A positive whole number, for argparse."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(_("a whole number from 1, not “%(text)s”") % {"text": text})
    return int(text)


def seconds(text: str) -> float:
    """A positive number of seconds, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < MOST_SECONDS:
        said = {"text": text, "most": MOST_SECONDS}
        raise argparse.ArgumentTypeError(
            _("a number of seconds above 0 and below %(most)s, not “%(text)s”") % said
        )
    return number


def players_by_name(args: argparse.Namespace, *players: str) -> dict[str, str]:
    """The players by their displayed names. Raises `ChouineError` if one is unavailable or two share a name."""
    rules = Rules.parse(args.rules)
    called = {ready(spec, rules, args.seconds): spec for spec in players}
    if len(called) < len(players):
        raise ChouineError("arena/pool")
    return called


@contextmanager
def workers(args: argparse.Namespace) -> Iterator[Crew]:
    """The executor. SIGTERM interrupts like SIGINT."""
    with suppress(ValueError):  # not in the main thread, where alone handlers can be set
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # A shell starts background jobs with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with crew(args.workers or min(processors(), args.pairs), args.ray) as playing:
        yield playing


def tell(pair: Pair, contest: DuelRun, language: Language) -> None:
    """Report a player's first fault and the duel's score so far on standard error."""
    for side, name in zip("ab", contest.duel.told_apart, strict=True):
        faults = [fault for fault in pair.faults if fault.side == side]
        if faults and len(faults) == contest.score.faults[side]:
            what = say(faults[0].code, language, **faults[0].data)
            clear()
            line = say("arena/fault", language, player=name, pair=pair.number, what=what, line=faults[0].line)
            print(line, file=sys.stderr)
    if sys.stderr.isatty():
        names = dict(zip("ab", contest.duel.told_apart, strict=True))
        done = say("arena/rate", language, **names, **rates(contest, language))
        print(f"\r{contest.score.pairs}/{contest.pairs} {done}\x1b[K", end="", file=sys.stderr, flush=True)


def clear() -> None:
    """Clear the progress line."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def rates(contest: DuelRun, language: Language) -> dict[str, str]:
    """A's rate and its interval, in words."""
    low, high = contest.score.interval
    rate = contest.score.rate
    return {
        "rate": "-" if rate is None else percent(rate, language),
        "low": percent(low, language),
        "high": percent(high, language),
    }
