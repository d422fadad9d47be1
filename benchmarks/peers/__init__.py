"""Peers: what others have made for games like Chouine, measured in the same rounds.

They have an environment of their own, and each a process of its own, which waits while others are measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from select import select
from typing import Any

from benchmarks.cores import one_core

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-bench" / "bin" / "python"
MODULES = {
    "openspiel": "open-spiel",
    "pgx_games": "pgx",
    "rlcard_games": "rlcard",
    "dds": "endplay",
    "schnapsen_games": "schnapsen",
}
"""Each module here, and the package that it measures."""
PATIENCE = 300
"""Seconds a peer may take to get ready or to measure everything once."""


class Running:
    """A peer's process. `told` is what it said when it was ready; `why` is set once nothing more comes of it."""

    def __init__(self, module: str, process: subprocess.Popen[str], complaints: Path) -> None:
        self.package = MODULES[module]
        self.why: str | None = None
        self._process = process
        self._complaints = complaints
        self.outputs: dict[str, Any] = {"decisions": {}, "missing": {}} | self._answer()

    def measure(self) -> dict[str, float]:
        """One measurement of everything; nothing from a peer that has failed."""
        if self.why is None:
            with suppress(BrokenPipeError):  # its silence is told below
                print(file=self._process.stdin, flush=True)
        return self._answer() if self.why is None else {}

    def summary(self) -> dict[str, Any]:
        """What it is, and what its start cost or why there is nothing."""
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
    """These peers, or every one, ready or known not to be; ended at the end."""
    if not PYTHON.exists():
        sys.exit("Peers are installed by `make bench`.")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        yield [started(stack, folder, module) for module in modules or MODULES]


def started(stack: ExitStack, folder: Path, module: str) -> Running:
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
