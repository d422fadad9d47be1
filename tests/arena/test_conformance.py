"""`chouine conform` reports a program's faults, each with the question that caused it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from chouine.cli import main

GREETS = """
import sys
def say(line): print(line, flush=True)
"""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("input(); say('ready')", "id name"),
        ("input(); say('id name X'); say('rules belote'); say('ready'); input()", "belote"),
        ("input(); say('id name X'); say('id options head=maybe'); say('ready'); input()", "head=maybe"),
        ("input(); say('id asks wine'); say('ready'); input()", "id asks wine"),
        (
            "input(); say('id name X'); say('rules classic'); say('ready')\nwhile True: say(input() and 'best 7x')",
            "> view ",
        ),
    ],
)
def test_what_is_wrong(text: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "engine.py"
    path.write_text(GREETS + text)
    assert (
        main(["conform", f"{shlex.quote(sys.executable)} -S {path}", "--seconds", "0.1", "--language", "en"])
        == 1
    )
    told = capsys.readouterr().out
    assert any(line.startswith("FAULT") for line in told.splitlines())
    assert wrong in told


def test_one_that_does_not_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "/no/such/engine", "--language", "fr"]) == 1
    assert "FAUTE" in capsys.readouterr().out
