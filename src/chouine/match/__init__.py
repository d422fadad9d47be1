"""Parties made into manches and a match (§13); what comes before a deal (§2) and what spoils it (§4, §15)."""

from chouine.match.draw import Tirage, cut, cut_void, cutter
from chouine.match.entries import Entry, Forfeit
from chouine.match.errors import InvalidEntry
from chouine.match.faults import Fault, Misdeal, Penalty, Slip, penalty, punished
from chouine.match.format import Format
from chouine.match.score import Match

__all__ = [
    "Entry",
    "Fault",
    "Forfeit",
    "Format",
    "InvalidEntry",
    "Match",
    "Misdeal",
    "Penalty",
    "Slip",
    "Tirage",
    "cut",
    "cut_void",
    "cutter",
    "penalty",
    "punished",
]
