"""A C program as a yardstick for the machine's speed, if its source is beside this repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "shared" / "yardstick"
SOURCE = SOURCES / "bench.c"
ARGUMENTS = ("0.3", "1", "c")


def build(folder: Path) -> list[str]:
    """The command that measures; empty without the source or a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler or not SOURCE.is_file():
        return []
    program = folder / SOURCE.stem
    command = [compiler, "-O3", "-march=native", str(SOURCE), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    return [] if done.returncode else [str(program), *ARGUMENTS]


def measure(command: list[str]) -> dict[str, float]:
    """One measurement of every figure; none without a command."""
    if not command:
        return {}
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    figures = map(json.loads, done.stdout.splitlines())
    return {each["bench"]: each.get("games_s") or each["solves_s"] for each in figures}
