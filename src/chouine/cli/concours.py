"""Run a contest: its file, its log, and verification of the log."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from gettext import gettext as _
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from chouine.cli.arguments import bounded_number, configure_serving, storable_text
from chouine.cli.texts import check_writable, open_text, write_utf8
from chouine.contest import ActRefused, Contest, ContestOpened, Erased, formula_for, ranking
from chouine.contest.check import Breach, CheckReport, check_log, read_log
from chouine.contest.formula import Apart, Formula, Kind
from chouine.contest.people import LONGEST
from chouine.contest.simulate import contest_figures, simulate_contest
from chouine.files import write_whole
from chouine.folders import home_folder, make_folder, need_folder
from chouine.names import display_name
from chouine.notation.lines import result_of_duplicate
from chouine.notation.spoken import said_card
from chouine.phrases import Language, card_name, say
from chouine.server.contest.contest_store import ContestStore, resume
from chouine.server.contest.solver import cheapest_matching

MOST = 2000
"""Most entries of a simulated contest: ten times the largest hall."""
SHOWN = 20
"""Most breaches printed one by one."""
FEWEST = 8
"""Fewest signs of a noted seal: as many as are read aloud of the seed's digest."""
SQLITE = b"SQLite format 3\0"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Run a contest: its file, its log, and the check of the log that anybody can make."
    )
    acts = parser.add_subparsers(dest="what", metavar=_("what"))
    simulate = acts.add_parser("simulate", help=_("simulate a whole contest"))
    simulate.add_argument(
        "--entries",
        type=bounded_number(2, MOST),
        required=True,
        metavar="N",
        help=_("number of entries, from 2 to %(most)s") % {"most": MOST},
    )
    simulate.add_argument(
        "--seed", default="1", help=_("any text: the same seed, the same contest (default: 1)")
    )
    simulate.add_argument("--json", action="store_true", help=_("print one JSON object"))
    simulate.add_argument(
        "--log", type=Path, metavar=_("FILE"), help=_("write its log to this file, for check")
    )
    configure_formula(simulate)
    new = acts.add_parser("new", help=_("make the file of a new contest"))
    new.add_argument("file", type=Path, metavar=_("FILE"))
    configure_settings(new)
    card = acts.add_parser("card", help=_("print the card that a text stands for"))
    card.add_argument(
        "text", nargs="+", metavar=_("TEXT"), help=_("a card as it is typed or said: dame de cœur, DC, Q♥")
    )
    check = acts.add_parser("check", help=_("check a contest's log against its rules and its seed"))
    check.add_argument(
        "file", metavar=_("FILE"), help=_("a contest's file or its exported log; - is standard input")
    )
    check.add_argument("--seed", type=storable_text, help=_("the seed, if the log does not reveal it"))
    check.add_argument(
        "--seal",
        default="",
        help=_("a seal noted or printed when the contest was closed, or its first eight signs"),
    )
    log = acts.add_parser("log", help=_("print a contest's log, one JSON line for each act"))
    log.add_argument("file", type=Path, metavar=_("FILE"))
    take = acts.add_parser("resume", help=_("go on with a contest on another computer, from its copy"))
    take.add_argument("copy", type=Path, metavar=_("COPY"))
    take.add_argument("file", type=Path, metavar=_("FILE"), help=_("file to make here; COPY stays its copy"))
    erase = acts.add_parser("erase", help=_("erase a person's name from a contest's file and its copy"))
    erase.add_argument("file", type=Path, metavar=_("FILE"))
    erase.add_argument("number", type=int, metavar=_("NUMBER"), help=_("number of the entry"))
    erase.add_argument("--copy", type=Path, metavar=_("COPY"))
    desk = acts.add_parser("open", help=_("open the desk in the browser"))
    desk.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar=_("FILE"),
        help=_("a contest's file, made if it is missing; without one the page asks what to open"),
    )
    desk.add_argument(
        "--folder",
        type=Path,
        metavar=_("FOLDER"),
        help=_("where contests are kept that the page opens (default: Chouine in your home folder)"),
    )
    desk.add_argument(
        "--copy", type=Path, metavar=_("COPY"), help=_("a second file, on a USB stick, written at every act")
    )
    configure_serving(desk, 8010)
    desk.add_argument(
        "--drill", action="store_true", help=_("practise on a made-up day, for fifteen minutes")
    )
    configure_settings(desk)
    parser.add_argument("--drill", dest="practise", action="store_true", help=_("the same as open --drill"))
    parser.set_defaults(**{**vars(desk.parse_args([])), "what": "open"})  # alone it is the desk


