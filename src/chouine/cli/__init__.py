"""The `chouine` command. A command's module is imported only when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from gettext import gettext as _
from importlib import import_module
from typing import Protocol

from chouine import __version__
from chouine.cli.arguments import Parser
from chouine.cli.language import configure_language, language_of, speaking
from chouine.cli.texts import FAULTS, INTERRUPTED, clear_progress, complain, flush, prepare_streams
from chouine.phrases.catalogue import N_, Language

COMMANDS = {
    "play": N_("play a match in the terminal"),
    "serve": N_("open the table in the browser"),
    "show": N_("draw a record or a line for people"),
    "advise": N_("say which action is best for a seat, and why"),
    "analyse": N_("say what mistakes cost in recorded parties, and how much was luck"),
    "verify": N_("check that a deal was fixed before its cut"),
    "concours": N_("run a contest, and check its log"),
    "saison": N_("rank a year of contests, and keep the members"),
    "problems": N_("positions to solve: make them, solve them again, print them"),
    "daily": N_("deal of the day: publish digests, or let a player play it"),
    "deal": N_("deal at random"),
    "filter": N_("print the records of a file by their tags, or count them"),
    "replay": N_("play records through the rules, one JSON line for each partie"),
    "perft": N_("count the sequences of actions from a partie line"),
    "engine": N_("answer the engine protocol on standard input"),
    "bot": N_("let a program play on a server"),
    "conform": N_("test a program against the engine protocol"),
    "duel": N_("measure one player against another"),
    "leaderboard": N_("measure players so that anybody can repeat it"),
    "pool": N_("measure players against one another"),
    "book": N_("write the book of Chouine: what many parties say"),
    "dataset": N_("let players play and keep it for learning programs"),
    "bench": N_("measure how fast this machine plays"),
    "warm": N_("compile the fast code ahead of time"),
    "doctor": N_("try a running server, and say what to set"),
    "worker": N_("compute the moves of a server's computer players"),
    "backup": N_("write a server's database to a file"),
    "restore": N_("fill an empty database from such a file"),
    "prune": N_("remove old tables from a server's database"),
    "reports": N_("list what visitors reported to the keeper of a server"),
    "operator": N_("keep order on a server: a link to the keeper's page, and its acts"),
    "export": N_("write all that a server stores of a person"),
    "erase": N_("erase a person from a server's database"),
    "ratings": N_("compute all ratings of a server's database again"),
    "move": N_("copy a database into another, from SQLite to PostgreSQL"),
}
"""The commands: each the module of its name, with its description."""


class CommandModule(Protocol):
    """The interface of a command's module."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add its arguments to the parser."""

    def run(self, args: argparse.Namespace) -> int:
        """Run it and return the exit code."""


class Commands(Mapping[str, Parser]):
    """The parsers of all commands, each made when it is first asked for."""

    def __init__(self) -> None:
        self.made: dict[str, Parser] = {}

    def __getitem__(self, name: str) -> Parser:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self.made:
            self.made[name] = parser_for(name)[0]
        return self.made[name]

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def parser_for(name: str) -> tuple[Parser, CommandModule]:
    """The parser of one command, and its module."""
    module: CommandModule = import_module(f"chouine.cli.{name}")
    parser = Parser(prog=f"chouine {name}")
    module.configure(parser)
    for each in parser.commands.values() or [parser]:
        configure_language(each)
    parser.beside = Commands()
    for below in parser.commands.values():
        below.beside = parser.commands
    return parser, module


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    2 for invalid arguments, 130 when interrupted, 0 when what reads its output has enough, as `head` does.
    """
    if argv is None:
        prepare_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    language = language_of(next(iter(arguments), ""), arguments[1:], os.environ)
    with speaking(language):
        try:
            return run(command_named(arguments), arguments[1:], language)
        finally:
            flush()


def command_named(arguments: Sequence[str]) -> str:
    """The command named by the first argument. Raises `SystemExit` after help, the version or an error."""
    top = Parser(
        prog="chouine",
        description=_("La Chouine, the card game of the Loir valley."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_("commands:") + "".join(f"\n  {name:10} {_(what)}" for name, what in COMMANDS.items()),
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"chouine {__version__}",
        help=_("show program's version number and exit"),
    )
    top.add_argument("command", choices=COMMANDS, metavar=_("command"))
    top.commands = Commands()
    top.check_command(arguments)
    return str(top.parse_args(arguments[:1]).command)


def run(name: str, arguments: Sequence[str], language: Language) -> int:
    """Run a command by name and return its exit code; what makes it fail is said in one line."""
    try:
        parser, command = parser_for(name)
        args = parser.parse_args(arguments)
        args.language = language
        return command.run(args)
    except KeyboardInterrupt:
        clear_progress()
        return INTERRUPTED
    except FAULTS as fault:
        return complain(name, fault, language)
