"""`chouine warm` and `chouine bench`, and fast start-up with compiled code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.cli import main, warm
from chouine.cli.bench import MEANINGS, rate
from chouine.compilations import BASELINE, advice_ready, folder, forget_others, strong_levels_ready

EMPTY_HANDED = "import sys; sys.modules['numba'] = None; from chouine.cli import main; sys.exit(main({!r}))"


@pytest.mark.nightly
def test_warm_compiles_once_and_then_reads(tmp_path: Path) -> None:
    """Without a terminal `warm` prints one line, on the first run and later."""
    command = [sys.executable, "-m", "chouine", "warm", "four"]
    (tmp_path / "compiled" / "older").mkdir(parents=True)
    environment = os.environ | {"CHOUINE_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert first.endswith(f"kept in {tmp_path / 'compiled'}\n")
    assert len(list((tmp_path / "compiled").iterdir())) == 1
    assert len(first.splitlines()) == len(second.splitlines()) == 1
    assert second.startswith("Ready in ")


AFTERWARDS = """
from chouine.fast.compiler import announce_with
announce_with(lambda name, seconds: print("compiling", name))
import chouine
from chouine.cli import main
from chouine.envs.vector import ChouineVectorEnv
line = "classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs"
assert main(["advise", "b", line, "--worlds", "2"]) == 0
for preset in ("classic", "three", "four", "mondoubleau"):
    chouine.duel("full:8", "level:7", pairs=1, rules=preset)
    chouine.duel("ismcts:2", "random", pairs=1, rules=preset)
for opponent in ("eager", "heuristic"):
    ChouineVectorEnv(4, opponent=opponent).reset(seed=2)
"""
"""Uses everything that the README says `warm` compiles, plus ISMCTS; prints each further compilation."""


def test_warm_says_when_all_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line; what it compiles is left to the night."""
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    for part in ("compile_thinking", "environments", "search"):
        monkeypatch.setattr(warm, part, compile_nothing)
    monkeypatch.setattr("chouine.fast.warm.parts_for", lambda _: [compile_nothing])
    assert main(["warm", "--language", "en"]) == 0
    assert re.fullmatch(r"Ready in \d+\.\ds; kept in .+\n", capsys.readouterr().out.replace(" s;", "s;"))
    assert strong_levels_ready().exists()
    assert advice_ready().exists()


def compile_nothing() -> None:
    folder().mkdir(parents=True, exist_ok=True)


@pytest.mark.nightly
def test_who_plays_after_warm_compiles_nothing() -> None:
    """After `warm`, advice, strong players with every number of seats and environments compile nothing."""
    subprocess.run([sys.executable, "-m", "chouine", "warm"], check=True, capture_output=True)
    command = [sys.executable, "-c", AFTERWARDS]
    after = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert not [line for line in after.splitlines() if line.startswith("compiling")]


COUNTED = """
from chouine.fast.compiler import announce_with, compiled
announce_with(lambda name, seconds: print(name, seconds is None))
@compiled
def tripled(number):
    return 3 * number
tripled(14)
"""


def test_a_function_is_compiled_once_and_then_read(tmp_path: Path) -> None:
    """With an empty cache each compilation is announced at its beginning and end; with a full one neither."""
    environment = os.environ | {"CHOUINE_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COUNTED]
    first, second = (
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert first.splitlines() == ["tripled True", "tripled False"]
    assert second == ""


def test_what_other_sources_were_compiled_to_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    for kept in (folder(), folder().parent / "older"):
        kept.mkdir(parents=True)
    forget_others()
    assert list((tmp_path / "compiled").iterdir()) == [folder()]


def compile_one() -> None:
    folder().mkdir(parents=True)
    (folder() / os.environ["NUMBA_CPU_NAME"]).touch()


def test_what_is_shipped_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This Python's shipped files are made anew, since old ones may come from other sources; others' stay."""
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    here = f"py{sys.version_info.major}{sys.version_info.minor}"
    for name in (f"older.{here}.nbi", f"older.{here}.1.nbc", "other.py399.nbi"):
        (shipped / name).touch()
    for setting in ("CHOUINE_CACHE_DIR", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.setenv(setting, "")  # restored after the test
    monkeypatch.setattr(warm, "SHIPPED", shipped)
    monkeypatch.setattr(warm, "compile_thinking", compile_one)
    warm.ship()
    assert {each.name for each in shipped.iterdir()} == {BASELINE, "other.py399.nbi"}


def test_warm_reads_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm", "classic;head=never"]) == 2
    assert "head" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["warm", "bench"])
def test_without_the_compiler(command: str) -> None:
    """Without numba `warm` fails with a hint, and `bench` measures the rest."""
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
