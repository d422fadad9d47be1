"""A spreadsheet's cells as JSON, read in a process of its own: `python -m chouine.desk.spreadsheet < FILE`.

The reader never comes back from some damaged files, and asks for all memory for others: then only this process ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from io import BytesIO

from chouine.tournament.errors import ActRefused

PATIENCE = 30
"""Seconds for a list of people; a second is usual."""
MEMORY = 2 * 1024**3
"""Bytes."""


def cells_of(content: bytes, most: int) -> list[list[str]]:
    """The first sheet's rows, so many at most; `ActRefused` for what cannot be read."""
    call = [sys.executable, "-m", "chouine.desk.spreadsheet", str(most)]
    try:
        done = subprocess.run(call, input=content, capture_output=True, timeout=PATIENCE, check=True)  # noqa: S603
    except (subprocess.SubprocessError, OSError) as fault:
        raise ActRefused("contest/no-list") from fault
    rows: list[list[str]] = json.loads(done.stdout)
    return rows


def main() -> None:
    """Write the cells; a whole number without its point."""
    import python_calamine as calamine

    with suppress(ImportError):  # where the system has no such limit, time alone ends it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    book = calamine.load_workbook(BytesIO(sys.stdin.buffer.read()))
    rows = book.get_sheet_by_index(0).to_python(nrows=int(sys.argv[1]))
    json.dump([[written(cell) for cell in row] for row in rows], sys.stdout)


def written(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


if __name__ == "__main__":
    main()
