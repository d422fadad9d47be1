"""Information that a partie line cannot express: cards shown (§9.5), and the seat that took the turnup (§11).

It is sent beside a view's line, so that a program knows all that a player in this process knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from chouine.cards import CardSet
from chouine.partie.events import Event, Exchanged, Shown
from chouine.partie.view import View


class Disclosures(NamedTuple):
    """The information, in the order of a view's events."""

    shown: tuple[CardSet | None, ...]
    """The cards shown for each declaration; None: unknown."""
    exchanged: tuple[int | None, ...]
    """The seat of each exchange; None: unknown."""


def disclosures(view: View) -> Disclosures:
    """The information that a view holds."""
    return Disclosures(
        tuple(event.cards for event in view.events if isinstance(event, Shown)),
        tuple(event.seat for event in view.events if isinstance(event, Exchanged)),
    )


def disclosed(view: View, known: Disclosures) -> View:
    """A view from a line, completed by this information. Raises `ValueError` if their numbers differ."""
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
