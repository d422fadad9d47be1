"""Whoever mistypes a command line is told what was not understood, and a line that is right."""

from __future__ import annotations

import argparse
import gettext
import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from math import isfinite
from pathlib import Path

import pytest

from chouine.cli import COMMANDS, Commands, main
from chouine.cli.arguments import FARTHEST, Parser, quote_words
from chouine.cli.examples import EXAMPLES
from chouine.notation.lines import read_state, read_view
from chouine.notation.tokens import read_seat

ENDS = {"en": ("Write: ", "For example: "), "fr": ("Écrivez : ", "Par exemple : ")}


PARSERS = Commands()


@pytest.fixture(autouse=True)
def _messages_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have gettext look for its files once in a test, not at each of a hundred thousand messages."""
    monkeypatch.setattr(gettext, "find", cache(gettext.find))


def refusal(
    line: Sequence[str], capsys: pytest.CaptureFixture[str], language: str = "en"
) -> tuple[str, str, list[str]]:
    """What is said of a line, how the last line begins, and the words of the right line in it."""
    with pytest.raises(SystemExit) as left:
        main(line)
    assert left.value.code == 2
    out, told = capsys.readouterr()
    *_, said, last = (
        told.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ").splitlines()
    )
    assert not out
    assert "Traceback" not in told
    begin = next(begin for begin in ENDS[language] if last.startswith(begin))
    name, *words = shlex.split(last.removeprefix(begin))
    assert name == "chouine"
    return said, begin, words


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("concours --port 8011", "--port is an option of: open", "concours open --port 8011"),
        (
            "concours --title Jasnières",
            "--title is an option of: new, open",
            "concours open --title Jasnières",
        ),
        ("concours 'le club.db'", "no command is called “le club.db”", "concours open 'le club.db'"),
        ("concours opne club.db", "no command is called “opne”", "concours open club.db"),
        ("concours --port 8011 open a.db", "--port come after the command", "concours open --port 8011 a.db"),
        ("concours new a.db --port 3", "--port is an option of: open", "concours open a.db --port 3"),
        ("problems --seed 3", "--seed is an option of: make, verify", "problems verify --seed 3"),
        ("problems export --sample 3", "--sample is an option of: verify", "problems verify --sample 3"),
        ("--language en play", "--language come after the command", "play --language en"),
        ("--port=8001 --no-browser serve", "--port come after", "serve --port=8001 --no-browser"),
        ("--evening 20:30", "--evening is an option of: serve", "serve --evening 20:30"),
        ("paly", "no command is called “paly”; there are play, serve", "play"),
        ("PLAY --level 3", "no command is called “PLAY”", "play --level 3"),
        ("jouer --level 3", "no command is called “jouer”", "play --level 3"),
        ("aide", "no command is called “aide”", "--help"),
        ("Help", "no command is called “Help”", "--help"),
        ("version", "no command is called “version”", "--version"),
        ("serv --port 8001", "no command is called “serv”", "serve --port 8001"),
        ("deal --sede=3", "there is no option --sede, but one called --seed", "deal --seed=3"),
        ("duel a b --pears 3", "there is no option --pears, but one called --pairs", "duel a b --pairs 3"),
        ("deal --host ::1", "--host is an option of: serve, concours", "serve --host ::1"),
        ("show -dash/a.cgn", "“-dash/a.cgn” begins like an option", "show ./-dash/a.cgn"),
        ("serve --database -a.db", "“-a.db” begins like an option", "serve --database ./-a.db"),
        ("concours log -a.db", "“-a.db” begins like an option", "concours log ./-a.db"),
        ("duel --evening 20:30", "--evening is an option of: serve", "serve --evening 20:30"),
    ],
)
def test_the_right_line_is_written(
    line: str, said: str, right: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told, begin, words = refusal(shlex.split(line), capsys)
    assert said in told
    assert (begin, words) == ("Write: ", shlex.split(right))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "the following arguments are required: command"),
        ("xyzzy", "no command is called “xyzzy”"),
        ("--xyzzy", "unrecognized arguments: --xyzzy"),
        ("concours --xyzzy", "unrecognized arguments: --xyzzy"),
        ("play --level five --language en", "--level: a whole number, not “five”"),
        ("play --level 9 --language en", "--level: invalid choice: "),
        ("serve --port 99999", "--port: a number from 0 to 65535, not “99999”"),
        ("concours open --port -1", "--port: a number from 0 to 65535, not “-1”"),
        ("serve --port http", "--port: a whole number, not “http”"),
        ("concours open --hour evening", "--hour: a time such as 2027-03-07T16:30, not “evening”"),
        ("concours open --hour 0001-01-01T00:00", "--hour: a time such as"),
        ("concours simulate --entries many", "--entries: a number from 2 to 2000, not “many”"),
        ("prune --quota 1.5", "--quota: a whole number, not “1.5”"),
        ("prune --abandoned -3", "--abandoned: a number from 0, not “-3”"),
        ("prune --abandoned soon", "--abandoned: a number, not “soon”"),
        ("concours new a b", "chouine concours new: error: unrecognized arguments: b"),
        ("deal --seed", "--seed: expected one argument"),
        ("deal '\x1b[2J'", r"unrecognized arguments: \x1b[2J"),
    ],
)
def test_an_example_is_given(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    told, begin, _ = refusal(shlex.split(line), capsys)
    assert said in told
    assert begin == "For example: "


def test_the_example_is_of_the_command_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(["contest", "--xyzzy"], capsys)[2] == ["concours", "open", "club.concours"]
    assert refusal(["jouer", "--niveau", "3"], capsys)[2] == ["play", "--level", "4"]


def test_lines_are_quoted_for_the_prompt_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert quote_words(["open", "le club.db"]) == 'open "le club.db"'
    assert all("'" not in example for example in EXAMPLES.values())


def test_the_lines_of_examples_can_be_read() -> None:
    seat, line = shlex.split(EXAMPLES["advise"])
    assert read_view(line, read_seat(seat)).legal
    line, depth = shlex.split(EXAMPLES["perft"])
    assert read_state(line).legal()
    assert int(depth) < 4


def leaves(parsers: Commands | dict[str, Parser], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names of all commands and subcommands."""
    for name in parsers:
        below = dict(parsers[name].commands)
        yield from leaves(below, (*above, name)) if below else [(*above, name)]


