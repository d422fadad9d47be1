"""A parser of command lines that says of a mistaken line how it is written."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from difflib import get_close_matches
from gettext import gettext as _
from io import StringIO
from itertools import takewhile
from math import isfinite, nan
from pathlib import Path
from subprocess import list2cmdline
from typing import Any, NoReturn

from chouine.cli.examples import EXAMPLES, USUAL
from chouine.cli.texts import CannotRun
from chouine.errors import MOST_SECONDS
from chouine.files import is_stream
from chouine.plaintext import escape_controls, quote

PORTS = 65_535
"""The highest port."""
MANY = 4
"""Most commands that are named as knowing an option."""
MOST_ITEMS = 10**9
"""Most parties, pairs, worlds or lines."""
MOST_PROCESSES = 1000
FARTHEST = 10**18
"""Whole numbers are below it, as those of databases and kernels are."""


class EnvironmentText(str):
    """The value of a variable of the environment, which is the default of an option."""

    __slots__ = ("variable",)
    variable: str


def from_environment(variable: str, usual: str = "") -> str:
    """A variable's value, which knows the variable's name; the usual one where it is not set or empty."""
    found = EnvironmentText(os.environ.get(variable, ""))
    found.variable = variable
    return found or usual


@contextmanager
def blame_setting(value: str, option: str = "") -> Iterator[None]:
    """Have a `CannotRun` about an option's value begin with its variable, if it is from one, else with the option.

    With an option a `ValueError` is about its value too.
    """
    try:
        yield
    except (CannotRun, ValueError) as error:
        named = value.variable if isinstance(value, EnvironmentText) else option
        if not named or not (option or isinstance(error, CannotRun)):
            raise
        raise CannotRun(_("%(setting)s: %(why)s") % {"setting": named, "why": error}) from error


def configure_rules(parser: argparse.ArgumentParser) -> None:
    """Declare the argument for the rules."""
    parser.add_argument(
        "--rules",
        metavar=_("TEXT"),
        default="classic",
        help=_("rules, such as 'classic;head=always' (default: classic)"),
    )


class Parser(argparse.ArgumentParser):
    """A parser; those of its subcommands are of this class too."""

    commands: Mapping[str, Parser]
    """Parsers of its subcommands."""
    beside: Mapping[str, Parser]
    """Parsers of the commands beside it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands, self.beside = {}, {}
        self.register("type", int, whole_number)
        self.register("type", float, any_number)
        self.register("type", Path, named_path)

    def add_subparsers(self, **kwargs: Any) -> Any:  # the types of its arguments are those of the base
        """Add subcommands; keeps the mapping to which each is added."""
        added = super().add_subparsers(**kwargs)
        self.commands = added.choices
        return added

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse arguments; exits for whatever is not understood."""
        given = list(sys.argv[1:] if args is None else args)
        if self.commands:
            self.check_command(given)
            return super().parse_known_args(given, namespace)
        self.check_options(given)
        self.check_dashes(given)
        found, unread = super().parse_known_args(given, namespace)
        if unread:
            self.error(_("unrecognized arguments: %s") % " ".join(unread))
        return found, unread

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """The value of a text for an argument. If the text is a variable's, a fault names the variable."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if isinstance(arg_string, EnvironmentText):
                said = {"setting": arg_string.variable, "why": error.message}
                raise argparse.ArgumentError(None, _("%(setting)s: %(why)s") % said) from error
            raise

    def check_command(self, given: Sequence[str]) -> None:
        """Exit if the line does not begin with a subcommand or with an own option."""
        first = given[0] if given else "--"
        if first in self.commands or first == "--" or first in self.options():
            return
        named = next((each for each in given if each in self.commands), "")
        option = first.partition("=")[0]
        usual = str(self.get_default("what") or "")
        if not first.startswith("-"):
            near = self.similar_words(first.lower())
            lines = [[*near, *given[1:]], [usual, *given]] if near else [[usual, *given]]
            said = {"text": first, "known": ", ".join(self.commands)}
            self.error(
                _("no command is called “%(text)s”; there are %(known)s") % said,
                self.first_accepted(lines),
                *near,
            )
        if named:
            at = given.index(named)
            line = self.first_accepted([[named, *given[:at], *given[at + 1 :]]])
            self.error(_("options such as %(option)s come after the command") % {"option": option}, line)
        known = [name for name, parser in self.commands.items() if parser.has(option)]
        first_of_all = [usual] if usual in known else []
        self.refuse_option(
            option, known, self.first_accepted([name, *given] for name in [*first_of_all, *known])
        )

    def similar_words(self, word: str) -> list[str]:
        """The command, or own option, that a word without dashes is meant for, if one is near."""
        known = [*self.commands, *self.options()]
        exact = [name for name in (USUAL.get(word, ""), word, f"--{word}") if name in known]
        return exact[:1] or get_close_matches(word, self.commands, 1)

    def check_options(self, given: Sequence[str]) -> None:
        """Exit for an option that this command does not have."""
        for each in takewhile(lambda text: text != "--", given):
            option = each.partition("=")[0]
            if not option.startswith("--") or " " in each:
                continue
            if any(own.startswith(option) for own in self.options()):
                continue
            known = [name for name, parser in self.beside.items() if parser.has(option)]
            near = get_close_matches(option, self.options(), 1, 0.8)
            if near and not known:
                line = [near[0] + each.removeprefix(option) if one == each else one for one in given]
                said = {"option": option, "near": near[0]}
                self.error(
                    _("there is no option %(option)s, but one called %(near)s") % said,
                    self.first_accepted([line]),
                )
            above = self.prog.rpartition(" ")[0]
            lines = [[name, *given] for name in known if self.beside[name].accepts(given)]
            self.refuse_option(option, known, self.command_line(lines[0], above) if lines else "")

    def check_dashes(self, given: Sequence[str]) -> None:
        """Exit for a file whose name begins with a dash, if that alone is the mistake."""
        for nth, each in enumerate(takewhile(lambda text: text != "--", given)):
            if len(each) < 3 or each[0] != "-" or each[1] == "-" or self.accepts(given):
                continue
            if line := self.first_accepted([[*given[:nth], f"./{each}", *given[nth + 1 :]]]):
                self.error(_("“%(text)s” begins like an option") % {"text": each}, line)

    def refuse_option(self, option: str, known: Sequence[str], line: str) -> NoReturn:
        """Exit for an option of other commands, or of none."""
        if not 0 < len(known) <= MANY:
            self.error(_("unrecognized arguments: %s") % option)
        said = {"option": option, "known": ", ".join(known)}
        self.error(_("%(option)s is an option of: %(known)s") % said, line)

    def first_accepted(self, lines: Iterable[Sequence[str]]) -> str:
        """The first of these lines that this parser would accept, as it is written; empty if none is."""
        return next((self.command_line(line) for line in lines if self.accepts(line)), "")

    def command_line(self, line: Sequence[str], program: str = "") -> str:
        """These arguments as they are typed, after the program's name."""
        return f"{program or self.prog} {quote_words(line)}".rstrip()

    def accepts(self, line: Sequence[str]) -> bool:
        """Whether a line has no mistake. What it says of mistakes is not printed."""
        name, rest = (line[0], line[1:]) if self.commands and line else ("", line)
        if self.commands and name in self.options():
            return not rest
        if self.commands and not self.commands.get(name):
            return False
        if self.commands:
            return self.commands[name].accepts(rest)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            try:
                return not super().parse_known_args(list(rest))[1]
            except SystemExit as end:
                return not end.code

    def options(self) -> list[str]:
        """The options of this parser itself."""
        return list(self._option_string_actions)

    def has(self, option: str) -> bool:
        """Whether this command, or one below it, has an option."""
        return option in self.options() or any(parser.has(option) for parser in self.commands.values())

    def error(self, message: str, line: str = "", *below: str) -> NoReturn:
        """Exit with the usage, the message, and the right line or an example, of the command `below` if given."""
        self.print_usage(sys.stderr)
        called = " ".join([self.prog, *below])
        name = called.partition(" ")[2]
        example = f"{called} {EXAMPLES[name]}" if name in EXAMPLES else f"{self.prog} --help"
        hint = (
            _("Write: %(line)s") % {"line": escape_controls(line)}
            if line
            else _("For example: %(line)s") % {"line": example}
        )
        said = _("%(prog)s: error: %(message)s\n") % {"prog": self.prog, "message": escape_controls(message)}
        self.exit(2, f"{said}{hint}\n")


