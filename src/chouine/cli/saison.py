"""Rank a season of contests: its file, its evenings, its members, the next evening."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from gettext import gettext as _
from pathlib import Path

from chouine.cli.arguments import bounded_number, configure_serving, named_like
from chouine.cli.texts import STANDARD_INPUT, WRONG_CALL, check_writable, some_of, write_utf8
from chouine.contest import ActRefused
from chouine.contest.acts import Erased, Undone
from chouine.contest.lists import read_rows
from chouine.contest.people import LONGEST, person_named
from chouine.errors import ChouineError
from chouine.files import read_to_end, read_whole, write_whole
from chouine.folders import make_folder
from chouine.names import display_name, display_text
from chouine.phrases import say
from chouine.season import CATEGORIES
from chouine.season.acts import (
    Announced,
    BookingCancelled,
    EveningAdded,
    Merged,
    Points,
    Ruled,
    SeasonOpened,
    SeasonRules,
)
from chouine.season.members import list_members
from chouine.season.results import EveningResults, look_alikes, text_of
from chouine.season.simulate import season_figures, simulate_season
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.season_site import (
    RankedLine,
    members_table,
    namer,
    publish,
    ranked_lines,
    ranking_table,
)
from chouine.server.contest.season_store import (
    SeasonStore,
    enter_booked,
    fetch_results,
    results_in,
    results_of_bytes,
)
from chouine.server.contest.spreadsheet import Cells, as_csv, as_ods, read_file

MOST_PLAYERS, MOST_EVENINGS = 2000, 400
OURS = b'href="static/css/contest.css"'
"""What every page of a folder has that `publish` wrote."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Rank a season of contests, this club's and others', and keep the club's members.")
    acts = parser.add_subparsers(dest="what", metavar=_("what"), required=True)

    def command(name: str, told: str, *, file: bool = True) -> argparse.ArgumentParser:
        made = acts.add_parser(name, help=told)
        if file:
            made.add_argument("file", type=Path, metavar=_("FILE"), help=_("a season's file"))
        return made

    simulate = command("simulate", _("simulate a whole season"), file=False)
    simulate.add_argument("--evenings", type=bounded_number(1, MOST_EVENINGS), required=True, metavar="N")
    simulate.add_argument("--players", type=bounded_number(2, MOST_PLAYERS), required=True, metavar="P")
    simulate.add_argument(
        "--seed", default="1", help=_("any text: the same seed, the same season (default: 1)")
    )
    simulate.add_argument("--json", action="store_true", help=_("print one JSON object"))
    new = command("new", _("make the file of a new season"))
    new.add_argument("--title", default="")
    new.add_argument("--club", default="", help=_("the club that keeps it"))
    rules = command("rules", _("count the whole season by other rules, and print its ranking"))
    rules.add_argument("--reason", default="")
    for made in (simulate, new, rules):
        configure_rules(made)
    taken = command("add", _("take evenings into the season, or take again one that was corrected"))
    taken.add_argument(
        "sources",
        nargs="+",
        metavar=_("EVENING"),
        help=_("a contest's file, a season's file, what `sheet` prints, or its address; - is standard input"),
    )
    taken.add_argument("--club", default="", help=_("the club that held the contest"))
    sheet = command("sheet", _("print the evening of a contest's file, for the season of another club"))
    sheet.add_argument("--club", default="", help=_("the club that held the contest"))
    rank = command("rank", _("print the ranking, or write it to a spreadsheet"))
    rank.add_argument("--category", choices=CATEGORIES, default="all")
    rank.add_argument(
        "--write", type=named_like(".ods", ".csv"), metavar=_("FILE"), help=_("a file to write, .ods or .csv")
    )
    merge = command("merge", _("say that two numbers are one person under two spellings"))
    merge.add_argument("kept", type=int, metavar=_("NUMBER"), help=_("the number that stays"))
    merge.add_argument("other", type=int, metavar=_("NUMBER"), help=_("the other number of the same person"))
    merge.add_argument("--reason", default="")
    undo = command("undo", _("undo an act of the season's log"))
    undo.add_argument("act", type=int, metavar=_("ACT"), help=_("its number in the log"))
    undo.add_argument("--reason", default="")
    command("log", _("print the season's log, one JSON line for each act"))
    members = command("members", _("write the register of members to a spreadsheet, or read a list into it"))
    members.add_argument(
        "--write", type=named_like(".ods", ".csv"), metavar=_("FILE"), help=_("a file to write, .ods or .csv")
    )
    members.add_argument("--read", type=Path, metavar=_("FILE"), help=_("a list: .ods, .xlsx or CSV"))
    members.add_argument(
        "--year",
        type=int,
        default=datetime.now(UTC).year,
        help=_("the year of what the list says was paid"),
    )
    public = command(
        "publish", _("write a folder of pages for any web site: the ranking, each evening, its draws")
    )
    public.add_argument("folder", type=Path, metavar=_("FOLDER"))
    public.add_argument(
        "--contests",
        type=Path,
        nargs="+",
        default=[],
        metavar=_("FILE"),
        help=_("contests whose draws are shown"),
    )
    erase = command("erase", _("erase a person's name from the season's file"))
    erase.add_argument("number", type=int, metavar=_("NUMBER"))
    configure_evening(command)


