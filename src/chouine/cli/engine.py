"""Answer the engine protocol on standard input and output, until `quit`."""

from __future__ import annotations

import argparse
import io
import sys
from random import Random

from chouine.players import player_of
from chouine.players.engine import Engine

LEVELS = ("random", "heuristic")


def configure(_: argparse.ArgumentParser) -> None:
    """It takes no arguments: whoever drives it says what it wants."""


def run(_: argparse.Namespace) -> int:
    """Hold the conversation; 0 at `quit` or at its end."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    rng = Random()
    engine = Engine([player_of(level, rng) for level in LEVELS])
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        for answer in engine.answer(line):
            print(answer, flush=True)
    return 0
