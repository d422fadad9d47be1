"""Measure players against one another: each meets each on the same deals."""

from __future__ import annotations

import argparse
import json
import sys
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING

from chouine.arena.pairs import Duel
from chouine.cli.arguments import named_like
from chouine.cli.long_jobs import workers
from chouine.cli.measuring import configure_measure, configure_plot, players_by_name, score_text, tell
from chouine.cli.texts import INTERRUPTED, check_writable
from chouine.files import errors_of, write_whole
from chouine.jobs import Progress, clear
from chouine.phrases import Language, say
from chouine.registry import player_names
from chouine.rules import Rules

if TYPE_CHECKING:
    from chouine.arena.pool import RoundRobin


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Measure players against one another: each meets each on the same deals. It prints the "
        "cross-table (the row's rate against the column), Bradley–Terry ratings in Elo around a mean "
        "of 0, with confidence intervals (95 %), and the time of a decision. With --logs the parties "
        "are kept, and a player can join later."
    )
    parser.add_argument("players", metavar=_("PLAYER"), nargs="+", help=", ".join(player_names()))
    configure_measure(parser)
    parser.add_argument(
        "--logs", metavar=_("FOLDER"), type=Path, help=_("folder of logs, one for every two players")
    )
    configure_plot(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    parser.add_argument(
        "--markdown",
        metavar=_("FILE"),
        type=named_like(".md", ".markdown"),
        help=_("also write the tables to this Markdown file"),
    )


def run(args: argparse.Namespace) -> int:
    """Play and print the result. Exit code: 2 for invalid arguments, 130 when interrupted."""
    from chouine.arena.pool import RoundRobin

    check_writable(args.plot, args.markdown)
    if args.logs is not None:
        with errors_of(args.logs, within := args.logs / "log"):
            check_writable(within)
    players = players_by_name(args, *args.players)
    like = Duel("", "", str(Rules.parse(args.rules)), args.seed, (args.seconds, args.seconds))
    pool = RoundRobin.of(players, like, args.pairs, args.logs)
    if not play(pool, args):
        return INTERRUPTED
    if args.plot is not None:
        pool.plot(args.language).save(args.plot)
    if args.markdown is not None:
        write_whole(args.markdown, markdown(pool, args.language) + "\n")
    print(json.dumps(figures(pool)) if args.json else text_of(pool, args.language))
    return 0


def play(pool: RoundRobin, args: argparse.Namespace) -> bool:
    """Play all pairs. Returns False when interrupted."""
    try:
        with workers(args, args.pairs) as playing:
            progress = Progress(pool.pairs * len(pool.contests), args.language)
            for contest, pair in pool.play(playing):
                tell(pair, contest, args.language)
                done = sum(each.score.pairs for each in pool.contests.values())
                progress.tell(done, score_text(contest, args.language))
    except KeyboardInterrupt:
        clear()
        if args.logs is not None:
            pairs = sum(contest.score.pairs for contest in pool.contests.values())
            print(say("arena/kept", args.language, pairs=pairs, file=args.logs), file=sys.stderr)
        return False
    clear()
    return True


def figures(pool: RoundRobin) -> dict[str, object]:
    """The result as JSON data."""
    players = [
        {
            "player": name,
            "elo": round(rating.elo, 1),
            "error": round(rating.error, 1),
            "seconds": round(times.mean, 7),
            "p99": round(times.p99, 7),
            "longest": round(times.longest, 7),
        }
        for name, rating, times in zip(pool.names, pool.ratings(), pool.times(), strict=True)
    ]
    couples = [contest.figures() for contest in pool.contests.values()]
    return {"players": players, "duels": couples}


def text_of(pool: RoundRobin, language: Language) -> str:
    """The tables as text in columns."""
    tables = []
    for table in (standings(pool, language), cross_table(pool)):
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ("  ".join(map(str.rjust, row, widths)).rstrip() for row in table)
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


def markdown(pool: RoundRobin, language: Language) -> str:
    """The tables as Markdown."""
    tables = []
    for head, *rows in (standings(pool, language), cross_table(pool)):
        rule = ["---", *["---:"] * (len(head) - 1)]
        tables.append("\n".join(f"| {' | '.join(map(cell, row))} |" for row in (head, rule, *rows)))
    return "\n\n".join(tables)


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def standings(pool: RoundRobin, language: Language) -> list[list[str]]:
    """Ratings and times, the best first."""
    rows = [
        [
            name,
            f"{rating.elo:+.0f} ± {rating.error:.0f}",
            *(f"{1e3 * spent:.3f}" for spent in times),
        ]
        for rating, name, times in sorted(
            zip(pool.ratings(), pool.names, pool.times(), strict=True), reverse=True
        )
    ]
    heads = ("player", "rating", "mean", "p99", "longest")
    return [[say(f"arena/head-{head}", language) for head in heads], *rows]


def cross_table(pool: RoundRobin) -> list[list[str]]:
    """Each player's rate against each, in per cent with half the 95 % interval."""
    cells = [[""] * len(pool.names) for _ in pool.names]
    for (one, other), contest in pool.contests.items():
        rate, (low, high) = contest.score.rate, contest.score.interval
        error = f"± {50 * (high - low):.1f}"
        cells[one][other] = "-" if rate is None else f"{100 * rate:.1f} {error}"
        cells[other][one] = "-" if rate is None else f"{100 - 100 * rate:.1f} {error}"
    rows = [[name, *row] for name, row in zip(pool.names, cells, strict=True)]
    return [["", *pool.names], *rows]
