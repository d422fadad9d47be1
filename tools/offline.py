"""Python for browsers, put where the server finds it: `python -m tools.offline node_modules/pyodide`.

The compiled packages lie there already; Pyodide's files are compressed once, as they are sent.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

from chouine.server.offline.bundle import PYTHON, packed

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
"""Modules of the standard library that nothing here imports: half a megabyte."""


def main(pyodide: Path) -> None:
    """Compress what is needed of a Pyodide package."""
    for name in PYTHON:
        body = (pyodide / name).read_bytes()
        packed(name).write_bytes(gzip.compress(slim(body) if name == LIBRARY else body, 9, mtime=0))


def slim(library: bytes) -> bytes:
    """The standard library without what is not used."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as whole, zipfile.ZipFile(made, "w") as kept:
        for entry in whole.infolist():
            if entry.filename.split("/")[0].removesuffix(".py") not in UNUSED:
                kept.writestr(entry, whole.read(entry))
    return made.getvalue()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
