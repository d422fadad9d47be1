"""A match of manches and parties (§13), the tirage before it (§2), misdeals and faults (§4, §15)."""

from chouine.match.draw import InvalidEntry, Tirage, cut, cut_void, cutter
from chouine.match.faults import Fault, FaultKind, Misdeal, Penalty, penalty, punish
from chouine.match.score import Entry, Forfeit, Format, Match

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
