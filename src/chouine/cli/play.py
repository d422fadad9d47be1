"""Play a match in the terminal, with people and programs at the table. A match in progress is resumed."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import secrets
from gettext import gettext as _
from pathlib import Path
from typing import NamedTuple

from chouine import registry
from chouine.ai.levels import LEVELS, WELCOME, level_of
from chouine.cli.arguments import quote_words
from chouine.cli.terminal import saves
from chouine.cli.terminal.computers import SeatPlayers
from chouine.cli.terminal.console import Console, InputEnded, standard
from chouine.cli.terminal.conversation import (
    Conversation,
    Keep,
    Left,
    Notice,
    Output,
    Page,
    Prompt,
    TableOver,
)
from chouine.cli.terminal.session import Session, person
from chouine.cli.texts import INTERRUPTED, check_writable, complain
from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.files import append
from chouine.folders import need_folder
from chouine.match import Format, Match
from chouine.names import display_name, free_name, twins
from chouine.notation.records import Record
from chouine.partie.deal import SEATS
from chouine.phrases import Language, say
from chouine.phrases.personas import PERSONAS
from chouine.rules import Rules
from chouine.table import SeatHolder, TableState
from chouine.table.brief import tags_of

NAMES = ("Jean", "Charles", "Marthe", "Lucien")
LONGEST_NAME = 20
USUAL = "match.json"
"""The name of the save in the usual folder."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Play a match in the terminal, people and computers at one table. A match in progress is kept "
        "and goes on the next time."
    )
    match = parser.add_argument_group(_("a new match"))
    match.add_argument(
        "--rules", metavar=_("TEXT"), help=_("rules, such as 'classic;head=always' (default: classic)")
    )
    match.add_argument(
        "--format",
        metavar="NxM",
        help=_("parties that win a manche x manches that win the match (default: 5x2; 5 is one manche)"),
    )
    match.add_argument(
        "--seat",
        metavar=_("S=WHO"),
        action="append",
        help=_("who sits at a seat: person, %(players)s (default: a=person, at the others the computer)")
        % {"players": ", ".join(registry.player_names())},
    )
    match.add_argument("--level", metavar="N", type=int, choices=LEVELS, help=levels_help())
    match.add_argument(
        "--name", metavar=_("S=NAME"), action="append", help=_("the name of the player at a seat")
    )
    match.add_argument(
        "--seed", metavar=_("TEXT"), help=_("draw and shuffle as the last time with this text")
    )
    parser.add_argument("--save", metavar=_("FILE"), type=Path, help=_("file of the match in progress"))
    parser.add_argument(
        "--record", metavar=_("FILE"), type=Path, help=_("append finished parties to this .cgn file")
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--resume", action="store_true", help=_("go on with the match in progress; there must be one")
    )
    which.add_argument(
        "--new", action="store_true", help=_("give up the match in progress and start another")
    )


def levels_help() -> str:
    """The levels with their players' names."""
    named = ", ".join(f"{number} {PERSONAS[number - 1][0]}" for number in LEVELS)
    return _("how well the computer plays, from beginner to champion: %(levels)s (default: %(usual)s)") % {
        "levels": named,
        "usual": WELCOME,
    }


def run(args: argparse.Namespace) -> int:
    """Play. Exit code: 0 finished or left, 1 a program failed, 2 invalid arguments, 130 interrupted."""
    language: Language = args.language
    console = standard()
    check_writable(args.save)
    path = args.save or need_folder(saves.state_folder(), "--save") / USUAL
    session = session_for(args, path)
    if args.record:
        args.record.open("ab").close()  # a file that cannot be written fails now, not after the first partie
    computers = SeatPlayers(session.holders)
    try:
        with saves.hold_lock(path):
            conversation = Conversation(session, computers, language, console.width)
            return play(conversation, console, Files(path, args.record), language)
    except (ChouineError, OSError) as fault:
        complain("play", fault, language)
        return 1
    finally:
        computers.close()


def session_for(args: argparse.Namespace, path: Path) -> Session:
    """The saved match, or a new one. A damaged save is set aside, and a file that is none is left as it is."""
    wants_new = any((args.rules, args.format, args.seat, args.level, args.name, args.seed))
    if path.exists():
        try:
            session = saves.read(path)
        except saves.DamagedSave as fault:
            if not saves.is_ours(path):
                raise ChouineError("terminal/no-save", path=path) from fault
            raise ChouineError("terminal/damaged-aside", path=path, aside=saves.set_aside(path)) from fault
        if wants_new and not args.new:
            raise ChouineError("terminal/in-progress", path=path, saved=save_argument(path))
        if not args.new:
            return session
    if args.resume:
        raise ChouineError("terminal/nothing-to-resume", path=path)
    return new_session(args)


