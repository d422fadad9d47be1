"""Help and argparse's errors are in the user's language, whatever locales the system has."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from chouine.cli import COMMANDS, main
from chouine.cli.language import language_of
from chouine.phrases import Language
from tools.messages import po_of

DEVELOPERS = {
    "conflict", "unknown parser", "cannot", "'required'", "invalid option string", "dest=", "invalid conflict",
    "mutually exclusive", "%r is not callable", ".__call__", "argument \"-\"", "can't open", "subcommands",
    "option '%(option)s' is deprecated", "argument '%(argument_name)s' is deprecated", "command '%(parser_name)s'",
    "invalid choice: %(value)r, maybe", "%(prog)s: warning", " (default: %(default)s)", "positional arguments cannot",
}  # fmt: skip
"""Beginnings of argparse's sentences that users cannot meet."""


def chouine(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "", "PYTHONUTF8": "1", "COLUMNS": "100"} | environment
    command = [sys.executable, "-m", "chouine", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)


def test_help_in_french() -> None:
    told = chouine("--help", LC_ALL="fr_FR.UTF-8").stdout
    assert told.startswith("utilisation\N{NO-BREAK SPACE}: chouine [-h] [--version] commande")
    assert "mesurer un joueur contre un autre" in told
    assert "afficher cette aide et quitter" in told
    assert "show" not in told.replace("  show ", "")


def test_a_commands_help_in_french() -> None:
    told = chouine("duel", "--help", LC_ALL="fr_FR.UTF-8").stdout
    assert "Mesure un joueur contre un autre par paires de parties" in told
    assert "--log FICHIER" in told
    assert "nombre de paires (1000 par défaut)" in told


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C"}, {"LANG": "en_GB.UTF-8"}, {"LANG": "eo.UTF-8"}])
def test_help_in_english(locale: dict[str, str]) -> None:
    told = chouine("duel", "--help", **locale).stdout
    assert told.startswith("usage: chouine duel")
    assert "number of pairs (default: 1000)" in told


def test_a_wrong_call_in_french() -> None:
    done = chouine("duel", LC_ALL="fr_FR.UTF-8")
    assert done.returncode == 2
    assert done.stderr.replace("\N{NO-BREAK SPACE}", " ").endswith(
        "chouine duel : erreur : il manque ces arguments : A, B\n"
        "Par exemple : chouine duel heuristic greedy --pairs 20\n"
    )


@pytest.mark.parametrize(
    ("language", "told"), [("fr", "il faut un nombre entier à partir de 1"), ("en", "a whole number from 1")]
)
def test_the_language_asked_for_is_that_of_errors_too(
    language: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["duel", "a", "b", "--pairs", "none", "--language", language])
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(
    name: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command prints its help; all placeholders are filled."""
    monkeypatch.setenv("LC_ALL", language)
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith({"fr": "utilisation", "en": "usage"}[language])


@pytest.mark.parametrize(
    ("command", "arguments", "environ", "language"),
    [
        ("duel", ["--language", "fr"], {"LANG": "en_GB.UTF-8"}, "fr"),
        ("duel", ["--lang=fr"], {}, "fr"),
        ("duel", ["--language"], {}, "en"),
        ("duel", ["--language", "eo"], {"LC_MESSAGES": "fr_BE"}, "fr"),
        ("duel", [], {"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        ("play", [], {}, "fr"),
        ("play", [], {"LANG": "C.UTF-8"}, "fr"),
        ("play", ["--help"], {}, "en"),
        ("serve", [], {"LANG": "C.UTF-8"}, "en"),
        ("duel", [], {"LANG": "en_US.UTF-8"}, "en"),
        ("duel", [], {"LC_ALL": "", "LANG": "eo"}, "en"),
    ],
)
def test_which_language_is_spoken(
    command: str, arguments: list[str], environ: dict[str, str], language: Language
) -> None:
    assert language_of(command, arguments, environ) == language


def test_every_word_of_argparse_is_translated() -> None:
    """All of this Python's argparse messages are in the catalogue, except those for developers."""
    with po_of("fr").open("rb") as file:
        known = {message.id for message in read_po(file)}
    for _, message, _, _ in extract_from_file("python", argparse.__file__):
        english = message if isinstance(message, str) else message[0]
        assert message in known or any(english.startswith(beginning) for beginning in DEVELOPERS), english
