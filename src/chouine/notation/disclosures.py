"""What a partie line has no place for: which cards were laid open (§9.5), and which seat took the turnup (§11).

Whoever sends a view as text sends these beside it, so that a program knows what a player in this process knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from chouine.cards import CardSet
from chouine.partie.events import Event, Exchanged, Shown
from chouine.partie.view import View


class Disclosures(NamedTuple):
    """In the order of a view's events."""

    shown: tuple[CardSet | None, ...]
    """The cards of each declaration laid open; None: not known."""
    exchanged: tuple[int | None, ...]
    """The seat of each exchange; None: not known."""


def disclosures(view: View) -> Disclosures:
    """What a view knows of them."""
    return Disclosures(
        tuple(event.cards for event in view.events if isinstance(event, Shown)),
        tuple(event.seat for event in view.events if isinstance(event, Exchanged)),
    )


def disclosed(view: View, known: Disclosures) -> View:
    """A view read from its line, with what the line has no place for; `ValueError` if it has more of them, or fewer."""
    has = disclosures(view)
    if (len(known.shown), len(known.exchanged)) != (len(has.shown), len(has.exchanged)):
        raise ValueError("not one for each of the line")
    shown, exchanged = iter(known.shown), iter(known.exchanged)

    def whole(event: Event) -> Event:
        match event:
            case Shown():
                return replace(event, cards=next(shown))
            case Exchanged():
                return replace(event, seat=next(exchanged))
            case _:
                return event

    return View(view.rules, view.observer, tuple(map(whole, view.events)))
