"""Measure one player against another: pairs of parties on the same deals, each seat drawing the same cards.

The rate is A's share of the decided parties, with its 95 % interval; equal players have 50 %, with any number of
seats. A program that hangs, exits or answers illegally loses that partie and is restarted; a class of the user's that
raises or acts illegally loses that partie.
"""

from __future__ import annotations

import argparse
import json
import sys
from gettext import gettext as _
from pathlib import Path
from secrets import token_hex

from chouine.ai.explanations import percent
from chouine.arena.duel import DuelLog, DuelRun
from chouine.arena.pairs import Duel
from chouine.arena.score import Sprt, mean_of
from chouine.cli.arguments import seconds
from chouine.cli.long_jobs import workers
from chouine.cli.measuring import configure_measure, configure_plot, score_text, tell
from chouine.cli.texts import INTERRUPTED, check_apart, check_writable
from chouine.contest.draw import commit
from chouine.errors import ChouineError
from chouine.jobs import Progress, clear
from chouine.phrases import Language, say
from chouine.registry import displayed_name, player_names
from chouine.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Measure one player against another in pairs of parties: the same deal in both seats, each "
        "seat drawing the same cards. The rate is A's share of the decided parties, with its "
        "confidence interval (95 %). A fair share is 50 %, with any number of seats. A program that "
        "hangs, stops or plays an illegal action loses that partie and is started again; a class of "
        "yours that raises an error or plays an illegal action loses that partie."
    )
    parser.add_argument("a", metavar="A", help=", ".join(player_names()))
    parser.add_argument("b", metavar="B")
    configure_measure(parser)
    for side in "ab":
        parser.add_argument(
            f"--seconds-{side}",
            metavar="S",
            type=seconds,
            help=_("seconds for a decision of player %(side)s, instead of --seconds")
            % {"side": side.upper()},
        )
    parser.add_argument(
        "--sprt",
        metavar=(_("LOW"), _("HIGH")),
        nargs=2,
        type=float,
        help=_(
            "stop once a sequential test accepts that A is better by HIGH, or by no more than LOW, in normalised Elo"
        ),
    )
    parser.add_argument(
        "--secret",
        action="store_true",
        help=_("deal from a secret seed, of which the digest is printed before and the seed after"),
    )
    parser.add_argument(
        "--luck",
        action="store_true",
        help=_("also print A's share of all parties with the luck of the cards taken out"),
    )
    parser.add_argument(
        "--log",
        metavar=_("FILE"),
        type=Path,
        help=_(
            "log, one line for each pair; run again with the same log, the duel goes on. The players' names, the "
            "rules, the seed, the times and the version of Chouine must be the same: a new version of a program "
            "needs a new `id name`"
        ),
    )
    parser.add_argument(
        "--save", metavar=_("FILE"), type=Path, help=_("append every partie to this .cgn file")
    )
    configure_plot(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace) -> int:
    """Play and print the result. Exit code: 2 for invalid arguments, 130 when interrupted."""
    begun = args.log is not None and args.log.is_file()  # what is complete needs not be written
    check_writable(None if begun else args.log, args.save, appending=True)
    check_writable(args.plot)
    check_apart(args.log, args.save, args.plot)
    if args.secret:
        args.seed = secret_seed(args.log)
    contest = contest_of(args)
    if args.secret:
        print(say("arena/sealed", args.language, digest=commit(args.seed)), file=sys.stderr)
    done = play(contest, args)
    if done and args.plot is not None:
        contest.plot(args.language).save(args.plot)
    if done:
        seal = {"seed": args.seed, "digest": commit(args.seed)} if args.secret else {}
        print(json.dumps(contest.figures() | seal) if args.json else text_of(contest, args.language))
        if seal and not args.json:
            print(say("arena/unsealed", args.language, **seal))
    return 0 if done else INTERRUPTED


def secret_seed(log: Path | None) -> str:
    """A random seed of 128 bits, or that of the log to be continued."""
    return (log and DuelLog.seed_in(log)) or token_hex(16)


def play(contest: DuelRun, args: argparse.Namespace) -> bool:
    """Play all pairs. Returns False when interrupted."""
    try:
        with workers(args, args.pairs) as playing:
            progress = Progress(contest.pairs, args.language)
            for pair in contest.play(playing):
                tell(pair, contest, args.language)
                progress.tell(contest.score.pairs, score_text(contest, args.language))
    except KeyboardInterrupt:
        clear()
        if contest.log is not None:
            kept = say("arena/kept", args.language, pairs=contest.score.pairs, file=contest.log)
            print(kept, file=sys.stderr)
        return False
    clear()
    return True


def contest_of(args: argparse.Namespace) -> DuelRun:
    """The contest that the arguments describe; `ChouineError` if it is impossible."""
    sprt = None
    if args.sprt:
        sprt = Sprt(*args.sprt)
        if not sprt.low < sprt.high:
            raise ChouineError("arena/sprt", low=sprt.low, high=sprt.high)
    rules = Rules.parse(args.rules)
    limits = (args.seconds_a or args.seconds, args.seconds_b or args.seconds)
    names = (displayed_name(args.a, rules, limits[0]), displayed_name(args.b, rules, limits[1]))
    duel = Duel(
        args.a, args.b, str(rules), args.seed, limits, names, recorded=args.save is not None, luck=args.luck
    )
    return DuelRun(duel, args.pairs, sprt, args.log, args.save)


def text_of(contest: DuelRun, language: Language) -> str:
    """The result as text."""
    score, (a, b) = contest.score, contest.duel.told_apart
    times = {"seconds_a": f"{1e3 * contest.seconds[0]:.3f}", "seconds_b": f"{1e3 * contest.seconds[1]:.3f}"}
    names = {"a": a, "b": b}
    lines = [score.text(language, a, b), say("arena/time", language, **names, **times)]
    if contest.duel.luck:
        share, low, high = (percent(each, language) for each in mean_of(contest.adjusted))
        lines.append(say("arena/adjusted", language, **names, share=share, low=low, high=high))
    if score.faults:
        faults = {"faults_a": score.faults["a"], "faults_b": score.faults["b"]}
        lines.append(say("arena/faults", language, **names, **faults))
    if contest.sprt is not None:
        lines.append(sprt_text(contest.sprt, contest, language))
    return "\n".join(lines)


def sprt_text(sprt: Sprt, contest: DuelRun, language: Language) -> str:
    """How the sequential test ended."""
    ratio = f"{sprt.ratio(contest.score.tally):.2f}"
    code = f"arena/{contest.verdict or 'undecided'}"
    return say(code, language, low=f"{sprt.low:g}", high=f"{sprt.high:g}", ratio=ratio)
