"""`chouine problems`: output, and wrong arguments."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.school.problems import shipped_problems
from chouine.school.problems.shipped import write
from tests.calls import status_of
from tests.cli.bare import without_compiler


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A file of three endings."""
    path = tmp_path / "few.jsonl.gz"
    write(path, [problem for problem in shipped_problems() if problem.kind == "ending"][:3])
    return path


def test_export_prints_a_line_each(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "export", str(few)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == 3
    assert all(each["kind"] == "ending" and "deal" in each for each in told)


def test_export_needs_no_compiler(few: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chouine", "problems", "export", str(few)],
        env={**os.environ, **without_compiler(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stdout.splitlines()) == 3


def test_what_searches_says_what_it_needs(few: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chouine", "problems", "verify", "--language", "en", str(few)],
        env={**os.environ, **without_compiler(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install 'chouine[fast]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_verify_prints_how_many_are_sound(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "verify", "--language", "en", str(few)]) == 0
    assert capsys.readouterr().out == "3 of 3 problems stand.\n"


def test_verify_finds_what_does_not_stand(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = gzip.decompress(few.read_bytes()).decode().splitlines()
    problem = json.loads(lines[0])
    wrong = next(act for act in map(str, shipped_state(problem["id"])) if act != problem["solution"][0])
    few.write_bytes(
        gzip.compress("\n".join([json.dumps(problem | {"solution": [wrong]}), *lines[1:]]).encode())
    )
    assert main(["problems", "verify", "--language", "en", str(few)]) == 1
    told = capsys.readouterr().out
    assert "2 of 3 problems stand." in told
    assert problem["id"] in told


def shipped_state(name: str) -> tuple[object, ...]:
    """The legal actions of a problem."""
    return next(problem for problem in shipped_problems() if problem.id == name).state.legal()


def test_make_fills_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["problems", "make", str(tmp_path / "new"), "--only", "classic-ending", "--count", "1"]
    assert main([*call, "--language", "en"]) == 0
    assert capsys.readouterr().out.startswith("1 problem in ")
    assert main(["problems", "verify", str(tmp_path / "new" / "problems.jsonl.gz")]) == 0


def test_two_processes_find_and_verify_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The drafts, the packed problems and what `verify` logs and prints are the same bytes."""
    outcomes = []
    for workers in ("1", "2"):
        folder, log = tmp_path / workers, tmp_path / f"log-{workers}"
        call = ["--workers", workers, "--language", "en"]
        make = ["problems", "make", str(folder), "--only", "classic-ending", "--count", "3"]
        assert main([*make, *call]) == 0
        packed = folder / "problems.jsonl.gz"
        told = capsys.readouterr().out.partition(" in ")[0]
        assert main(["problems", "verify", str(packed), "--log", str(log), *call]) == 0
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        outcomes.append((files, log.read_bytes(), told, capsys.readouterr()))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_wrong_calls(tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain, damaged = tmp_path / "plain", tmp_path / "damaged"
    plain.write_text("{}\n")
    damaged.write_bytes(gzip.compress(b'{"id": 3}\n'))
    calls: dict[str, list[str]] = {
        "none": ["export", str(tmp_path / "none")],
        "folder": ["export", str(tmp_path)],
        "plain": ["verify", str(plain)],
        "damaged": ["export", str(damaged)],
        "part": ["make", str(tmp_path / "new"), "--only", "belote-ending"],
    }
    for name, call in calls.items():
        assert main(["problems", *call, "--language", language]) == 2, name
        told = capsys.readouterr()
        assert not told.out
        assert told.err.startswith("chouine problems: ")
        assert len(told.err.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_a_call_without_a_command_is_wrong() -> None:
    assert status_of("problems") == 2
