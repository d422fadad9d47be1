"""Check that a desktop build starts and answers, with an empty home: `python -m tools.desktop dist/Chouine`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

PATIENCE = 60.0
"""Timeout in seconds for the first page."""


def main(folder: Path) -> int:
    """Start the program, request its first page, stop it; return the exit status."""
    program = folder.resolve() / ("Chouine.exe" if os.name == "nt" else "Chouine")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        places = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"), home)
        process = subprocess.Popen(  # noqa: S603  # the build under test
            [program, "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=home,
            env=os.environ | places,
        )
        try:
            line = process.stdout.readline() if process.stdout else ""
            address = line.partition(": ")[2].strip()
            with urlopen(address, timeout=PATIENCE) as page:  # noqa: S310  # its own address on this machine
                shown = b'value="level:8"' in page.read()  # the strongest level is available
        finally:
            process.terminate()
            process.wait(PATIENCE)
    print("It starts and answers." if shown else "There is no first page.")
    return not shown


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
