"""One table as a pure reducer: (room, command, now) gives log entries, and the room is the fold of its entries."""

from chouine.server.room.commands import Command, Refused
from chouine.server.room.decide import decide
from chouine.server.room.entries import Chair, ClockTerms, Entry, Opened
from chouine.server.room.fold import fold, follow
from chouine.server.room.state import Phase, Played, Room

__all__ = [
    "Chair",
    "ClockTerms",
    "Command",
    "Entry",
    "Opened",
    "Phase",
    "Played",
    "Refused",
    "Room",
    "decide",
    "fold",
    "follow",
]
