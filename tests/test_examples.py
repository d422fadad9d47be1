"""The examples run, and the learner learns."""

from __future__ import annotations

import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.arena.conformance import conformance
from tests.needs import need

EXAMPLES = Path(__file__).parent.parent / "examples"
SHORT = {
    "random_parties.py": ["--parties", "6", "--rules", "three"],
    "learn.py": ["--rounds", "1", "--rules", "mondoubleau", "--opponent", "greedy"],
    "openspiel_ismcts.py": ["--parties", "2", "--simulations", "5"],
}


ENGINES = {"engine.py": shlex.quote(sys.executable), "engine.mjs": "node"}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == {*SHORT, *ENGINES}


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_keeps_the_protocol(name: str) -> None:
    """It imports nothing of ours, and is short enough to be read."""
    if name.endswith(".mjs"):
        need("node")
    text = (EXAMPLES / name).read_text()
    assert "import chouine" not in text
    assert len(text.splitlines()) <= 60
    command = f"{ENGINES[name]} {shlex.quote(str(EXAMPLES / name))}"
    faults = [check for check in conformance(command, 10.0) if check.fault is not None]
    assert not faults


@pytest.mark.parametrize("name", SHORT)
def test_example(name: str) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *SHORT[name]]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert told.strip()


def test_the_learner_wins_more_and_more() -> None:
    """In the rounds of a few seconds: from a beginner's rate to better than even against random play."""
    train = runpy.run_path(str(EXAMPLES / "learn.py"))["train"]
    rates = train("classic", "random", 30)
    assert rates[0] < 0.45
    assert rates[-1] > 0.5
