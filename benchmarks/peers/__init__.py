"""Other libraries with similar games, measured in the same rounds.

They have their own virtual environment, and a process each, which waits while others are measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from typing import Any


@contextmanager
def one_core() -> Iterator[None]:
    """Run this block and its child processes on the last core; without effect except on Linux."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@dataclass(frozen=True)
class Peer:
    package: str
    meters: dict[str, Callable[[], float]]
    """Each call measures a figure once."""
    decisions: dict[str, float] = field(default_factory=dict)
    """For figures that count games: the mean number of player decisions in a random game."""
    missing: dict[str, str] = field(default_factory=dict)
    """Figures that are not available here, with the reason."""


ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-bench" / "bin" / "python"
MODULES = {
    "openspiel": "open-spiel",
    "pgx_games": "pgx",
    "rlcard_games": "rlcard",
    "dds": "endplay",
    "schnapsen_games": "schnapsen",
}
"""Each module of this package, and the package that it measures."""
PATIENCE = 300
"""Timeout in seconds for starting, and for one measurement."""


class Running:
    """A peer's process. `outputs` holds its last report; `why` is the reason once it has failed."""

    def __init__(self, module: str, process: subprocess.Popen[str], complaints: Path) -> None:
        self.package = MODULES[module]
        self.why: str | None = None
        self._process = process
        self._complaints = complaints
        self.outputs: dict[str, Any] = {"decisions": {}, "missing": {}} | self._answer()

    def measure(self) -> dict[str, float]:
        """One measurement of all its figures; empty if the peer has failed."""
        if self.why is None:
            with suppress(BrokenPipeError):  # the missing answer is handled below
                print(file=self._process.stdin, flush=True)
        return self._answer() if self.why is None else {}

    def summary(self) -> dict[str, Any]:
        """The package, its version and start-up costs, and the reason of a failure."""
        start = {name: self.outputs.get(name) for name in ("version", "ready_s", "memory_mib")}
        return {"package": self.package, "why": self.why} | start

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout  # noqa: S101
        if not select([self._process.stdout], [], [], PATIENCE)[0]:
            self.why = f"no answer within {PATIENCE} s"
            return {}
        line = self._process.stdout.readline()
        if not line:
            lines = self._complaints.read_text(errors="replace").split("\n")
            self.why = next((said for said in reversed(lines) if said.strip()), "it ended without a word")
            return {}
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def running(modules: Iterable[str] = ()) -> Iterator[list[Running]]:
    """Run these peers, by default all; yield them when each is ready or has failed, and stop them at the end."""
    if not PYTHON.exists():
        sys.exit("Peers are installed by `make bench`.")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        yield [start(stack, folder, module) for module in modules or MODULES]


def start(stack: ExitStack, folder: Path, module: str) -> Running:
    complaints = folder / module
    with complaints.open("w") as stderr, one_core():
        process = subprocess.Popen(  # noqa: S603
            [str(PYTHON), "-m", "benchmarks.peers", module],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "JAX_PLATFORMS": "cpu"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    stack.enter_context(process)
    stack.callback(process.kill)
    return Running(module, process, complaints)
