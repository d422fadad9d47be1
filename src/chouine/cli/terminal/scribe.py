"""Append finished parties to a record file."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path

from chouine.notation.records import Record
from chouine.table import TableState
from chouine.table.records import tags_of


def record_text(table: TableState, today: dt.date) -> str:
    """The record of the partie just finished, with the empty line that separates records."""
    finished = table.played[-1]
    return f"{Record.of(finished.state, {'Date': f'{today:%Y.%m.%d}'} | tags_of(table, finished))}\n\n"


def append(path: Path, text: str) -> None:
    """Append a record to a file unless it is there already, since an interrupted command counts the partie again."""
    with path.open("a+b") as file:
        added = text.encode()
        file.seek(max(0, file.seek(0, os.SEEK_END) - len(added)))
        if file.read() != added:
            file.write(added)
            file.flush()
            os.fsync(file.fileno())
