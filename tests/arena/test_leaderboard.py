"""A leaderboard's entry holds all that another needs to play it again; a changed one is found out."""

from __future__ import annotations

import json
import shlex
import sys
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from chouine.arena.leaderboard import LeaderboardRow
from chouine.cli import main

ENGINE = Path(__file__).parents[2] / "examples" / "engine.py"


def board(folder: Path, player: str, pairs: int = 3, *options: str) -> tuple[Path, dict[str, Any]]:
    """A new board with one entry, and the entry."""
    path = folder / "board.jsonl"
    path.unlink(missing_ok=True)
    assert (
        main(["leaderboard", "add", player, str(path), "--pairs", str(pairs), "--workers", "1", *options])
        == 0
    )
    (line,) = path.read_text(encoding="utf-8").splitlines()
    return path, json.loads(line)


def verify_output(path: Path, capsys: pytest.CaptureFixture[str], code: int, *options: str) -> str:
    """What `verify` prints in English, with this exit code."""
    capsys.readouterr()
    assert main(["leaderboard", "verify", str(path), "--language", "en", *options]) == code
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_an_entry_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, entry = board(tmp_path, "greedy")
    digest = sha256(entry["seed"].encode()).hexdigest()
    captured = capsys.readouterr()
    assert entry["digest"] == digest
    assert digest in captured.err, "told before the first pair"
    assert "| `greedy` | classic | 3 |" in captured.out
    assert len(entry["outcomes"]) == 3
    assert "The same, played again. Pairs: 3." in verify_output(path, capsys, 0)
    assert "The same, played again. Pairs: 1." in verify_output(path, capsys, 0, "--pairs", "1")


def test_what_was_changed_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, entry = board(tmp_path, "greedy")
    turned = entry["outcomes"][1].translate(str.maketrans("wl", "lw"))
    better = [entry["outcomes"][0], turned if turned != entry["outcomes"][1] else "nn", entry["outcomes"][2]]
    for change, said in (
        ({"outcomes": better}, "Pair 2 came out otherwise"),
        ({"rate": 0.99}, "the rate or the faults do not"),
        ({"seed": "another"}, "The SHA-256 of the seed is another one"),
        ({"files": {"weights.npz": "00"}}, "The file weights.npz is not here"),
    ):
        path.write_text(json.dumps({**entry, **change}) + "\n", encoding="utf-8")
        assert said in verify_output(path, capsys, 1)


@pytest.mark.parametrize("line", ["", "{}", "[]", "null", '{"player": 3}', "x"])
def test_what_is_no_entry(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board"
    path.write_text(f"{line}\n", encoding="utf-8")
    assert "line 1: this is no entry of a leaderboard." in verify_output(path, capsys, 2)


def test_a_board_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"\xe9t\xe9")
    assert f"{path} is not a UTF-8 text" in verify_output(path, capsys, 2)


def test_the_progress_line_goes_when_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt of the shell begins a line of its own."""
    terminal = StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)

    def begin_measuring(*asked: Any) -> None:
        asked[-1](1)
        raise KeyboardInterrupt

    monkeypatch.setattr(LeaderboardRow, "measure", begin_measuring)
    assert main(["leaderboard", "add", "greedy", str(tmp_path / "board"), "--pairs", "3"]) == 130
    assert "1/3" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_strangers_program_is_run_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program is known by the digest of its file; a changed one is not run."""
    mine = tmp_path / "mine.py"
    mine.write_bytes(ENGINE.read_bytes())
    player = f"pipe:{shlex.quote(sys.executable)} {mine}"
    path, entry = board(tmp_path, player, 1, "--rules", "three")
    assert entry["files"][str(mine)] == sha256(ENGINE.read_bytes()).hexdigest()
    assert (entry["name"], entry["rules"]) == ("Example", "three")
    assert "Not verified: the entry runs a program." in verify_output(path, capsys, 1)
    assert "The same, played again. Pairs: 1." in verify_output(path, capsys, 0, "--run-programs")
    mine.write_text("raise SystemExit('never run')", encoding="utf-8")
    assert f"The file {mine} is not here, or is another one" in verify_output(
        path, capsys, 1, "--run-programs"
    )
