"""C programs as a yardstick for the machine's speed, if their sources are beside this repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "shared" / "yardstick"
SHUFFLED = ("-mno-avx512vpopcntdq", "-include", str(Path(__file__).with_name("popcount.h")))
"""Options for AVX-512 processors without population count; others can run these programs too."""


@dataclass(frozen=True)
class Program:
    """A program, its build options and arguments, and a suffix for the names of its figures."""

    source: str
    arguments: tuple[str, ...]
    options: tuple[str, ...] = ()
    suffix: str = ""


PROGRAMS = (
    Program("bench.c", ("0.3", "1", "c")),
    Program("simd.c", ("0.3", "1")),
    Program("simd.c", ("0.3", "1"), SHUFFLED, "_shuffled"),
)
Command = tuple[list[str], str]
"""A command, and the suffix of its figures."""


def build(folder: Path) -> list[Command]:
    """The commands that can be built and run here; empty without the sources or a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    commands = []
    for each in PROGRAMS if compiler and SOURCES.is_dir() else ():
        program = folder / f"{Path(each.source).stem}{each.suffix}"
        options = ("-O3", "-march=native", *each.options, str(SOURCES / each.source), "-o", str(program))
        if not subprocess.run([str(compiler), *options], capture_output=True, check=False).returncode:  # noqa: S603
            commands.append(([str(program), *each.arguments], each.suffix))
    return commands


def measure(commands: list[Command]) -> dict[str, float]:
    """One measurement of each; a program that this processor cannot run gives no figure."""
    figures: dict[str, float] = {}
    for command, suffix in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        for line in done.stdout.splitlines():
            told = json.loads(line)
            figures[told["bench"] + suffix] = told.get("games_s") or told["solves_s"]
    return figures
