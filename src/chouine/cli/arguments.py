"""A parser of command lines that says of a mistaken line how it is written."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from difflib import get_close_matches
from gettext import gettext as _
from io import StringIO
from itertools import takewhile
from subprocess import list2cmdline
from typing import Any, NoReturn

from chouine.errors import escape_controls

LINE = "classic a 7.KQ.9.K|8.9.AK.T 9c TdKsAc8h7dJsJc7hQsQdQc9sAsAhJh8dThTs8c7cJd :"
"""The line of a partie that begins."""
EXAMPLES = {
    "": "play",  # in double quotes, if any: the Windows prompt knows no others
    "play": "--level 4",
    "serve": "--port 8001",
    "show": "match.cgn --svg match.svg",
    "advise": f'b "{LINE}"',
    "analyse": "match.cgn",
    "verify": "match.cgn",
    "concours": "open club.concours",
    "concours simulate": "--entries 64",
    "concours new": "club.concours",
    "concours card": '"dame de cœur"',
    "concours check": "club.concours",
    "concours log": "club.concours",
    "concours resume": "/media/usb/club.concours club.concours",
    "concours erase": "club.concours 12",
    "concours open": "club.concours --port 8011",
    "saison": "rank club.saison",
    "saison simulate": "--evenings 8 --players 40 --best 6",
    "saison new": "club.saison --best 6",
    "saison rules": 'club.saison --best 5 --reason "AG de mars"',
    "saison add": "club.saison lavardin.chouine",
    "saison sheet": "lavardin.chouine",
    "saison rank": "club.saison --category ladies",
    "saison merge": "club.saison 12 31",
    "saison undo": "club.saison 9",
    "saison log": "club.saison",
    "saison members": "club.saison --read list.ods",
    "saison publish": "club.saison site --contests lavardin.chouine",
    "saison announce": 'club.saison 2027-01-15T20:00 "Salle des fêtes" --seats 64',
    "saison book": 'club.saison 12 "Jean Bordier"',
    "saison cancel": "club.saison 12 0f3a9c21d4",
    "saison door": "club.saison 12 january.chouine",
    "saison open": "club.saison",
    "saison erase": "club.saison 12",
    "daily": "simulate level:3",
    "daily make": "daily.seed",
    "daily simulate": "level:3 --days 7",
    "problems": "verify --sample 20",
    "problems make": "problems",
    "problems verify": "--sample 20",
    "problems export": "problems.jsonl.gz",
    "deal": "--seed 7",
    "filter": "matches.cgn --where Result=1-0 --count",
    "replay": "match.cgn",
    "perft": f'"{LINE}" 2',
    "engine": "--level 6",
    "bot": "level:6 --server https://chouine.example --open classic",
    "conform": '"python3 examples/engine.py"',
    "duel": "heuristic greedy --pairs 20",
    "leaderboard": "add greedy board.jsonl --pairs 20",
    "leaderboard add": "greedy board.jsonl --pairs 20",
    "leaderboard verify": "board.jsonl",
    "pool": "heuristic greedy random --pairs 20",
    "book": "--write book",
    "dataset": "parties --players heuristic net --parties 1000",
    "bench": "--json",
    "warm": "classic",
    "doctor": "https://chouine.example",
    "worker": "--redis redis://localhost:6379 --processes 4",
    "backup": "chouine.backup",
    "restore": "chouine.backup --database sqlite:///new.db",
    "prune": "--abandoned 90 --delete",
    "export": "anne@example.org anne.zip",
    "erase": "anne@example.org",
    "reports": "--done 3",
    "operator": 'warn mXk3:2 --reason "an insulting name"',
    "ratings": "--database sqlite:///chouine.db",
    "move": "sqlite:///chouine.db postgresql://localhost/chouine",
}
"""A right call of each command, without the program's name."""
USUAL = {
    "aide": "--help",
    "jouer": "play",
    "contest": "concours",
    "tournament": "concours",
    "season": "saison",
}
"""What people write for a command that has another name."""
PORTS = 65_535
"""The highest port."""
MANY = 4
"""Most commands that are named as knowing an option."""
MOST_SECONDS = 1_000_000
"""Below this a time limit must be."""


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
    """A positive whole number, for argparse."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(_("a whole number from 1, not “%(text)s”") % {"text": text})
    return int(text)


def bounded_number(least: int, most: int) -> Callable[[str], int]:
    """A type for argparse: a whole number in these bounds."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            said = {"least": least, "most": most, "text": text}
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


def whole_number(text: str) -> int:
    """A whole number, for argparse in place of `int`, whose fault names the type."""
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(_("a whole number, not “%(text)s”") % {"text": text}) from error


def any_number(text: str) -> float:
    """A number, for argparse in place of `float`."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(_("a number, not “%(text)s”") % {"text": text}) from error


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
