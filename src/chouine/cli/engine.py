"""Answer the engine protocol on standard input and output, until `quit`: levels 1 to 8, without numba to 6."""

from __future__ import annotations

import argparse
import io
import sys
from random import Random

from chouine.ai.levels import UNAIDED, Level, highest
from chouine.players.engine import Engine


def configure(_: argparse.ArgumentParser) -> None:
    """It takes no arguments: whoever drives it says what it wants."""


def run(_: argparse.Namespace) -> int:
    """Hold the conversation; 0 at `quit` or at its end."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    import chouine.ai.frail  # noqa: F401  # what the first answer needs is read before any is asked for

    seed = Random().getrandbits(32)
    # Until told otherwise the highest level that needs nothing compiled, so that the first answer is quick.
    engine = Engine([Level(number, seed) for number in range(1, highest() + 1)], first=UNAIDED)
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        for answer in engine.answer(line):
            print(answer, flush=True)
    return 0
