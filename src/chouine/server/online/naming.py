"""What the tables of a contest are called, so that a table tells which contest it belongs to."""

from __future__ import annotations

NAMED, TABLE = 12, "c-"
"""Signs of a contest's identifier; what the identifier of each of its tables begins with, before the contest's own."""
LENGTH = 32
"""Signs of a table's identifier."""


def contest_in(game: str) -> str:
    """The contest that a table belongs to; empty for any other table."""
    return game[len(TABLE) : len(TABLE) + NAMED] if game.startswith(TABLE) and len(game) == LENGTH else ""
