"""Measure one player against another: pairs of parties on the same deals, each seat drawing the same cards.

The rate is A's wins of all parties decided, with its 95 % interval; 50 % is a fair share, with any number of seats.
A program that hangs, ends or answers what is not legal loses that partie and is started anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chouine.arena.contest import Contest
from chouine.arena.entrants import known, ready
from chouine.arena.pairs import Duel, Pair
from chouine.arena.score import Sprt
from chouine.arena.workers import Crew, crew, processors
from chouine.cli.language import configure_language
from chouine.cli.texts import complain
from chouine.errors import ChouineError
from chouine.phrases import Language, say
from chouine.rules import Rules

INTERRUPTED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("a", metavar="A", help=known())
    parser.add_argument("b", metavar="B")
    configure_measure(parser)
    parser.add_argument(
        "--sprt",
        metavar=("LOW", "HIGH"),
        nargs=2,
        type=float,
        help="stop once a sequential test tells A better by HIGH, or by no more than LOW, in normalised Elo",
    )
    parser.add_argument("--log", metavar="FILE", type=Path, help="a line a pair; with the same, it goes on")
    parser.add_argument("--save", metavar="FILE", type=Path, help="append every partie to this .cgn file")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    configure_language(parser)


def configure_measure(parser: argparse.ArgumentParser) -> None:
    """Declare what is played, and who plays it."""
    parser.add_argument("--pairs", metavar="N", type=positive, default=1000, help="how many (1000)")
    parser.add_argument("--rules", metavar="TEXT", default="classic", help="such as 'four;head=always'")
    parser.add_argument("--seed", metavar="TEXT", default="0", help="other deals, other chances (0)")
    parser.add_argument(
        "--seconds", metavar="S", type=seconds, help="time for a decision, where one takes time"
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
        raise argparse.ArgumentTypeError(f"a number of seconds, not {text!r}")
    return number


def run(args: argparse.Namespace) -> int:
    """Play and print what came of it; 2 for a wrong call, 130 when interrupted."""
    try:
        contest = contest_of(args)
        done = play(contest, args)
    except (ChouineError, OSError) as fault:
        return complain("duel", fault, args.language, getattr(fault, "filename", None))
    if done:
        print(json.dumps(figures(contest)) if args.json else text_of(contest, args.language))
    return 0 if done else INTERRUPTED


def play(contest: Contest, args: argparse.Namespace) -> bool:
    """Play it out; False when interrupted."""
    try:
        with workers(args) as playing:
            for pair in contest.play(playing):
                tell(pair, contest, args.language)
    except KeyboardInterrupt:
        clear()
        if contest.log is not None:
            kept = say("arena/kept", args.language, pairs=contest.score.pairs, file=contest.log)
            print(kept, file=sys.stderr)
        return False
    clear()
    return True


def contest_of(args: argparse.Namespace) -> Contest:
    """What is wanted; `ChouineError` if it cannot be had."""
    rules = Rules.parse(args.rules)
    for spec in (args.a, args.b):
        ready(spec, rules, args.seconds)
    sprt = None
    if args.sprt:
        sprt = Sprt(*args.sprt)
        if not sprt.low < sprt.high:
            raise ChouineError("arena/sprt", low=sprt.low, high=sprt.high)
    duel = Duel(args.a, args.b, str(rules), args.seed, args.seconds, recorded=args.save is not None)
    return Contest(duel, args.pairs, sprt, args.log, args.save)


@contextmanager
def workers(args: argparse.Namespace) -> Iterator[Crew]:
    """Those who play."""
    many = args.workers or min(processors(), args.pairs)
    with crew(many, args.ray) as playing:
        yield playing


def tell(pair: Pair, contest: Contest, language: Language) -> None:
    """Where the duel stands, on a terminal, and a player's first fault."""
    for side, name in (("a", contest.duel.a), ("b", contest.duel.b)):
        faults = [fault for fault in pair.faults if fault.side == side]
        if faults and len(faults) == contest.score.faults[side]:
            what = say(faults[0].code, language, **faults[0].data)
            clear()
            told = say("arena/fault", language, player=name, pair=pair.number, what=what, line=faults[0].line)
            print(told, file=sys.stderr)
    if sys.stderr.isatty():
        done = say(
            "arena/progress", language, pairs=contest.score.pairs, all=contest.pairs, rate=rate_text(contest)
        )
        print(f"\r{done}\x1b[K", end="", file=sys.stderr, flush=True)


def clear() -> None:
    """Take the progress away."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def figures(contest: Contest) -> dict[str, object]:
    """What came of it, for programs."""
    score = contest.score
    low, high = score.interval
    a, b = contest.seconds
    told: dict[str, object] = {
        "pairs": score.pairs,
        "wins": score.wins,
        "losses": score.losses,
        "nulles": score.nulles,
        "rate": None if score.rate is None else round(score.rate, 5),
        "low": round(low, 5),
        "high": round(high, 5),
        "seconds_a": round(a, 7),
        "seconds_b": round(b, 7),
    }
    if contest.sprt is not None:
        told |= {"ratio": round(contest.sprt.ratio(score.tally), 3), "verdict": contest.verdict}
    return told


def text_of(contest: Contest, language: Language) -> str:
    """What came of it, for people."""
    score, names = contest.score, {"a": contest.duel.a, "b": contest.duel.b}
    low, high = score.interval
    spread = ", ".join(f"{share:.3g}: {many}" for share, many in sorted(score.shares.items()))
    times = {"seconds_a": f"{1e3 * contest.seconds[0]:.3f}", "seconds_b": f"{1e3 * contest.seconds[1]:.3f}"}
    parties = score.wins + score.losses + score.nulles
    lines = [
        say("arena/rate", language, **names, rate=rate_text(contest), low=per_cent(low), high=per_cent(high)),
        say(
            "arena/tally",
            language,
            pairs=score.pairs,
            parties=parties,
            wins=score.wins,
            losses=score.losses,
            nulles=score.nulles,
        ),
        say("arena/spread", language, spread=spread),
        say("arena/time", language, **names, **times),
    ]
    if score.faults:
        faults = {"faults_a": score.faults["a"], "faults_b": score.faults["b"]}
        lines.append(say("arena/faults", language, **names, **faults))
    if contest.sprt is not None:
        lines.append(sprt_text(contest.sprt, contest, language))
    return "\n".join(lines)


def sprt_text(sprt: Sprt, contest: Contest, language: Language) -> str:
    """How the sequential test ended."""
    ratio = f"{sprt.ratio(contest.score.tally):.2f}"
    code = f"arena/{contest.verdict or 'undecided'}"
    return say(code, language, low=f"{sprt.low:g}", high=f"{sprt.high:g}", ratio=ratio)


def rate_text(contest: Contest) -> str:
    return "-" if contest.score.rate is None else per_cent(contest.score.rate)


def per_cent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
