"""The C programs of the yardstick, where their sources are beside this repository: how fast this machine could go."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "shared" / "yardstick"
PROGRAMS = {"bench.c": ("0.3", "1", "c"), "simd.c": ("0.3", "1")}


def build(folder: Path) -> list[list[str]]:
    """The commands that can be built and run here; none without the sources or a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    commands = []
    for name, arguments in PROGRAMS.items() if compiler and SOURCES.is_dir() else ():
        program = folder / name.removesuffix(".c")
        options = ("-O3", "-march=native", str(SOURCES / name), "-o", str(program))
        if not subprocess.run([str(compiler), *options], capture_output=True, check=False).returncode:  # noqa: S603
            commands.append([str(program), *arguments])
    return commands


def measure(commands: list[list[str]]) -> dict[str, float]:
    """One measurement of each; a processor that lacks what a program needs gives none."""
    figures: dict[str, float] = {}
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        for line in done.stdout.splitlines():
            told = json.loads(line)
            figures[told["bench"]] = told.get("games_s") or told["solves_s"]
    return figures
