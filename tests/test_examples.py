"""The examples run, and the learner learns."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SHORT = {
    "random_parties.py": ["--parties", "6", "--rules", "three"],
    "learn.py": ["--rounds", "1", "--rules", "mondoubleau", "--opponent", "greedy"],
    "openspiel_ismcts.py": ["--parties", "2", "--simulations", "5"],
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SHORT)


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
