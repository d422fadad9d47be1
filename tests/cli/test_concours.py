"""`chouine concours`: simulate, new, log, check, resume, erase."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.cli.desk import announce
from chouine.desk.contest_store import ContestStore
from chouine.desk.people import Person
from chouine.tournament import Entered
from tests.cli.bare import without_compiler


def concours(*arguments: object) -> int:
    return main(["concours", *map(str, arguments)])


@pytest.mark.parametrize("kind", ["lavardin", "tree", "poules", "rounds", "swiss"])
@pytest.mark.parametrize("entries", [2, 3, 13, 40])
def test_simulate(kind: str, entries: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert concours("simulate", "--entries", entries, "--format", kind, "--seed", 7, "--json") == 0
    text = capsys.readouterr().out
    found = json.loads(text)
    assert text.count("\n") == 1
    assert sorted(found["ranking"]) == list(range(1, entries + 1))
    for round_ in (*found["rounds"], *found["consolante"]["rounds"]):
        assert round_.keys() == {"pairs", "exempt", "winners"}
        assert len(round_["winners"]) == len(round_["pairs"])
        assert all(winner in pair for winner, pair in zip(round_["winners"], round_["pairs"], strict=True))
    assert concours("simulate", "--entries", entries, "--format", kind, "--seed", 7, "--json") == 0
    assert capsys.readouterr().out == text


def test_simulate_84_at_lavardin(capsys: pytest.CaptureFixture[str]) -> None:
    assert concours("simulate", "--entries", 84, "--format", "lavardin", "--seed", "S", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    left = set(range(1, 85))
    for round_ in found["rounds"]:
        alone = [] if round_["exempt"] is None else [round_["exempt"]]
        assert sorted([*chain(*round_["pairs"]), *alone]) == sorted(left)
        left = {*round_["winners"], *alone}
    assert left == {found["ranking"][0]}
    assert [len(r["pairs"]) for r in found["rounds"]] == [42, 21, 10, 5, 3, 1, 1]
    first = found["rounds"][0]
    losers = set(chain(*first["pairs"])) - set(first["winners"])
    assert set(chain(*found["consolante"]["rounds"][0]["pairs"])) == losers


def test_simulate_needs_nothing_installed(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "chouine", "concours", "simulate", "--entries", "200", "--json"]
    done = subprocess.run(call, env=without_compiler(tmp_path), capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)["ranking"]) == 200


@pytest.mark.parametrize("arguments", [("--seats", 3, "--members", 2), ("--matches", "x"), ("--rounds", 0)])
def test_choices_that_do_not_go_together(
    arguments: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert concours("simulate", "--entries", 4, "--language", "en", *arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("chouine concours: ")
    assert said.count("\n") == 1


def test_a_contest_from_new_to_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, copy, taken = tmp_path / "a.concours", tmp_path / "stick.concours", tmp_path / "b.concours"
    assert concours("new", file, "--title", "Lavardin", "--fee", 1000, "--language", "en") == 0
    said = capsys.readouterr().out
    with closing(ContestStore(file, copy)) as store:
        assert store.contest.opened.commit in said
        store.do(Entered(1), "entry", Person("Jeanne"))
    assert concours("new", file) == 2
    assert concours("log", file) == 0
    log = capsys.readouterr().out
    exported = tmp_path / "log.jsonl"
    exported.write_text(log, encoding="utf-8")
    assert "Jeanne" not in log
    assert concours("check", exported) == 0
    assert concours("check", file) == 0
    assert concours("resume", copy, taken) == 0
    assert concours("erase", taken, 1, "--copy", copy) == 0
    assert b"Jeanne" not in taken.read_bytes() + copy.read_bytes()
    assert concours("erase", taken, 9) == 2


def test_check_prints_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.jsonl"
    assert concours("simulate", "--entries", 12, "--log", file) == 0
    assert concours("check", file, "--language", "en") == 0
    assert "All is in order" in capsys.readouterr().out
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines[:20], *lines[21:]]), encoding="utf-8")
    assert concours("check", file, "--language", "en") == 1
    assert "Line 21: Act 21 is expected here; 22 is found." in capsys.readouterr().out
    assert concours("check", tmp_path / "none") == 2


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"\xff\xfe\xfd", b"[]\n{}\nnull\n", b"[" * 100_000])
def test_check_of_garbage(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for start in (b"", b"SQLite format 3\0"):
        file = tmp_path / "garbage"
        file.write_bytes(start + content)
        assert concours("check", file, "--language", "en") == 1
        assert capsys.readouterr().out.startswith("Line 1: ")


def test_check_of_a_damaged_file(tmp_path: Path) -> None:
    """`check` of a truncated or damaged contest file ends with status 0 or 1, never with an exception."""
    file = tmp_path / "a.concours"
    assert concours("new", file) == 0
    whole = file.read_bytes()
    for bad in (
        whole[:1000],
        whole[:4096],
        whole[:5000] + b"x" * 200 + whole[5200:],
        whole[:16] + b"y" * 9000,
    ):
        file.write_bytes(bad)
        assert concours("check", file) in (0, 1)


def test_a_port_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Started twice, the desk says so, and where the first one is; it also says how it is stopped."""
    where = ("--folder", tmp_path, "--host", "127.0.0.1", "--no-browser", "--language", "fr")
    with socket.create_server(("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        for file in ((), (tmp_path / "a.chouine",)):
            assert concours("open", *file, *where, "--port", port) == 2
            assert f"http://127.0.0.1:{port}/" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as listening:
        announce("127.0.0.1", listening, "key", "fr", browser=False)
    assert "Laissez cette fenêtre ouverte" in capsys.readouterr().out
