"""Play a match in the terminal: people and programs round one table. A match in progress is taken up again."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import secrets
import shlex
from pathlib import Path
from typing import NamedTuple

from chouine.ai.levels import LEVELS, WELCOME, level_of
from chouine.cli.language import configure_language
from chouine.cli.terminal import saves, scribe
from chouine.cli.terminal.computers import Computers
from chouine.cli.terminal.console import Closed, Console, standard
from chouine.cli.terminal.conversation import Conversation
from chouine.cli.terminal.table import Chair, Table
from chouine.cli.terminal.talk import Finished, Keep, Left, Note, Output, Page, Question
from chouine.cli.texts import complain
from chouine.errors import ChouineError
from chouine.match import Format, Match
from chouine.partie.deal import SEATS
from chouine.phrases import Language, say
from chouine.phrases.personas import PERSONAS, free_name
from chouine.rules import Rules

NAMES = ("Jean", "Charles", "Marthe", "Lucien")
INTERRUPTED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    match = parser.add_argument_group("a new match")
    match.add_argument("--rules", metavar="TEXT", help="such as 'classic;head=always' (default: classic)")
    match.add_argument(
        "--format", metavar="NxM", help="parties to a manche, manches to the match (5x2; 5 for one)"
    )
    match.add_argument(
        "--seat",
        metavar="S=WHO",
        action="append",
        help="who sits at a seat: person, level:N, random, heuristic or pipe:COMMAND (a=person, the others a level)",
    )
    match.add_argument("--level", metavar="N", type=int, choices=LEVELS, help=levels_help())
    match.add_argument("--name", metavar="S=NAME", action="append", help="the name of who sits at a seat")
    match.add_argument("--seed", metavar="TEXT", help="draw and shuffle the same way again")
    configure_language(parser)
    parser.add_argument("--save", metavar="FILE", type=Path, help="where the match in progress is kept")
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="append finished parties to this .cgn file"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--resume", action="store_true", help="take up the match in progress, which must be there"
    )
    which.add_argument("--new", action="store_true", help="drop the match in progress")


def levels_help() -> str:
    """The levels by the names of those who play so."""
    named = ", ".join(f"{number} {PERSONAS[number - 1][0]}" for number in LEVELS)
    return f"how well the computer plays, from a beginner's first evening on: {named} (default: {WELCOME})"


def run(args: argparse.Namespace) -> int:
    """Play; 0 when over or left, 1 when a program at the table fails, 2 for a wrong call, 130 when interrupted."""
    language: Language = args.language
    console = standard()
    path = args.save or saves.default_path(os.environ)
    try:
        table = table_for(args, path)
        if args.record:
            args.record.open("ab").close()  # what is wrong with it is told now, not after the first partie
        computers = Computers(table.chairs)
    except (ChouineError, OSError) as fault:
        return complain("play", fault, language)
    try:
        with saves.held(path):
            conversation = Conversation(table, computers, language, console.width)
            return play(conversation, console, Files(path, args.record), language)
    except (ChouineError, OSError) as fault:
        complain("play", fault, language)
        return 1
    finally:
        computers.close()


def table_for(args: argparse.Namespace, path: Path) -> Table:
    """The match in progress, or a new one."""
    wants_new = args.new or any((args.rules, args.format, args.seat, args.level, args.name, args.seed))
    if path.exists() and not args.new:
        try:
            table = saves.read(path)
        except saves.DamagedSave as fault:
            raise ChouineError("terminal/damaged-aside", path=path, aside=saves.set_aside(path)) from fault
        if wants_new:
            raise ChouineError("terminal/in-progress", path=path, saved=named(path))
        return table
    if args.resume:
        raise ChouineError("terminal/nothing-to-resume", path=path)
    return new_table(args)


def new_table(args: argparse.Namespace) -> Table:
    """A match to begin, as the arguments say."""
    rules = Rules.parse(args.rules or "classic")
    form = Format.parse(args.format or ("5x2" if rules.seats == 2 else "5"))
    others = f"level:{args.level or WELCOME}"
    kinds = by_seat(args.seat, ("person", *[others] * (rules.seats - 1)))
    names = names_of(args.name, kinds)
    chairs = tuple(Chair(name, kind) for name, kind in zip(names, kinds, strict=True))
    return Table(Match.new(rules, form), chairs, args.seed or secrets.token_hex(16))


def names_of(settings: list[str] | None, kinds: list[str]) -> list[str]:
    """What those at the table are called: no two alike."""
    given = by_seat(settings, ("",) * len(kinds))
    for name in given:
        if len(name) > 20 or ";" in name or not name.isprintable():
            raise ChouineError("terminal/name", name=ascii(name))
        if name and given.count(name) > 1:
            raise ChouineError("terminal/name-twice", name=name)
    names = list(given)
    for seat, kind in enumerate(kinds):
        own = PERSONAS[level_of(kind) - 1] if level_of(kind) else NAMES[seat : seat + 1]
        names[seat] = names[seat] or free_name(own, names)
    for seat, name in enumerate(names):
        names[seat] = name or free_name(NAMES, names)
    return names


def by_seat(settings: list[str] | None, defaults: tuple[str, ...]) -> list[str]:
    """`S=VALUE` arguments laid over the defaults, in seat order."""
    values = dict(zip(SEATS, defaults, strict=False))
    for setting in settings or []:
        seat, _, value = setting.partition("=")
        if seat not in values or not value.strip():
            raise ChouineError("terminal/seat-setting", setting=setting, seats=" ".join(values))
        values[seat] = value.strip()
    return list(values.values())


def named(path: Path) -> str:
    """The argument that takes a match up again; none where it is kept as usual."""
    return "" if path == saves.default_path(os.environ) else f" --save {shlex.quote(str(path))}"


class Files(NamedTuple):
    """Where the match is kept, and its parties recorded."""

    save: Path
    record: Path | None


def play(conversation: Conversation, console: Console, files: Files, language: Language) -> int:
    """Hold the conversation; the table is kept, but for a match that is over."""
    talk = conversation.run()
    try:
        output = next(talk)
        while True:
            output = talk.send(handle(output, conversation, console, files))
    except StopIteration:
        files.save.unlink(missing_ok=True)
        return 0
    except (Left, Closed, KeyboardInterrupt) as end:
        saves.write(files.save, conversation.table)
        show = console.page if conversation.shared else console.note
        show(["", say("terminal/kept", language, path=files.save, saved=named(files.save))])
        return 0 if isinstance(end, Left) else INTERRUPTED


def handle(output: Output, conversation: Conversation, console: Console, files: Files) -> str:
    """Do what the conversation asks; the answer to a question."""
    match output:
        case Page(lines=lines):
            console.page(lines)
        case Note(lines=lines):
            console.note(lines)
        case Question(text=text):
            return console.ask(text)
        case Keep(table=table):
            saves.write(files.save, table)
        case Finished() if files.record:
            names = [chair.name for chair in conversation.table.chairs]
            scribe.append(
                files.record, scribe.record_text(output, names, dt.datetime.now(dt.UTC).astimezone().date())
            )
    return ""
