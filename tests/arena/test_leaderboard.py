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
from tests.calls import status_of

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
        ({"rate": 0.99}, "the rate, its interval or the faults do not: written 0.99 ("),
        ({"low": 0.98, "high": 0.99}, "(0.98–0.99), 0, played "),
        ({"name": "full"}, "The player is called greedy, not full."),
        ({"player": "weights:none.npz"}, "there is no such file."),
        ({"player": "nobody"}, "Unknown player: nobody."),
        ({"seed": "another"}, "The SHA-256 of the seed is another one"),
        ({"files": {"weights.npz": "00"}}, "The file weights.npz is not here"),
    ):
        path.write_text(f"{json.dumps({**entry, **change})}\n{json.dumps(entry)}\n", encoding="utf-8")
        told = verify_output(path, capsys, 1)
        assert said in told
        assert told.endswith("The same, played again. Pairs: 3.\n"), "the entry after it"


def test_the_seed_is_always_secret(tmp_path: Path) -> None:
    """The option was there, and did nothing."""
    assert status_of("leaderboard", "add", "greedy", str(tmp_path / "board"), "--seed", "known") == 2


@pytest.mark.parametrize("line", ["", "{}", "[]", "null", '{"player": 3}', "x", "[" * 100_000])
def test_what_is_no_entry(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor is anything appended to such a file."""
    path = tmp_path / "board"
    path.write_text(f"{line}\n", encoding="utf-8")
    assert "line 1: this is no entry of a leaderboard." in verify_output(path, capsys, 2)
    assert main(["leaderboard", "add", "greedy", str(path), "--pairs", "1", "--workers", "1"]) == 2
    assert path.read_text(encoding="utf-8") == f"{line}\n"


def test_every_field_of_an_entry_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, entry = board(tmp_path, "greedy", 1)
    for name in entry:
        for wrong in ([[1]], {"a": 1}):
            path.write_text(json.dumps({**entry, name: wrong}) + "\n", encoding="utf-8")
            assert "line 1: this is no entry" in verify_output(path, capsys, 2), (name, wrong)


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
    path.write_text(json.dumps({**entry, "files": {}}) + "\n", encoding="utf-8")
    assert f"The file {mine} is not here, or is another one" in verify_output(
        path, capsys, 1, "--run-programs"
    )
    path.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    assert "Not verified: the entry runs a program." in verify_output(path, capsys, 1)
    assert "The same, played again. Pairs: 1." in verify_output(path, capsys, 0, "--run-programs")
    mine.write_text("raise SystemExit('never run')", encoding="utf-8")
    assert f"The file {mine} is not here, or is another one" in verify_output(
        path, capsys, 1, "--run-programs"
    )


def test_a_class_is_known_by_its_module_s_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are found without being run: a changed one is not."""
    package = tmp_path / "bots"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "first.py").write_text(
        "class First:\n    def act(self, view):\n        return view.legal[0] if view.legal else None\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    try:
        path, entry = board(tmp_path, "python:bots.first:First", 1)
        assert entry["files"] == {
            f"bots/{name}": sha256((package / name).read_bytes()).hexdigest()
            for name in ("__init__.py", "first.py")
        }
        assert "The same, played again. Pairs: 1." in verify_output(path, capsys, 0, "--run-programs")
    finally:
        for name in ("bots", "bots.first"):
            sys.modules.pop(name, None)
    (package / "first.py").write_text("raise SystemExit('never run')", encoding="utf-8")
    said = verify_output(path, capsys, 1, "--run-programs")
    assert "The file bots/first.py is not here, or is another one" in said