def quote_words(words: Sequence[str]) -> str:
    """Words as one writes them at this system's prompt."""
    return list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def port(text: str) -> int:
    """A port, for argparse."""
    found = whole_number(text)
    if not 0 <= found <= PORTS:
        said = {"least": 0, "most": PORTS, "text": text}
        raise argparse.ArgumentTypeError(_("a number from %(least)s to %(most)s, not “%(text)s”") % said)
    return found


def configure_serving(parser: argparse.ArgumentParser, usual: int) -> None:
    """Add the arguments of a desk in the browser; `usual` is its port."""
    parser.add_argument(
        "--host",
        default="0.0.0.0",  # noqa: S104
        help=_("address to listen on (default: the local network)"),
    )
    parser.add_argument(
        "--port",
        type=port,
        default=usual,
        help=_("port to listen on, 0 for any free one (default: %(default)s)"),
    )
    parser.add_argument("--no-browser", action="store_true", help=_("do not open a browser"))


def positive_number(text: str) -> int:
    """A whole number from 1, for argparse."""
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise argparse.ArgumentTypeError(_("a whole number from 1, not “%(text)s”") % {"text": text})
    return bounded_number(1, MOST_ITEMS)(text)


def natural_number(text: str) -> int:
    """A whole number from 0, for argparse."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(_("a whole number from 0, not “%(text)s”") % {"text": text})
    return bounded_number(0, MOST_ITEMS)(text)


def bounded_number(least: int, most: int) -> Callable[[str], int]:
    """A type for argparse: a whole number in these bounds."""

    def number(text: str) -> int:
        short = text.isascii() and text.isdigit() and len(text.lstrip("0")) <= len(str(most))
        if not (short and least <= int(text) <= most):
            said = {"least": least, "most": most, "text": quote(text)}
            raise argparse.ArgumentTypeError(_("a number from %(least)s to %(most)s, not “%(text)s”") % said)
        return int(text)

    return number


def storable_text(text: str) -> str:
    """A text that a database or a file in UTF-8 can hold, for argparse: no byte that was no letter."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise argparse.ArgumentTypeError(_("letters in UTF-8, not “%(text)s”") % {"text": text}) from error
    return text


