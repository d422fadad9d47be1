"""Print records, partie lines and position lines readably: each trick with declarations, draws and takers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from gettext import gettext as _
from io import StringIO
from itertools import chain, islice

from chouine.cli.arguments import named_like
from chouine.cli.terminal.console import RED_CARD
from chouine.cli.texts import STANDARD_INPUT, check_writable, complain, open_text, some_of
from chouine.errors import ChouineError, NotationError
from chouine.files import write_whole
from chouine.notation.drawing import draw_record, draw_setup, from_behind, view_of
from chouine.notation.reader import lines_of, read_records, starts_with_rules
from chouine.notation.records import Record
from chouine.notation.setup import Setup, read_position
from chouine.notation.tokens import read_seat
from chouine.partie.deal import SEATS
from chouine.phrases import Language
from chouine.plaintext import escape_controls


def configure(parser: argparse.ArgumentParser) -> None:
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
    drawn = parser.add_mutually_exclusive_group()
    drawn.add_argument(
        "--svg",
        metavar=_("OUT"),
        type=named_like(".svg"),
        help=_(
            "draw the cards instead, as a picture: the position, or the last one of a partie; OUT ends in .svg"
        ),
    )
    drawn.add_argument(
        "--animate",
        metavar=_("OUT"),
        type=named_like(".svg"),
        help=_("draw a whole partie as one moving picture, act by act; OUT ends in .svg"),
    )


def run(args: argparse.Namespace) -> int:
    """Print each, or write one as a picture. Exit code: 0 ok, 1 one had an error, 2 invalid arguments."""
    status = 0
    colour = args.colour == "always" or (args.colour == "auto" and wants_colour())
    observer = None if args.observer is None else read_seat(args.observer)
    line = is_line(args.text)
    source = nullcontext(StringIO(args.text)) if line else open_text(args.text, "surrogateescape")
    with source as stream:
        if args.svg or args.animate:
            return write_picture(args, list(islice(entries(lines_of(stream)), 2)), observer)
        for entry in some_of(entries(lines_of(stream)), args.text, "show/empty"):
            if isinstance(entry, NotationError):
                status = 1
                complain("show", entry, args.language)
            else:
                show(draw(entry, args.language, observer), colour=colour)
    return status


def write_picture(
    args: argparse.Namespace, found: list[Record | Setup | NotationError], observer: int | None
) -> int:
    """Write the only entry of a text as a picture; returns the exit code."""
    name = STANDARD_INPUT if args.text is None or is_line(args.text) else escape_controls(args.text)
    if len(found) != 1:
        raise ChouineError("show/several" if found else "show/empty", file=name)
    entry = found[0]
    if isinstance(entry, NotationError):
        complain("show", entry, args.language)
        return 1
    if args.animate and isinstance(entry, Setup):
        raise ChouineError("show/still", file=name)
    out = args.animate or args.svg
    check_writable(out)
    write_whole(out, draw_svg(args, entry, observer))
    return 0


def draw_svg(args: argparse.Namespace, entry: Record | Setup, observer: int | None) -> str:
    """A partie as a film if one was asked for, else a picture."""
    if args.animate and isinstance(entry, Record):
        check_observer(entry, observer)
        return entry.svg(args.language, observer)
    return picture(entry, args.language, observer)


def picture(entry: Record | Setup, language: Language, observer: int | None) -> str:
    """An SVG of a position, or of the last one of a partie, with a text alternative in this language."""
    check_observer(entry, observer)
    if isinstance(entry, Setup):
        seen = entry if observer is None else from_behind(entry, observer)
        return seen.svg(language, near=observer, text="\n".join(draw_setup(seen, language)))
    view = view_of(entry, observer)
    told = draw_setup(Setup.of(view), language) if view.turn is not None else []
    return view.svg(language, text="\n".join([*told, draw_record(entry, language, observer)[-1]]))


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
    """The lines of a drawing. Raises `NotationError` for an observer's seat that does not exist."""
    check_observer(entry, observer)
    if isinstance(entry, Setup):
        return draw_setup(entry, language, observer)
    return draw_record(entry, language, observer)


def check_observer(entry: Record | Setup, observer: int | None) -> None:
    """Raise `NotationError` for a seat that does not exist in it."""
    if observer is not None and observer >= entry.rules.seats:
        raise NotationError("deal/seat", 1, 1, SEATS[observer])


def show(drawing: list[str], *, colour: bool) -> None:
    """Print a drawing, and an empty line."""
    text = "\n".join([*drawing, ""])
    print(RED_CARD.sub(lambda card: f"\x1b[31m{card[0]}\x1b[0m", text) if colour else text)


def wants_colour() -> bool:
    """Whether the output is a terminal with colours that are not switched off."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