def new_session(args: argparse.Namespace) -> Session:
    """A new match from the arguments."""
    rules = Rules.parse(args.rules or "classic")
    form = Format.parse(args.format or ("5x2" if rules.seats == 2 else "5"))
    others = f"level:{args.level or WELCOME}"
    kinds = by_seat(args.seat, ("person", *[others] * (rules.seats - 1)))
    names = names_of(args.name, kinds)
    holders = tuple(
        person(name) if kind == "person" else SeatHolder(kind, name)
        for name, kind in zip(names, kinds, strict=True)
    )
    return Session.at(Match.new(rules, form), holders, args.seed or secrets.token_hex(16))


def names_of(settings: list[str] | None, kinds: list[str]) -> list[str]:
    """The players' names, all different."""
    names: list[str] = []
    for name in by_seat(settings, ("",) * len(kinds)):
        shown = display_name(name, LONGEST_NAME)
        if len(name) > LONGEST_NAME or ";" in name:
            raise ChouineError("terminal/name", name=shown)
        if shown and any(twins(shown, other) for other in filter(None, names)):
            raise ChouineError("terminal/name-twice", name=shown)
        names.append(shown)
    for seat, kind in enumerate(kinds):
        own = PERSONAS[level_of(kind) - 1] if level_of(kind) else NAMES[seat : seat + 1]
        names[seat] = names[seat] or free_name(own, names)
    for seat, name in enumerate(names):
        names[seat] = name or free_name(NAMES, names)
    return names


def by_seat(settings: list[str] | None, defaults: tuple[str, ...]) -> list[str]:
    """The defaults by seat, overridden by `S=VALUE` arguments."""
    values = dict(zip(SEATS, defaults, strict=False))
    for setting in settings or []:
        seat, _, value = setting.partition("=")
        if seat not in values or not value.strip():
            raise ChouineError("terminal/seat-setting", setting=setting, seats=" ".join(values))
        values[seat] = value.strip()
    return list(values.values())


def save_argument(path: Path) -> str:
    """The argument that resumes the match; none if it is saved in the usual place."""
    folder = saves.state_folder()
    usual = folder is not None and path == folder / USUAL
    return "" if usual else f" --save={quote_words([str(path)])}"


class Files(NamedTuple):
    """Paths of the saved match and of the record."""

    save: Path
    record: Path | None


def play(conversation: Conversation, console: Console, files: Files, language: Language) -> int:
    """Run the conversation. The match is saved, unless it is over."""
    talk = conversation.run()
    try:
        output = next(talk)
        while True:
            output = talk.send(handle(output, console, files))
    except StopIteration:
        files.save.unlink(missing_ok=True)
        return 0
    except (Left, InputEnded, KeyboardInterrupt) as end:
        saves.write(files.save, conversation.session)
        show = console.page if conversation.shared else console.note
        show(["", say("terminal/kept", language, path=files.save, saved=save_argument(files.save))])
        return 0 if isinstance(end, Left) else INTERRUPTED


def handle(output: Output, console: Console, files: Files) -> str:
    """Carry out an output of the conversation; returns the answer to a question."""
    match output:
        case Page(lines=lines):
            console.page(lines)
        case Notice(lines=lines):
            console.note(lines)
        case Prompt(text=text):
            return console.ask(text)
        case Keep(session=session):
            saves.write(files.save, session)
        case TableOver(table=table) if files.record:
            today = day_of(dt.datetime.now(dt.UTC), None)
            append_record(files.record, record_text(table, today))
    return ""


def record_text(table: TableState, today: dt.date) -> str:
    """The record of the partie just finished, with the empty line that separates records."""
    finished = table.played[-1]
    return f"{Record.of(finished.state, {'Date': f'{today:%Y.%m.%d}'} | tags_of(table, finished))}\n\n"


def append_record(path: Path, text: str) -> None:
    """Append a record to a file unless it is there already, since an interrupted command counts the partie again."""
    added = text.encode()
    if path.is_file():
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - len(added)))
            if file.read() == added:
                return
    append(path, added)
