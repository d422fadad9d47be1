"""Add a player to a leaderboard that anybody can repeat, or repeat the entries of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from gettext import gettext as _
from pathlib import Path
from secrets import token_hex

from chouine.ai.explanations import percent
from chouine.arena.leaderboard import LeaderboardRow
from chouine.cli.arguments import positive_number
from chouine.cli.long_jobs import configure_workers, workers
from chouine.cli.measuring import configure_measure
from chouine.cli.texts import check_writable, open_text, some_of, why_failed
from chouine.contest.draw import commit
from chouine.errors import ChouineError
from chouine.files import append, is_stream
from chouine.jobs import Crew, Progress, clear
from chouine.phrases import Language, say
from chouine.plaintext import escape_controls, split_lines
from chouine.registry import displayed_name, player_names
from chouine.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True)
    add = commands.add_parser("add", help=_("play a player's pairs against heuristic, and append its entry"))
    add.add_argument("player", metavar=_("PLAYER"), help=", ".join(player_names()))
    verify = commands.add_parser("verify", help=_("play the pairs of each entry again, and compare"))
    for command in (add, verify):
        command.add_argument(
            "file", metavar=_("FILE"), type=Path, help=_("the board, one line for each entry")
        )
    configure_measure(add, seed=False)
    configure_workers(verify)
    verify.add_argument(
        "--pairs", metavar="N", type=positive_number, help=_("the first pairs only (default: all)")
    )
    verify.add_argument(
        "--run-programs",
        action="store_true",
        help=_("run the programs and classes that the entries name too: read first what they are"),
    )


def run(args: argparse.Namespace) -> int:
    """Play and print. Exit code: 1 if an entry is not as it says, 2 for invalid arguments, 130 when interrupted."""
    return add_entry(args) if args.what == "add" else verify_board(args)


def add_entry(args: argparse.Namespace) -> int:
    """Play the pairs from a secret seed, of which the digest is printed before; append the entry and print its row."""
    rules, seed = Rules.parse(args.rules), token_hex(16)
    if is_stream(args.file):
        raise ChouineError("file/not-a-file", file=args.file)
    if args.file.exists():
        rows_of(args.file)
    check_writable(args.file, appending=True)
    displayed_name(args.player, rules, args.seconds)  # before the digest is published
    print(say("arena/sealed", args.language, digest=commit(seed)), file=sys.stderr)
    with workers(args, args.pairs) as playing:
        entry = LeaderboardRow.measure(
            args.player,
            rules,
            args.pairs,
            seed,
            args.seconds,
            playing,
            Progress(args.pairs, args.language).tell,
        )
        clear()
        append(args.file, f"{entry}\n".encode())
    print(row(entry, args.language))
    return 0


def verify_board(args: argparse.Namespace) -> int:
    """Repeat every entry; returns the exit code."""
    status = 0
    for entry in some_of(rows_of(args.file), args.file, "leaderboard/none"):
        pairs = min(args.pairs or len(entry.outcomes), len(entry.outcomes))
        try:
            with workers(args, pairs) as playing:
                tell = Progress(pairs, args.language).tell
                said = list(differences_of(entry, pairs, playing, tell, args))
        except (ChouineError, OSError) as fault:  # no such player here: the other entries are played
            said = [why_failed(fault, args.language)]
        clear()
        status |= bool(said)
        good = say("leaderboard/good", args.language, pairs=pairs)
        print(row(entry, args.language), *(said or [good]), sep="\n  ")
    return status


def differences_of(
    entry: LeaderboardRow, pairs: int, crew: Crew, tell: Callable[[int], None], args: argparse.Namespace
) -> Iterator[str]:
    """What is not as an entry says, in words."""
    if entry.runs_code and not args.run_programs:
        yield say("leaderboard/program", args.language)
        return
    for fault in entry.differences(pairs, crew, tell):
        yield say(fault.code, args.language, **fault.data)


def rows_of(path: Path) -> list[LeaderboardRow]:
    """The entries of a board. Raises `ChouineError` for a file that holds anything else."""
    with open_text(str(path)) as board:
        lines = split_lines(board.read())
    entries = []
    for number, line in enumerate(lines, 1):
        try:
            entries.append(LeaderboardRow.read(line))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ChouineError("leaderboard/line", file=path, line=number) from None
    return entries


def row(entry: LeaderboardRow, language: Language) -> str:
    """An entry as a row of a table in Markdown."""
    low, high = percent(entry.low, language), percent(entry.high, language)
    rate = "-" if entry.rate is None else percent(entry.rate, language)
    cells = [f"`{escape_controls(entry.name)}`", entry.rules, str(len(entry.outcomes)), rate, f"{low}–{high}"]
    return f"| {' | '.join([*cells, f'`{entry.digest[:16]}`', f'`{entry.seed}`'])} |"
