"""Every measurement says with --help what it measures, and of a mistyped argument what it takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.arguments import read_arguments

FOLDER = Path(__file__).parents[2] / "benchmarks"


def commands() -> list[Path]:
    """The modules that are run by themselves."""
    found = [path for path in FOLDER.rglob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8")]
    return sorted(found)


def test_every_measurement_reads_its_command_line_in_one_of_two_ways() -> None:
    assert len(commands()) > 25
    for path in commands():
        text = path.read_text("utf-8")
        assert "read_arguments(" in text or "ArgumentParser(" in text, path
        main = text.rpartition("def main(")[2].replace('sys.argv[1:2] == ["measure"]', "")
        assert "sys.argv[1]" not in main, path


def arguments_of(monkeypatch: pytest.MonkeyPatch, line: str) -> tuple[object, ...]:
    monkeypatch.setattr(sys, "argv", ["measurement", *line.split()])
    return read_arguments(
        "What is measured.", part=("all", "some"), many=3, seconds=1.5, seed=None, players=["net", "greedy"]
    )


def test_what_is_not_given_is_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    assert arguments_of(monkeypatch, "") == ("all", 3, 1.5, None, ["net", "greedy"])
    assert arguments_of(monkeypatch, "some 4 2 7 random") == ("some", 4, 2.0, 7, ["random"])
    monkeypatch.setattr(sys, "argv", ["measurement", "7"])
    assert read_arguments(None, first=int) == (7,)


@pytest.mark.parametrize("line", ["none", "some x", "some 1.5", "some 4 2 x", "--many 3"])
def test_what_is_mistyped_is_answered_with_the_usage(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        arguments_of(monkeypatch, line)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m ")


def test_help_says_what_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        arguments_of(monkeypatch, "--help")
    assert not left.value.code
    assert "What is measured." in capsys.readouterr().out


def test_what_must_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["measurement"])
    with pytest.raises(SystemExit):
        read_arguments(None, rules=str)
