"""`chouine concours`: simulate, new, log, check, resume, erase."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.cli.desk import announce
from chouine.contest import Entered
from chouine.contest.people import Person
from chouine.server.contest import contest_store
from chouine.server.contest.contest_store import ContestStore
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


@pytest.mark.parametrize(
    ("text", "token"),
    [("dame de cœur", "Qh"), ("DC", "Qh"), ("l'as de pique", "As"), ("10 carreau", "Td"), ("QH", "Qh")],
)
def test_card(text: str, token: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Quoted or not; the token is the first word."""
    assert concours("card", text, "--language", "fr") == 0
    assert capsys.readouterr().out.split()[0] == token
    assert concours("card", *text.split()) == 0
    assert capsys.readouterr().out.split()[0] == token


@pytest.mark.parametrize(
    ("text", "names"),
    [("D", "la dame et carreau"), ("AC", "l'as de cœur et l'as de trèfle"), ("joker", "joker"), ("2♥", "2♥")],
)
def test_no_card(text: str, names: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert concours("card", text, "--language", "fr") == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert names in found.err.replace("’", "'")


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


def test_a_log_is_compared_with_a_seal_that_was_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another log that keeps all rules, and the beginning of the right one, do not have the seal."""
    file, other = tmp_path / "log.jsonl", tmp_path / "other.jsonl"
    for seed, log in (("1", file), ("2", other)):
        assert concours("simulate", "--entries", 12, "--seed", seed, "--log", log) == 0
    capsys.readouterr()
    assert concours("check", file, "--language", "en") == 0
    seal = capsys.readouterr().out.split()[-1]
    assert concours("check", file, "--seal", f"{seal[:4]} {seal[4:8].upper()}") == 0
    assert concours("check", other) == 0
    for changed in (
        other.read_text(encoding="utf-8"),
        "\n".join(file.read_text(encoding="utf-8").split("\n")[:30]),
    ):
        other.write_text(changed, encoding="utf-8")
        capsys.readouterr()
        assert concours("check", other, "--seal", seal, "--language", "en") == 1
        assert "has the seal" in capsys.readouterr().out
    for text in ("1234567", "lavardin"):
        assert concours("check", file, "--seal", text) == 2


@pytest.mark.parametrize("content", [b"x", b"\0" * 5000, b"\xff\xfe\xfd", b"[]\n{}\nnull\n", b"[" * 100_000])
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


@pytest.mark.parametrize("arguments", [("--drill",), ("open", "--drill", "--language", "fr")])
def test_a_drill_is_a_made_up_day_that_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """It opens the desk on a file of its own, with the clock at ten times the speed."""
    opened: list[Path] = []

    def serve(store: ContestStore, *_: object, drill: bool, browser: bool) -> int:
        opened.append(store.path)
        assert drill
        assert browser
        assert len(store.contest.entrants) == 12
        began = contest_store.now()
        time.sleep(0.05)
        assert contest_store.now() - began >= 500
        store.close()
        return 0

    monkeypatch.setattr("chouine.cli.desk.serve_desk", serve)
    try:
        assert concours(*arguments) == 0
    finally:
        contest_store.hasten(1)
    assert not opened[0].parent.exists()


@pytest.mark.parametrize(("language", "why"), [("en", "copy"), ("fr", "copie")])
def test_a_copy_that_is_not_there_is_told_in_the_terminal(
    language: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Beside the page: whoever asked for a copy looks here first."""
    monkeypatch.setattr("chouine.cli.desk.serve_desk", lambda *_, **__: 0)
    stick = tmp_path / "usb"
    call = ("open", str(tmp_path / "c.chouine"), "--no-browser", "--language", language, "--copy")
    assert concours(*call, str(stick / "c.chouine")) == 0
    told = capsys.readouterr().err
    assert told.startswith("chouine concours: ")
    assert why in told
    stick.mkdir()
    assert concours(*call, str(stick / "c.chouine")) == 0
    assert capsys.readouterr().err == ""
