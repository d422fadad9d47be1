"""The desktop folder: its two programs, and the check that continuous integration makes of a build on each system."""

from __future__ import annotations

import runpy
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tools.desktop import main

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "packaging" / "chouine-table" / "src"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location("chouine_table", SOURCE / "chouine_table" / "__init__.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "chouine", " ".join)
    return module


@pytest.mark.parametrize(
    ("command", "given", "said"),
    [
        ((), [], "serve"),
        ((), ["--port", "0"], "serve --port 0"),
        ((), ["concours"], "concours"),
        ((), ["concours", "check", "a.chouine"], "concours check a.chouine"),
        (("concours", "open"), [], "concours open"),
        (("concours", "open"), ["a.chouine"], "concours open a.chouine"),
    ],
)
def test_what_each_program_starts(
    program: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    given: list[str],
    said: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["Chouine", *given])
    assert program.main(*command) == said


def test_a_frozen_program_runs_modules_as_python_does(
    program: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader of spreadsheets runs in a process of its own, and there is no Python beside a frozen program."""
    called: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: called.append((name, sys.argv)))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", ["Chouine", "-m", "chouine.server.contest.read_cells", "9"])
    assert program.main() == 0
    assert called == [("chouine.server.contest.read_cells", ["chouine.server.contest.read_cells", "9"])]


@pytest.mark.serving
@pytest.mark.skipif(sys.platform == "win32", reason="its programs are scripts with a first line")
def test_the_check_of_a_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On a folder of scripts that stand for the two programs; it fails without one, and without spreadsheets."""
    for name, script, frozen in (
        ("Chouine", "start.py", ""),
        ("Tenir un concours", "contest.py", "sys.frozen = True"),
    ):
        made = tmp_path / name
        made.write_text(
            f"#!{sys.executable}\nimport sys\n{frozen}\nsys.path.insert(0, {str(SOURCE)!r})\n"
            + (ROOT / "packaging" / "desktop" / script).read_text("utf-8")
        )
        made.chmod(0o755)
    assert main(tmp_path) == 0, capsys.readouterr().out
    contest = tmp_path / "Tenir un concours"
    contest.write_text(contest.read_text("utf-8").replace("sys.frozen = True", ""))
    assert main(tmp_path) == 1
    assert "spreadsheet" in capsys.readouterr().out
