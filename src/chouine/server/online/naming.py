"""What some tables are called: by its name alone a table tells its contest, or that it was played without a network."""

from __future__ import annotations

NAMED, TABLE = 12, "c-"
"""Signs of a contest's identifier; what the identifier of each of its tables begins with, before the contest's own."""
LENGTH = 32
"""Signs of a table's identifier."""
OFFLINE = "o-"
"""What the identifier of a match begins with that was played without a network and brought here."""


def contest_in(game: str) -> str:
    """The contest that a table belongs to; empty for any other table."""
    return game[len(TABLE) : len(TABLE) + NAMED] if game.startswith(TABLE) and len(game) == LENGTH else ""


def played_offline(game: str) -> bool:
    """Whether a match was played without a network."""
    return game.startswith(OFFLINE) and len(game) == LENGTH
