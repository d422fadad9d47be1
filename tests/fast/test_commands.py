"""`chouine warm` and `chouine bench`, and a compiled start that is quick."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.cli.bench import MEANINGS, rate
from chouine.compilations import folder, forget_others

EMPTY_HANDED = "import sys; sys.modules['numba'] = None; from chouine.cli import main; sys.exit(main({!r}))"


@pytest.mark.nightly
def test_warm_compiles_once_and_then_reads(tmp_path: Path) -> None:
    """Every function is told once; a second start finds them all."""
    command = [sys.executable, "-m", "chouine", "warm", "four"]
    (tmp_path / "compiled" / "older").mkdir(parents=True)
    environment = os.environ | {"CHOUINE_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert "lockstep" in first
    assert "playouts" in first
    assert first.splitlines()[-1].endswith(f"kept in {tmp_path / 'compiled'}")
    assert len(list((tmp_path / "compiled").iterdir())) == 1
    assert len(second.splitlines()) == 1
    assert second.startswith("Ready in ")


def test_warm_finds_what_was_compiled(tmp_path: Path) -> None:
    """However much there was to do, a second start has nothing to tell."""
    command = [sys.executable, "-m", "chouine", "warm"]
    folder().mkdir(parents=True, exist_ok=True)
    (tmp_path / "compiled").mkdir()
    (tmp_path / "compiled" / folder().name).symlink_to(folder())  # so that only links can be forgotten
    environment = os.environ | {"CHOUINE_CACHE_DIR": str(tmp_path)}
    _, second = (
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert len(second.splitlines()) == 1
    assert second.startswith("Ready in ")


COUNTED = """
from chouine.cli.warm import tell_all
from chouine.fast.warm import compile_perft
tell_all()
compile_perft()
"""


def test_a_function_is_compiled_once_and_then_read(tmp_path: Path) -> None:
    """Where nothing has been compiled yet each function is told as it begins and as it ends."""
    environment = os.environ | {"CHOUINE_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COUNTED]
    first, second = (
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert [line.split()[0] for line in first.splitlines()] == ["perft…", "perft"]
    assert second == ""


def test_what_other_sources_were_compiled_to_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    for kept in (folder(), folder().parent / "older"):
        kept.mkdir(parents=True)
    forget_others()
    assert list((tmp_path / "compiled").iterdir()) == [folder()]


def test_warm_reads_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm", "classic;head=never"]) == 2
    assert "head" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["warm", "bench"])
def test_without_the_compiler(command: str) -> None:
    """`warm` says what is missing; `bench` measures what there is."""
    arguments = [command, "--json"] if command == "bench" else [command]
    done = subprocess.run(
        [sys.executable, "-c", EMPTY_HANDED.format(arguments)], check=False, capture_output=True, text=True
    )
    if command == "warm":
        assert (done.returncode, done.stderr) == (
            2,
            "chouine warm needs numba: pip install 'chouine[fast]'\n",
        )
    else:
        figures = json.loads(done.stdout)
        assert set(figures) == {"plain_parties_s", "import_s", "fast_import_s"} < set(MEANINGS)
        assert all(figure > 0 for figure in figures.values())


def test_a_rate_is_work_by_time() -> None:
    seconds = iter([0.0, 0.0, 0.1, 0.2, 5.0, 5.0])
    assert rate(lambda _: None, 10, clock=lambda: next(seconds)) == 30 / 5.0
