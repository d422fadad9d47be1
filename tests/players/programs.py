"""Programs for the engine protocol's tests, correct and faulty."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from chouine.notation.lines import read_view

CHOUINE = f"{shlex.quote(sys.executable)} -m chouine engine"
OPENING = read_view("classic b Q7.97..8|?5 Jd ?????????????????????????????????????????? :", 0)
HANDSHAKE = """
import sys, time, os
def say(line): print(line, flush=True)
assert sys.stdin.readline() == "hello\\n"
say("id name Wrong"); say("rules classic"); say("option level 1..8"); say("ready")
"""
LISTEN = "for line in sys.stdin:\n    if line.startswith('go'): "

Write = Callable[[str], str]


def write_program(folder: Path, text: str) -> str:
    """Write a program and return the command that runs it."""
    path = folder / "an engine.py"
    path.write_text(text)
    return f"{shlex.quote(sys.executable)} -S {shlex.quote(str(path))}"
