"""Finished parties appended to a record file."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from pathlib import Path

from chouine.cli.terminal.talk import Finished
from chouine.notation.records import Record
from chouine.partie.deal import SEATS


def record_text(partie: Finished, names: Sequence[str], today: dt.date) -> str:
    """The partie as a record, and the empty line that parts it from the next."""
    match = partie.match
    tags = {
        "Date": f"{today:%Y.%m.%d}",
        "Players": "; ".join(names),
        "Format": str(match.format),
        "Manche": str(match.manche),
        "Partie": str(match.partie),
        "Score": match.score_text,
    }
    if partie.stopped is not None and partie.state.result:
        tags["Termination"] = f"{partie.state.result.by} {SEATS[partie.stopped]}"
    return f"{Record.of(partie.state, tags)}\n\n"


def append(path: Path, text: str) -> None:
    """Add a record to a file; once only, if the command is cut short and the same partie is counted again."""
    with path.open("a+b") as file:
        added = text.encode()
        file.seek(max(0, file.seek(0, os.SEEK_END) - len(added)))
        if file.read() != added:
            file.write(added)
            file.flush()
            os.fsync(file.fileno())
