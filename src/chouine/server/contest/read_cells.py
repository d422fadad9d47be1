"""A spreadsheet's cells as JSON, read in a process of its own: `python -m chouine.server.contest.read_cells < FILE`.

The reader hangs on some damaged files, and takes all memory for others: then only this process ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from io import BytesIO

from chouine.errors import ActRefused

PATIENCE = 30
"""Time limit in seconds; a list of people usually takes one."""
MEMORY = 2 * 1024**3
"""Memory limit in bytes."""


def cells_of(content: bytes, most: int) -> list[list[str]]:
    """At most this many rows of the first sheet. Raises `ActRefused` for an unreadable file."""
    call = [sys.executable, "-m", "chouine.server.contest.read_cells", str(most)]
    try:
        done = subprocess.run(call, input=content, capture_output=True, timeout=PATIENCE, check=True)  # noqa: S603
    except (subprocess.SubprocessError, OSError) as fault:
        raise ActRefused("contest/no-list") from fault
    rows: list[list[str]] = json.loads(done.stdout)
    return rows


def main() -> None:
    """Write the cells as JSON; whole numbers without a decimal point."""
    import python_calamine as calamine

    with suppress(ImportError):  # without such a limit on this system, the time limit remains
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    book = calamine.load_workbook(BytesIO(sys.stdin.buffer.read()))
    rows = book.get_sheet_by_index(0).to_python(skip_empty_area=False, nrows=int(sys.argv[1]))
    json.dump([[cell_text(cell) for cell in row] for row in rows], sys.stdout)


def cell_text(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


if __name__ == "__main__":
    main()
