"""`chouine-table`: open the table in the browser. What follows on the command line is that of `chouine serve`."""

from __future__ import annotations

import sys
from multiprocessing import freeze_support

from chouine.cli import main as chouine


def main() -> int:
    """Serve the table on this machine and open a browser; the exit status."""
    freeze_support()  # a program made of one folder starts itself for the computers' thoughts
    return chouine(["serve", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