def somebody(text: str) -> str:
    """A person, table or report, for argparse: `./` before a name that begins with a dash is not part of it."""
    return storable_text(text).removeprefix("./")


def named_path(text: str) -> Path:
    """The path that a text names: an empty one, such as an unset variable's, is not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError(_("a name is missing: an empty text names no file"))
    return Path(text)


def named_like(*endings: str) -> Callable[[str], Path]:
    """A type for argparse: a file to write, whose name has one of these endings.

    A file of the user's, named by mistake, is not overwritten so. What is no file, such as `/dev/stdout`, may have any.
    """

    def path(text: str) -> Path:
        if not (text.lower().endswith(endings) or is_stream(Path(text))):
            said = {"endings": ", ".join(endings), "text": text}
            raise argparse.ArgumentTypeError(
                _("a file whose name ends in %(endings)s, not “%(text)s”") % said
            )
        return Path(text)

    return path


def whole_number(text: str) -> int:
    """A whole number, for argparse in place of `int`, whose fault names the type."""
    try:
        found = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(_("a whole number, not “%(text)s”") % {"text": text}) from error
    if not -FARTHEST <= found < FARTHEST:
        raise argparse.ArgumentTypeError(
            _("a whole number of 18 digits at most, not “%(text)s”") % {"text": quote(text)}
        )
    return found


def any_number(text: str) -> float:
    """A number, for argparse in place of `float`: neither `nan` nor endless."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise argparse.ArgumentTypeError(_("a number, not “%(text)s”") % {"text": text})
    return number


def seconds(text: str) -> float:
    """A positive number of seconds, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < MOST_SECONDS:
        said = {"text": text, "most": MOST_SECONDS}
        raise argparse.ArgumentTypeError(
            _("a number of seconds above 0 and below %(most)s, not “%(text)s”") % said
        )
    return number
