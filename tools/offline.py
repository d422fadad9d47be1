"""Python for browsers, put where the server finds it: `python -m tools.offline node_modules/pyodide`.

The compiled packages lie there already; Pyodide's files are compressed once, as they are sent.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from chouine.server.offline.bundle import PYTHON, packed


def main(pyodide: Path) -> None:
    """Compress what is needed of a Pyodide package."""
    for name in PYTHON:
        packed(name).write_bytes(gzip.compress((pyodide / name).read_bytes(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