def configure_evening(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Declare what concerns the next evening."""
    announce = command("announce", _("announce the next evening, or correct what was announced"))
    announce.add_argument("day", metavar="2027-01-15T20:00", help=_("day and hour"))
    announce.add_argument("place", metavar=_("PLACE"))
    announce.add_argument("--title", default="")
    announce.add_argument("--fee", type=int, default=0, metavar=_("CENTS"), help=_("price of an entry"))
    announce.add_argument("--seats", type=int, default=0, metavar="N", help=_("places; then people wait"))
    announce.add_argument(
        "--evening", type=int, default=0, metavar="N", help=_("number of the announcement to correct")
    )
    book = command(
        "book", _("register somebody for an announced evening, and print the code that cancels it")
    )
    cancel = command("cancel", _("cancel a registration by its code"))
    door = command("door", _("enter those registered in the file of the evening's contest, as not here yet"))
    for made in (book, cancel, door):
        made.add_argument("evening", type=int, metavar="N", help=_("number of the announcement"))
    book.add_argument("name", metavar=_("NAME"))
    book.add_argument("--village", default="", metavar=_("VILLAGE"))
    cancel.add_argument("code", metavar=_("CODE"))
    door.add_argument(
        "contest", type=Path, metavar=_("CONTEST"), help=_("a contest's file, made if it is missing")
    )
    desk = command("open", _("open the club's page and its keeper's pages in the browser"))
    desk.add_argument(
        "--public-url",
        default="",
        metavar="URL",
        help=_("its address through a proxy on this machine, such as https://challenge.example"),
    )
    configure_serving(desk, 8020)


def configure_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of how a season is counted."""
    usual = Points()
    parser.add_argument(
        "--best",
        type=bounded_number(1, MOST_EVENINGS),
        metavar="M",
        help=_("only the M best evenings of each count"),
    )
    parser.add_argument(
        "--places", nargs="+", type=int, default=usual.places, metavar="N", help=_("points of each place")
    )
    parser.add_argument("--win", type=int, default=usual.win, metavar="N", help=_("points of each table won"))
    parser.add_argument(
        "--presence", type=int, default=usual.presence, metavar="N", help=_("points of whoever played")
    )
    parser.add_argument(
        "--squad",
        type=bounded_number(1, 99),
        default=SeasonRules().squad,
        metavar="N",
        help=_("players of a village who count for it each evening"),
    )


def rules_of(args: argparse.Namespace) -> SeasonRules:
    points = Points(tuple(args.places), args.win, args.presence)
    return SeasonRules(points, args.best or 0, args.squad)


def run(args: argparse.Namespace) -> int:
    """Run the subcommand. Exit code: 0 ok, 2 what was asked cannot be done."""
    write_utf8()
    alone: dict[str, Callable[[argparse.Namespace], int]] = {
        "simulate": simulate,
        "new": new,
        "sheet": sheet,
        "open": open_season,
    }
    acts: dict[str, Callable[[argparse.Namespace, SeasonStore], int | None]] = {
        "add": take,
        "rank": rank,
        "merge": merge,
        "undo": undo,
        "log": log,
        "members": members,
        "publish": write_pages,
        "announce": announce,
        "book": book,
        "cancel": cancel,
        "door": open_door,
        "rules": change_rules,
        "erase": erase,
    }
    try:
        if args.what in alone:
            return alone[args.what](args)
        with closing(SeasonStore(args.file)) as store:
            return acts[args.what](args, store) or 0
    except sqlite3.Error as fault:
        raise ActRefused("contest/disk", file=args.file, why=fault) from fault


def tell(args: argparse.Namespace, code: str, **data: object) -> None:
    print(say(code, args.language, **data))


def simulate(args: argparse.Namespace) -> int:
    season = simulate_season(args.evenings, args.players, rules_of(args), args.seed)
    if args.json:
        print(json.dumps(season_figures(season), separators=(",", ":")))
    else:
        print_ranking(args, ranked_lines(season, {}, "all"))
    return 0


def new(args: argparse.Namespace) -> int:
    title, club = display_name(args.title, LONGEST), display_text(args.club, LONGEST)
    SeasonStore.create(args.file, SeasonOpened(title, club, rules_of(args)), "saison").close()
    tell(args, "saison/made", file=args.file)
    return 0


def take(args: argparse.Namespace, store: SeasonStore) -> None:
    """Add evenings, each by an act of its own, and name who may be one person."""
    added = len(store.season.lines)
    faults = store.take([one for source in args.sources for one in results_from(source, args.club)], "saison")
    for fault in faults:
        tell(args, fault.code, **fault.data)
    for line in store.season.lines[added:]:
        if isinstance(act := line.act, EveningAdded):
            told = {"title": act.title, "day": act.day, "new": len(act.newcomers)}
            tell(args, "saison/added", num=sum(len(row.players) for row in act.rows), **told)
    for one, other in look_alikes(store.season, store.people):
        names = {
            "one": one,
            "name": store.people[one].name,
            "other": other,
            "like": store.people[other].name,
        }
        tell(args, "saison/alike", file=args.file, **names)


def results_from(source: str, club: str) -> tuple[EveningResults, ...]:
    """The evenings of a file, an address or standard input. Raises `ActRefused` or `OSError`."""
    if source == STANDARD_INPUT:
        return results_of_bytes(read_to_end(sys.stdin.buffer, Path(STANDARD_INPUT)), source, club)
    if source.startswith(("http://", "https://")):
        return fetch_results(source, club)
    return results_in(Path(source), club)


def sheet(args: argparse.Namespace) -> int:
    """Print the sheet of a contest, or all of a season."""
    evenings = results_in(args.file, display_text(args.club, LONGEST))
    print(text_of(list(some_of(evenings, args.file, "saison/no-evening"))))
    return 0


def rank(args: argparse.Namespace, store: SeasonStore) -> None:
    """Print or write a ranking."""
    if args.write:
        write_table(args, ranking_table(store, args.category, args.language))
    else:
        print_ranking(args, ranked_lines(store.season, store.people, args.category))


def print_ranking(args: argparse.Namespace, lines: Sequence[RankedLine]) -> None:
    """Print a ranking, a line for each."""
    for one in lines:
        tell(args, "saison/counted", rank=one.rank, name=one.name, total=one.total, num=one.counted)
    if not lines:
        tell(args, "saison/empty")


def write_table(args: argparse.Namespace, rows: Cells) -> None:
    """Write a table to a spreadsheet that only its owner reads: names are in it."""
    content = as_ods(rows) if args.write.suffix.lower() == ".ods" else as_csv(rows).encode()
    check_writable(args.write)
    write_whole(args.write, content, private=True)
    tell(args, "saison/written", file=args.write)


def merge(args: argparse.Namespace, store: SeasonStore) -> None:
    act = Merged(args.kept, args.other, display_text(args.reason, LONGEST))
    kept = store.do(act, "saison").number_of(args.kept)
    told = {"kept": args.kept, "other": args.other}
    tell(args, "saison/merged", name=namer(store.season, store.people, public=False)(kept), **told)


def undo(args: argparse.Namespace, store: SeasonStore) -> None:
    store.do(Undone(args.act, display_text(args.reason, LONGEST)), "saison")
    tell(args, "saison/undone", act=args.act)


def log(_: argparse.Namespace, store: SeasonStore) -> None:
    for line in store.season.lines:
        print(line)


def members(args: argparse.Namespace, store: SeasonStore) -> int:
    """Read a list of members, write the register, or both in this order."""
    faults: Sequence[tuple[int, ChouineError]] = ()
    if args.read:
        listing = read_rows(read_file(read_whole(args.read)))
        faults = listing.faults
        store.do(lambda season, people: list_members(season, people, listing, args.year), "saison")
        tell(args, "saison/listed", num=len(listing.people))
    if args.write:
        write_table(args, members_table(store, args.language))
    elif not args.read:
        print(as_csv(members_table(store, args.language)).lstrip("\ufeff"), end="")
    for row, fault in faults:
        why = say(fault.code, args.language, **fault.data)
        print(say("saison/row", args.language, row=row, why=why), file=sys.stderr)
    return 2 if faults else 0


def write_pages(args: argparse.Namespace, store: SeasonStore) -> None:
    """Write the folder of pages; another site's first page is not overwritten."""
    first, found = args.folder / "index.html", {}
    if first.is_file() and OURS not in first.read_bytes():
        raise ActRefused("saison/others-page", file=first)
    for path in args.contests:
        with closing(ContestStore(path)) as contest:
            found[contest.contest.lines[0].seal] = contest.contest
    make_folder(args.folder)
    pages = publish(store.season, store.people, args.folder, args.language, found)
    tell(args, "saison/published", num=pages, folder=args.folder)


def announce(args: argparse.Namespace, store: SeasonStore) -> None:
    place, title = display_text(args.place, LONGEST), display_text(args.title, LONGEST)
    act = Announced(args.day, place, title, args.fee, args.seats, args.evening)
    head = store.do(act, "saison").head
    tell(args, "saison/announced", evening=args.evening or head.n, file=args.file)


def book(args: argparse.Namespace, store: SeasonStore) -> None:
    person = person_named(args.name, args.village)
    made = store.book(args.evening, person, "saison")
    name = namer(store.season, store.people, public=False)(made.number)
    tell(args, "saison/waits" if made.waits else "saison/booked", name=name, letters=made.code)


def cancel(args: argparse.Namespace, store: SeasonStore) -> None:
    number = store.booked_under(args.evening, args.code)
    store.do(BookingCancelled(args.evening, number), "saison")
    tell(args, "saison/cancelled")


def open_door(args: argparse.Namespace, store: SeasonStore) -> None:
    """Enter those registered in a contest."""
    num = enter_booked(store, args.evening, args.contest, "saison")
    tell(args, "saison/door", num=num, file=args.contest)


def change_rules(args: argparse.Namespace, store: SeasonStore) -> None:
    """Count the season by other rules."""
    store.do(Ruled(rules_of(args), display_text(args.reason, LONGEST)), "saison")
    print_ranking(args, ranked_lines(store.season, store.people, "all"))


def open_season(args: argparse.Namespace) -> int:
    """Serve the season until told to stop."""
    from chouine.cli.desk import serve_season

    store, browser = SeasonStore(args.file), not args.no_browser
    try:
        return serve_season(store, args.host, args.port, args.public_url, args.language, browser=browser)
    except ValueError as fault:
        if isinstance(fault, ActRefused):
            raise
        print(f"chouine saison: {fault}", file=sys.stderr)
        return WRONG_CALL


def erase(args: argparse.Namespace, store: SeasonStore) -> None:
    store.do(Erased(args.number), "saison")
    tell(args, "saison/erased", number=args.number)
