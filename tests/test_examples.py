"""The examples run, and the learning example learns."""

from __future__ import annotations

import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from chouine.arena.conformance import conformance
from tests.needs import need
from tests.patience import PATIENCE

EXAMPLES = Path(__file__).parent.parent / "examples"
SHORT = {
    "random_parties.py": ["--parties", "6", "--rules", "three"],
    "ppo.py": ["0.001"],
    "learn.py": ["--rounds", "1", "--rules", "mondoubleau", "--opponent", "greedy"],
    "openspiel_ismcts.py": ["--parties", "2", "--simulations", "5"],
}


NOTEBOOK = "notebook.ipynb"
ENGINES = {"engine.py": shlex.quote(sys.executable), "engine.mjs": "node"}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == {*SHORT, *ENGINES, NOTEBOOK}


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_keeps_the_protocol(name: str) -> None:
    """The example engines pass all checks, import nothing from `chouine`, and have at most 60 lines."""
    if name.endswith(".mjs"):
        need("node")
    text = (EXAMPLES / name).read_text()
    assert "import chouine" not in text
    assert len(text.splitlines()) <= 60
    command = f"{ENGINES[name]} {shlex.quote(str(EXAMPLES / name))}"
    faults = [check for check in conformance(command, 10.0) if check.fault is not None]
    assert not faults


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_declares_a_chouine_of_any_suit(name: str) -> None:
    """§10: a chouine wins the partie, so it precedes a mariage of 20."""
    if name.endswith(".mjs"):
        need("node")
    view = "view a classic b AQKJT...|?5 Jd ?????????????????????????????????????????? :"
    for suit in "shdc":
        asked = f"{view}\nlegal Ks+20s A{suit} A{suit}+ch{suit} Qs+20s\ngo\nquit\n"
        command = [*shlex.split(ENGINES[name]), str(EXAMPLES / name)]
        answer = subprocess.run(command, input=asked, check=True, capture_output=True, text=True).stdout
        assert answer == f"best A{suit}+ch{suit}\n"


def test_the_notebook_runs_and_shows_pictures() -> None:
    """Every cell runs in a kernel; a state, a view and the film are drawn, record and advice are tables."""
    notebook = nbformat.read(EXAMPLES / NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3").execute()
    shown = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        for kind in sorted(output.get("data", {}))
        if kind != "text/plain"
    ]
    assert shown == [
        "image/svg+xml",
        "image/svg+xml",
        "text/html",
        "image/svg+xml",
        "text/html",
        "image/svg+xml",
    ]


@pytest.mark.parametrize("name", SHORT)
def test_example(name: str) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *SHORT[name]]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert told.strip()


def test_ppo_is_short_enough_to_be_read() -> None:
    assert len((EXAMPLES / "ppo.py").read_text().splitlines()) <= 80


def test_ppo_s_network_learns_what_pays() -> None:
    """An action with a reward becomes likely; a masked action keeps probability 0."""
    network = runpy.run_path(str(EXAMPLES / "ppo.py"))["Network"]
    net, seen, masks = network(np.ones(4, np.uint8), 3), np.eye(4, dtype=np.uint8), np.ones((4, 3), np.int8)
    masks[:, 2] = 0
    for _ in range(200):
        logs, _ = net(seen, masks)
        slope = np.column_stack((np.exp(logs) - np.eye(3)[0], np.zeros(4)))
        net.learn(slope.astype(np.float32) / 4, 1e-2)
    chances = np.exp(net(seen, masks)[0])
    assert (chances[:, 0] > 0.9).all()
    assert not chances[:, 2].any()


def test_the_learner_wins_more_and_more() -> None:
    """In a few seconds' training the win rate against random play rises from below 45 % to above 50 %."""
    train = runpy.run_path(str(EXAMPLES / "learn.py"))["train"]
    rates = train("classic", "random", 30)
    assert rates[0] < 0.45
    assert rates[-1] > 0.5
