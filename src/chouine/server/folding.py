"""Folding a stored log: an entry that does not follow from those before it means that the log is damaged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from chouine.server.database import Damaged
from chouine.server.steps import Step
from chouine.server.steps import steps_of as made_of
from chouine.table.entries import LogEntry
from chouine.table.evolve import rebuild as rebuilt
from chouine.table.state import TableState


@contextmanager
def stored() -> Iterator[None]:
    """Within this context any error is `Damaged`: each entry was legal when it was written."""
    try:
        yield
    except Exception as error:
        raise Damaged from error


def rebuild(entries: Iterable[tuple[LogEntry, float]], table: TableState | None = None) -> TableState:
    """As in `evolve`. Raises `Damaged`."""
    with stored():
        return rebuilt(entries, table)


def steps_of(room: TableState, entries: Iterable[tuple[LogEntry, float]]) -> list[Step]:
    """As in `steps`. Raises `Damaged`."""
    with stored():
        return made_of(room, entries)
