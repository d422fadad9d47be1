"""How long a match and its log may be: each table is folded from its log by whichever node first meets it."""

from __future__ import annotations

from chouine.match.score import Format
from chouine.table.commands import (
    Advise,
    Command,
    Explain,
    ForfeitMatch,
    GoOnHoliday,
    Leave,
    Pause,
    Refused,
    Speak,
    TakeBack,
)
from chouine.table.entries import Opened
from chouine.table.state import TableState

LONGEST_MANCHE = 10
"""Parties to win for a manche: the sources play to 3 or 5 (§13)."""
LONGEST_LOG = 8_000
"""Entries: a match of the longest form takes some 3,000."""
LONGEST_TALK = LONGEST_LOG // 2
"""From then on nobody speaks, pauses, goes on holiday or is helped, so that the partie can still be played."""


def check_terms(opened: Opened) -> None:
    """`Refused` for a match longer than a table may hold."""
    if Format.parse(opened.format).parties > LONGEST_MANCHE:
        raise Refused("table/manche-too-long", parties=LONGEST_MANCHE)


def check_length(table: TableState, command: Command) -> None:
    """`Refused` for what would make a log endless."""
    if table.n >= LONGEST_TALK and isinstance(
        command, Speak | Pause | GoOnHoliday | Explain | Advise | TakeBack
    ):
        raise Refused("table/said-enough")
    if table.n >= LONGEST_LOG and not isinstance(command, ForfeitMatch | Leave):
        raise Refused("table/log-full", entries=LONGEST_LOG)
