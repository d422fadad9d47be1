"""The state machine of one table, from the tirage to the belle, without I/O: server, terminal and others drive it.

`decide(table, command, now, shuffle)` gives the log entries a command adds; `evolve(table, entry, at)` gives the
next state. What a seat may see of it is a `Snapshot`.
"""

from chouine.table.commands import Command, Refused
from chouine.table.decide import decide
from chouine.table.entries import ClockTerms, LogEntry, Opened, SeatHolder
from chouine.table.evolve import evolve, rebuild
from chouine.table.snapshot import Snapshot, Watcher
from chouine.table.state import FinishedPartie, Phase, TableState

__all__ = [
    "ClockTerms",
    "Command",
    "FinishedPartie",
    "LogEntry",
    "Opened",
    "Phase",
    "Refused",
    "SeatHolder",
    "Snapshot",
    "TableState",
    "Watcher",
    "decide",
    "evolve",
    "rebuild",
]
