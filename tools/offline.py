"""Pack Pyodide for the server: `python -m tools.offline node_modules/pyodide`.

The compiled packages are in that folder already; Pyodide's files are compressed once, as they are served.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

from chouine.server.offline.bundle import PYTHON, packed_path

LIBRARY = "python_stdlib.zip"
UNUSED = {
    *(
        "_pyrepl",
        "doctest",
        "ftplib",
        "imaplib",
        "mailbox",
        "multiprocessing",
        "optparse",
        "pdb",
        "pickletools",
    ),
    *("poplib", "pydoc", "turtle", "unittest", "wsgiref", "xml", "xmlrpc"),
}
"""Unused modules of the standard library: half a megabyte."""


def main(pyodide: Path) -> None:
    """Compress the required files of a Pyodide package."""
    for name in PYTHON:
        body = (pyodide / name).read_bytes()
        packed_path(name).write_bytes(gzip.compress(slim(body) if name == LIBRARY else body, 9, mtime=0))


def slim(library: bytes) -> bytes:
    """The standard library without unused modules."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as whole, zipfile.ZipFile(made, "w") as kept:
        for entry in whole.infolist():
            if entry.filename.split("/")[0].removesuffix(".py") not in UNUSED:
                kept.writestr(entry, whole.read(entry))
    return made.getvalue()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
