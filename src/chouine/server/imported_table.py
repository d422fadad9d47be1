"""A match of which this server knows only what a file of records tells."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.notation.records import Record
from chouine.table.entries import NOBODY
from chouine.table.state import TableState


@dataclass(frozen=True)
class ImportedTable(TableState):
    """A match as a file tells it: over, with nobody's guest at its seats."""

    records: tuple[Record, ...] = ()
    """The parties as the file has them, with its tags and comments."""
    owner: str = NOBODY
    """The guest who brought it."""
