"""`chouine-table`: open the table in a browser, or with `chouine-table concours` the desk of a contest."""

from __future__ import annotations

import runpy
import sys
from multiprocessing import freeze_support

from chouine.cli import main as chouine

MODULE = 2
"""Arguments before a module's own: `-m` and its name."""


def main(*command: str) -> int:
    """Run a command of `chouine`, by default `serve`, and open a browser; return the exit status.

    Arguments are those of the command.

    A frozen program has no Python beside it: called as Python is, with `-m` and a module's name, it runs the module.
    """
    freeze_support()  # a frozen program starts itself as its worker processes
    words = sys.argv[1:]
    if getattr(sys, "frozen", False) and len(words) >= MODULE and words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__")
        return 0
    if words[:1] == ["concours"] and not command:
        return chouine(words)
    return chouine([*(command or ("serve",)), *words])


if __name__ == "__main__":
    sys.exit(main())
