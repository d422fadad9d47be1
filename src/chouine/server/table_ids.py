"""Identifiers of special tables: they name the contest of a table, or mark a match played without a network."""

from __future__ import annotations

NAMED, TABLE = 12, "c-"
"""Length of a contest's identifier, and the prefix of its tables' identifiers, which the contest's own follows."""
IMPORTED = "i-"
"""Prefix of matches that were brought as a file of records."""
LENGTH = 32
"""Length of a table's identifier."""
OFFLINE = "o-"
"""Prefix of matches that were played without a network and uploaded."""


def contest_in(table_id: str) -> str:
    """The contest that a table belongs to; empty for any other table."""
    return (
        table_id[len(TABLE) : len(TABLE) + NAMED]
        if table_id.startswith(TABLE) and len(table_id) == LENGTH
        else ""
    )


def played_offline(table_id: str) -> bool:
    """Whether a match was played without a network."""
    return table_id.startswith(OFFLINE) and len(table_id) == LENGTH


def brought_as_file(table_id: str) -> bool:
    """Whether a match was brought as a file of records."""
    return table_id.startswith(IMPORTED) and len(table_id) == LENGTH