def parser_of(names: Sequence[str]) -> Parser:
    found = PARSERS[names[0]]
    return found.commands[names[1]] if names[1:] else found


LEAVES = list(leaves(PARSERS))


def test_each_command_has_an_example_that_is_right() -> None:
    assert set(EXAMPLES) == {"", *COMMANDS, *(" ".join(names) for names in LEAVES)}
    for name, example in EXAMPLES.items():
        words = [*name.split(), *shlex.split(example)]
        assert PARSERS[words[0]].accepts(words[1:]), name


def mistakes(parser: Parser) -> Iterator[list[str]]:
    """Lines with one mistake each."""
    yield ["--xyzzy"]
    yield ["--xyzzy=3", "--yzzyx"]
    yield ["-\N{WATER WAVE}"]
    yield [f"word{nth}" for nth in range(20)] + ["--no-such"]
    for action in parser._actions:
        for option in action.option_strings[-1:]:
            if action.nargs != 0:
                yield [option]
            elif option != "--help":
                yield [f"{option}=3"]
            if action.choices or getattr(action.type, "__name__", "Path") != "Path":
                yield [option, "x\u2068\udcff"]
            misspelt = option[:-1] + "\N{LATIN SMALL LETTER E WITH ACUTE}"
            yield [misspelt, "3"]


NUMBERS = (
    "-1", "0", "-0", "9" * 30, "9" * 5000, "nan", "inf", "-inf", "1e400", "", "²", "１", "1_0", " 5", "0x10", "1.5",
)  # fmt: skip


@pytest.mark.parametrize("names", LEAVES, ids=" ".join)
def test_any_number_is_taken_or_refused_in_a_sentence_of_ours(names: tuple[str, ...]) -> None:
    """Argparse's own names the function that refuses; and no number is too large for a database or a kernel."""
    for action in parser_of(names)._actions:
        if action.type is None or action.type is Path:
            continue
        for text in NUMBERS:
            found, why = value_of(names, action, text)
            assert "invalid" not in why, (names, action.dest, text)
            assert not isinstance(found, float) or isfinite(found), (names, action.dest, text)
            assert not isinstance(found, int) or abs(found) <= FARTHEST, (names, action.dest, text)


def value_of(names: Sequence[str], action: argparse.Action, text: str) -> tuple[object, str]:
    """What argparse makes of a text for an argument, and why it refuses it."""
    try:
        return parser_of(names)._get_value(action, text), ""
    except argparse.ArgumentError as error:
        return None, str(error)


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("names", LEAVES, ids=" ".join)
def test_no_mistake_is_answered_otherwise(
    names: tuple[str, ...], language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the mistake and the command, the exit status is 2, and the last line is one that is right."""
    monkeypatch.setenv("LC_ALL", f"{language}_FR.UTF-8")
    for mistake in mistakes(parser_of(names)):
        _, _, (first, *rest) = refusal([*names, *mistake], capsys, language)
        assert PARSERS[first].accepts(rest), mistake


def test_an_option_of_every_command_is_known_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    """`chouine OPTION COMMAND` for each option of each command."""
    for name in COMMANDS:
        for action in PARSERS[name]._actions:
            if action.option_strings and not isinstance(action, argparse._HelpAction):
                said, _, _ = refusal([action.option_strings[-1], name], capsys)
                assert "come after the command" in said


@pytest.mark.parametrize(
    "line",
    [
        ["erase", "\udcff"],
        ["export", "\udcff", "x.zip"],
        ["reports", "--done", "\udcff"],
        ["operator", "warn", "\udcff"],
        ["operator", "banner", "--fr", "\udcff"],
        ["concours", "check", "x", "--seed", "\udcff"],
        ["prune", "--database", "\udcff"],
        ["move", "\udcff", "x.db"],
        ["move", "x.db", "\udcff"],
    ],
)
def test_a_byte_that_is_no_letter_is_refused_before_anything_is_looked_for(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As from a terminal in Latin-1."""
    said, _, _ = refusal(line, capsys)
    assert "letters in UTF-8, not “\\udcff”" in said