def configure_settings(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a contest that is made."""
    parser.add_argument("--title", default="", help=_("title of a contest that is made"))
    parser.add_argument("--fee", type=int, default=0, metavar=_("CENTS"), help=_("price of an entry"))
    parser.add_argument("--meal", type=int, default=0, metavar=_("CENTS"), help=_("price of a meal"))
    configure_formula(parser)


def configure_formula(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a contest's formula."""
    parser.add_argument("--format", choices=get_args(Kind), default="lavardin")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2, help=_("players at a table"))
    parser.add_argument("--members", type=int, choices=(1, 2), help=_("people in an entry; 2 for pairs"))
    parser.add_argument(
        "--matches",
        nargs="+",
        metavar=_("MATCH"),
        help=_("format of each round, such as 3x2 or 5; the last holds for all later rounds"),
    )
    parser.add_argument(
        "--consolante",
        choices=("none", "first", "hour"),
        help=_("who plays the consolante: first, whoever loses in round 1; hour, before --hour too"),
    )
    parser.add_argument(
        "--hour",
        type=moment,
        metavar="2027-03-07T16:30",
        help=_("until when whoever loses may play the consolante"),
    )
    parser.add_argument(
        "--apart", nargs="+", choices=get_args(Apart), help=_("whom to keep apart in round 1")
    )
    parser.add_argument(
        "--rounds", type=int, metavar="N", help=_("number of rounds, for the formats rounds and swiss")
    )
    parser.add_argument("--pool", type=int, metavar="N", help=_("entries in a poule"))
    parser.add_argument(
        "--qualify", type=int, metavar="N", help=_("entries of a poule that go on to the knockout")
    )


def moment(text: str) -> int:
    """A time by this machine's clock in milliseconds since 1970, for argparse."""
    try:
        return round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(
            _("a time such as 2027-03-07T16:30, not “%(text)s”") % {"text": text}
        ) from error


def formula_of(args: argparse.Namespace) -> Formula:
    """The contest's formula. Raises `ActRefused` if choices conflict."""
    names = ("members", "matches", "consolante", "hour", "apart", "rounds", "pool", "qualify")
    given = {name: value for name in names if (value := getattr(args, name)) is not None}
    choices: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return formula_for(args.format, args.seats, **choices)


def run(args: argparse.Namespace) -> int:
    """Run the subcommand. Exit code: 0 ok, 1 the log breaches its rules, 2 invalid arguments."""
    write_utf8()
    acts: dict[str, Callable[[argparse.Namespace], int]] = {
        "simulate": simulate,
        "new": new,
        "card": card,
        "check": check,
        "log": log,
        "resume": take_up,
        "erase": erase,
        "open": open_desk,
    }
    try:
        if args.practise or (args.what == "open" and args.drill):
            return drill(args)
        return acts[args.what](args)
    except sqlite3.Error as fault:
        raise ActRefused("contest/disk", file=args.file, why=fault) from fault


def simulate(args: argparse.Namespace) -> int:
    """Print a simulated contest with random results."""
    if args.log is not None:
        check_overwritable(args.log)
    contest = simulate_contest(formula_of(args), args.entries, args.seed, cheapest_matching)
    if args.log is not None:
        write_whole(args.log, "".join(f"{line}\n" for line in contest.lines))
    if args.json:
        print(json.dumps(contest_figures(contest), separators=(",", ":")))
        return 0
    for round_ in (*contest.main, *contest.consolante):
        code = f"concours/{round_.stage}-round"
        counts = {"entries": len(round_.players), "tables": len(round_.played), "exempts": len(round_.exempt)}
        print(say(code, args.language, round=round_.number, **counts))
    print(say("concours/winner", args.language, number=ranking(contest)[0].number))
    return 0


def check_overwritable(log: Path) -> None:
    """Raise `ActRefused` for a file that is no log: a contest's own, named by mistake, is not overwritten."""
    check_writable(log)
    if log.is_file():
        with log.open("rb") as stream:
            if stream.read(1) not in (b"", b"{"):
                raise ActRefused("contest/file-exists", file=log)


def settings_of(args: argparse.Namespace) -> ContestOpened:
    """The settings of a contest, by the arguments."""
    title = display_name(args.title, LONGEST)
    return ContestOpened(formula_of(args), "", title, args.fee, args.meal, (), args.language)


def new(args: argparse.Namespace) -> int:
    """Make a contest's file with a seed from the system's source of chance, and print the seed's hash."""
    with closing(ContestStore.begin(args.file, settings_of(args), "concours")) as store:
        print(say("concours/made", args.language, file=store.path, commit=store.contest.commit))
    return 0


def card(args: argparse.Namespace) -> int:
    """Print a card in notation and in words."""
    found = said_card(" ".join(args.text))
    print(found, card_name(found, args.language))
    return 0


def check(args: argparse.Namespace) -> int:
    """Verify a log and print its breaches."""
    report = report_on(args.file, args.seed, noted_seal(args.seal))
    for breach in report.breaches[:SHOWN]:
        print(breach_sentence(breach, args.language))
    if len(report.breaches) > SHOWN:
        print(say("concours/more", args.language, num=len(report.breaches) - SHOWN))
    if report.contest is not None and not report.breaches:
        print(summary(report, report.contest, args.language))
        print(say("concours/seal", args.language, seal=report.contest.head.seal))
    return int(bool(report.breaches))


