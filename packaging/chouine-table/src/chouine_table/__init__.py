"""`chouine-table`: open the table in a browser. Takes the arguments of `chouine serve`."""

from __future__ import annotations

import sys
from multiprocessing import freeze_support

from chouine.cli import main as chouine


def main() -> int:
    """Serve the table on this machine and open a browser; return the exit status."""
    freeze_support()  # a frozen program starts itself as its worker processes
    return chouine(["serve", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
