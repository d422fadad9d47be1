"""Print records, partie lines and position lines readably: each trick with declarations, draws and takers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from gettext import gettext as _
from io import StringIO
from itertools import chain

from chouine.cli.language import configure_language
from chouine.cli.terminal.console import RED_CARD
from chouine.cli.texts import complain, open_text
from chouine.errors import NotationError
from chouine.notation.drawing import draw_record, draw_setup
from chouine.notation.position_lines import read_position
from chouine.notation.reader import lines_of, read_records, starts_with_rules
from chouine.notation.records import Record
from chouine.notation.setup import Setup
from chouine.notation.tokens import read_seat
from chouine.partie.deal import SEATS
from chouine.phrases import Language


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = _(
        "Draw records, partie lines and position lines for people: trick by trick, with what was "
        "said, drawn and taken."
    )
    parser.add_argument(
        "text",
        nargs="?",
        metavar=_("FILE|LINE"),
        help=_("a file, or a partie or position line (default: standard input)"),
    )
    parser.add_argument(
        "--observer", metavar=_("SEAT"), help=_("show only what this seat may know: a, b, c or d")
    )
    parser.add_argument(
        "--colour",
        choices=("auto", "always", "never"),
        default="auto",
        help=_("print red suits in red (default: auto, on a terminal)"),
    )
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Print each. Exit code: 0 ok, 1 one had an error, 2 invalid arguments."""
    status = 0
    colour = args.colour == "always" or (args.colour == "auto" and wants_colour())
    try:
        observer = None if args.observer is None else read_seat(args.observer)
        line = is_line(args.text)
        source = nullcontext(StringIO(args.text)) if line else open_text(args.text, "surrogateescape")
        with source as stream:
            for entry in entries(lines_of(stream)):
                if isinstance(entry, NotationError):
                    status = 1
                    complain("show", entry, args.language)
                else:
                    show(draw(entry, args.language, observer), colour=colour)
    except (NotationError, OSError) as error:
        return complain("show", error, args.language, args.text)
    return status


def is_line(text: str | None) -> bool:
    """Whether the argument is a line itself rather than a file's name."""
    return text is not None and len(text.split()) > 1 and starts_with_rules(text)


def entries(lines: Iterable[str]) -> Iterator[Record | Setup | NotationError]:
    """Records and partie lines; or position lines, if the first line is one."""
    lines = iter(lines)
    blank, first = 0, ""
    for first in lines:
        if first.strip():
            break
        blank += 1
    if ":" in first.split() or not first.strip() or not starts_with_rules(first):
        yield from read_records(chain([""] * blank, [first], lines))
        return
    for number, line in enumerate(chain([first], lines), blank + 1):
        if line.strip():
            yield position(line, number)


def position(line: str, number: int) -> Setup | NotationError:
    """A position line, or what is wrong with it."""
    try:
        return read_position(line.rstrip("\n"))
    except NotationError as error:
        return error.at(number, 1)


def draw(entry: Record | Setup, language: Language, observer: int | None) -> list[str]:
    """The lines of a drawing; an observer's seat that does not exist sees nothing."""
    if observer is not None and observer >= entry.rules.seats:
        raise NotationError("deal/seat", 1, 1, SEATS[observer])
    if isinstance(entry, Setup):
        return draw_setup(entry, language, observer)
    return draw_record(entry, language, observer)


def show(drawing: list[str], *, colour: bool) -> None:
    """Print a drawing, and an empty line."""
    text = "\n".join([*drawing, ""])
    print(RED_CARD.sub(lambda card: f"\x1b[31m{card[0]}\x1b[0m", text) if colour else text)


def wants_colour() -> bool:
    """Whether the output is a terminal with colours that are not switched off."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
