"""The commands in docs/strength.md parse."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from chouine.cli import parser_for
from chouine.cli.measuring import players_by_name

TEXT = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.strip().splitlines()
]


@pytest.mark.parametrize("line", COMMANDS)
def test_its_commands(line: str) -> None:
    program, name, *arguments = shlex.split(line, comments=True)
    assert program == "chouine"
    args = parser_for(name)[0].parse_args(arguments)
    players = args.players if name == "pool" else [args.a, args.b]
    assert list(players_by_name(args, *players)) == players


def test_there_are_commands() -> None:
    assert {line.split()[1] for line in COMMANDS} == {"duel", "pool"}


def test_its_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (Path(__file__).parents[2] / "docs" / link).exists()
