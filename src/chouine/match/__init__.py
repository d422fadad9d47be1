"""A match of manches and parties (§13), the tirage before it (§2), misdeals and faults (§4, §15)."""

from chouine.match.draw import Tirage, cut, cut_void, cutter
from chouine.match.entries import Entry, Forfeit
from chouine.match.errors import InvalidEntry
from chouine.match.faults import Fault, FaultKind, Misdeal, Penalty, penalty, punish
from chouine.match.format import Format
from chouine.match.score import Match

__all__ = [
    "Entry",
    "Fault",
    "FaultKind",
    "Forfeit",
    "Format",
    "InvalidEntry",
    "Match",
    "Misdeal",
    "Penalty",
    "Tirage",
    "cut",
    "cut_void",
    "cutter",
    "penalty",
    "punish",
]
