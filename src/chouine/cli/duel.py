"""Measure one player against another: pairs of parties on the same deals, each seat drawing the same cards.

The rate is A's wins of all parties decided, with its 95 % interval; 50 % is a fair share, with any number of seats.
A program that hangs, ends or answers what is not legal loses that partie and is started anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from chouine.arena.contest import Contest
from chouine.arena.entrants import known
from chouine.arena.score import Sprt, mean_of
from chouine.cli.language import configure_language
from chouine.cli.measuring import (
    INTERRUPTED,
    clear,
    configure_measure,
    rates,
    tell,
    wanted,
    workers,
)
from chouine.cli.reasoning import percent
from chouine.cli.texts import complain
from chouine.errors import ChouineError
from chouine.phrases import Language, say


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
    parser.add_argument(
        "--luck", action="store_true", help="also A's share of all parties less what the cards brought it"
    )
    parser.add_argument("--log", metavar="FILE", type=Path, help="a line a pair; with the same, it goes on")
    parser.add_argument("--save", metavar="FILE", type=Path, help="append every partie to this .cgn file")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Play and print what came of it; 2 for a wrong call, 130 when interrupted."""
    try:
        contest = contest_of(args)
        done = play(contest, args)
    except (ChouineError, OSError) as fault:
        return complain("duel", fault, args.language, getattr(fault, "filename", None))
    if done:
        print(json.dumps(contest.figures()) if args.json else text_of(contest, args.language))
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
    sprt = None
    if args.sprt:
        sprt = Sprt(*args.sprt)
        if not sprt.low < sprt.high:
            raise ChouineError("arena/sprt", low=sprt.low, high=sprt.high)
    duel = wanted(args, args.a, args.b)
    duel = replace(duel, recorded=args.save is not None, luck=args.luck)
    return Contest(duel, args.pairs, sprt, args.log, args.save)


def text_of(contest: Contest, language: Language) -> str:
    """What came of it, for people."""
    score, names = contest.score, {"a": contest.duel.a, "b": contest.duel.b}
    spread = ", ".join(f"{share:.3g}: {many}" for share, many in sorted(score.shares.items()))
    times = {"seconds_a": f"{1e3 * contest.seconds[0]:.3f}", "seconds_b": f"{1e3 * contest.seconds[1]:.3f}"}
    parties = score.wins + score.losses + score.nulles
    lines = [
        say("arena/rate", language, **names, **rates(contest, language)),
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
    if contest.duel.luck:
        share, low, high = (percent(each, language) for each in mean_of(contest.adjusted))
        lines.append(say("arena/adjusted", language, **names, share=share, low=low, high=high))
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
