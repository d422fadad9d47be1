"""The `chouine` command. A command's module is imported only when it is called."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from chouine import __version__

COMMANDS = {
    "serve": "serve the browser table",
    "worker": "think for the computers of a server's nodes",
    "backup": "write a server's database to a file",
    "restore": "fill an empty database from such a file",
    "move": "carry a database into another, from SQLite to PostgreSQL",
    "play": "play a match in the terminal",
    "replay": "play records through the rules, one JSON line a partie",
    "show": "draw a record or a line for people",
    "perft": "count the sequences of actions from a partie line",
    "deal": "deal at random",
    "engine": "answer the engine protocol on standard input",
    "duel": "measure one player against another",
    "pool": "measure players against one another",
    "warm": "compile ahead what playing fast needs",
    "bench": "measure this machine at Chouine",
    "advise": "say what a seat had best do, and why",
    "analyse": "tell what mistakes cost in recorded parties, why, and how much was luck",
    "verify": "check that a deal was fixed before its cut",
}
"""Each command is the module of its name, and what it does."""


class Command(Protocol):
    """What a command's module offers."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare its arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit status."""


def parser_for(name: str) -> tuple[argparse.ArgumentParser, Command]:
    """The parser of one command, and its module."""
    module: Command = import_module(f"chouine.cli.{name}")
    parser = argparse.ArgumentParser(prog=f"chouine {name}", description=(module.__doc__ or COMMANDS[name]))
    module.configure(parser)
    return parser, module


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 2 for a wrong call, 130 when interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    top = argparse.ArgumentParser(
        prog="chouine",
        description="La Chouine, the card game of the Loir valley.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="commands:\n" + "\n".join(f"  {name:10} {what}" for name, what in COMMANDS.items()),
    )
    top.add_argument("--version", action="version", version=f"chouine {__version__}")
    top.add_argument("command", choices=COMMANDS, metavar="command")
    name = top.parse_args(arguments[:1]).command
    parser, command = parser_for(name)
    try:
        return command.run(parser.parse_args(arguments[1:]))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
