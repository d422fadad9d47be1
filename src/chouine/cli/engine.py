"""Run an engine on standard input and output until `quit`: levels 1 to 8, or to 6 without numba."""

from __future__ import annotations

import argparse
import io
import sys
from gettext import gettext as _
from random import Random

from chouine.ai.levels import UNAIDED, highest_level
from chouine.cli.texts import write_utf8
from chouine.notation.reader import lines_of
from chouine.players.engine import EngineSession
from chouine.players.process import LONGEST_LINE
from chouine.registry import AnyRules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Answer the engine protocol on standard input and output until `quit`, at levels 1 to 8; "
        "without numba up to level 6."
    )
    parser.add_argument(
        "--level",
        metavar="N",
        type=int,
        choices=range(1, highest_level() + 1),
        default=UNAIDED,
        help=_("level that answers until told otherwise (default: %(default)s)"),
    )


def run(args: argparse.Namespace) -> int:
    """Answer commands; exit code 0 at `quit` or at the end of input."""
    write_utf8()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    import chouine.ai.levels  # noqa: F401  # what the first answer needs is read before any is asked for

    seed = Random().getrandbits(32)
    # Unless asked, the highest level that needs nothing compiled answers, so that the first answer is quick.
    engine = EngineSession(
        [AnyRules(f"level:{number}", seed) for number in range(1, highest_level() + 1)], first=args.level
    )
    for line in lines_of(sys.stdin, LONGEST_LINE):
        if line.strip() == "quit":
            break
        for answer in engine.answer(line):
            print(answer, flush=True)
    return 0