def noted_seal(text: str) -> str:
    """A seal's first signs as in the log, however they were grouped. Raises `ActRefused` for what is no seal."""
    seal = "".join(text.split()).lower()
    if text and (len(seal) < FEWEST or set(seal) - set("0123456789abcdef")):
        raise ActRefused("concours/no-seal", text=text)
    return seal


def report_on(name: str, seed: str | None, seal: str) -> CheckReport:
    """Verify a contest's file or an exported log."""
    if name != "-" and Path(name).is_file():
        with Path(name).open("rb") as stream:
            is_file = stream.read(len(SQLITE)) == SQLITE
        if is_file:
            return check_file(Path(name), seed, seal)
    with open_text(name, errors="replace") as stream_of_text:
        lines, unread = read_log(stream_of_text.read())
    if not lines and not unread:
        raise ActRefused("concours/empty-log", file=name)
    report = check_log(lines, seed, cheapest_matching, seal, result_of_duplicate)
    found = tuple(unread) or report.breaches  # what could not be read lets all that follows fail
    return replace(report, breaches=found)


def check_file(path: Path, seed: str | None, seal: str) -> CheckReport:
    """Check the log in a contest's database file, by default with the seed that the file holds."""
    try:
        with closing(ContestStore(path)) as store:
            return check_log(
                store.contest.lines, seed or store.seed, cheapest_matching, seal, result_of_duplicate
            )
    except ActRefused as fault:
        code = "contest/broken" if fault.code == "contest/broken-file" else fault.code
        return CheckReport((Breach(int(str(fault.data.get("line", 1))), code, fault.data),))


def breach_sentence(breach: Breach, language: Any) -> str:
    """A breach as a sentence: the line and what is wrong with it."""
    return say("concours/breach", language, line=breach.line, why=say(breach.code, language, **breach.data))


def summary(report: CheckReport, contest: Contest, language: Any) -> str:
    """The report as one sentence: how many acts, entries and draws were checked, and how many draws could not be."""
    numbers: dict[str, object] = {"acts": len(contest.lines), "entries": len(contest.entrants)}
    if report.unproven:
        why = say("contest/no-solver" if report.seed_known else "concours/no-seed", language)
        return say("concours/unproven", language, unproven=report.unproven, why=why, **numbers)
    return say("concours/proven", language, draws=report.draws, **numbers)


def log(args: argparse.Namespace) -> int:
    with closing(ContestStore(args.file)) as store:
        for line in store.contest.lines:
            print(line)
    return 0


def take_up(args: argparse.Namespace) -> int:
    """Make a contest's file from its copy."""
    with closing(resume(args.copy, args.file)) as store:
        acts = len(store.contest.lines)
        print(say("concours/resumed", args.language, file=store.path, acts=acts, copy=args.copy))
        tell_copy_fault(store, args.language)
    return 0


def open_desk(args: argparse.Namespace) -> int:
    """Open the desk on a contest's file, made first if there is none; without a file, on the page that asks for one."""
    from chouine.cli.desk import serve_desk, serve_start

    if args.file is None:
        home = home_folder()
        contests = (
            make_folder(args.folder) if args.folder else need_folder(home and home / "Chouine", "--folder")
        )
        return serve_start(contests, args.host, args.port, args.language, browser=not args.no_browser)
    folder = args.copy is not None and args.copy.is_dir()
    copy = None if folder else args.copy
    if args.file.exists():
        store = ContestStore(args.file, copy)
    else:
        store = ContestStore.begin(args.file, settings_of(args), "concours", copy)
    if folder:
        store.copy_to(args.copy)
    tell_copy_fault(store, args.language)
    return serve_desk(store, args.host, args.port, args.language, browser=not args.no_browser)


def tell_copy_fault(store: ContestStore, language: Language) -> None:
    """Say in the terminal too, where the copy was asked for, why it is not up to date."""
    if store.copy_fault:
        print(f"chouine concours: {say(store.copy_fault, language)}", file=sys.stderr)


def drill(args: argparse.Namespace) -> int:
    """Open the desk on a made-up day, which is forgotten afterwards."""
    from chouine.cli.desk import serve_desk
    from chouine.server.contest.drill import open_drill

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store, browser = open_drill(Path(folder), args.language), not args.no_browser
        return serve_desk(store, args.host, args.port, args.language, browser=browser, drill=True)


def erase(args: argparse.Namespace) -> int:
    with closing(ContestStore(args.file, args.copy)) as store:
        store.do(Erased(args.number), "concours")
        left = args.copy is not None and not store.update_copy(purge=True)
    print(say("concours/erased" if not left else "concours/copy-away", args.language, number=args.number))
    return int(left)
