"""One partie as immutable values: deal, actions, events, state, and each seat's view."""

from chouine.partie.actions import Action, Declaration, Exchange, Figure, Play
from chouine.partie.deal import Deal, SeenDeal, SeenHand
from chouine.partie.events import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Shown,
    Taken,
    TrumpFixed,
    redact,
)
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.partie.view import AllowedView, View

__all__ = [
    "Action",
    "AllowedView",
    "AuSept",
    "Deal",
    "Dealt",
    "Declaration",
    "Declared",
    "Drawn",
    "Ended",
    "Event",
    "Exchange",
    "Exchanged",
    "Figure",
    "Play",
    "Played",
    "Result",
    "SeenDeal",
    "SeenHand",
    "Shown",
    "State",
    "Taken",
    "TrumpFixed",
    "View",
    "redact",
]
