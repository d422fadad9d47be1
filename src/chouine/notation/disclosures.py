"""Information that a partie line cannot express: cards shown (§9.5), and the seat that took the turnup (§11).

It is sent beside a view's line, so that a program knows all that a player in this process knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from chouine.cards import CardSet
from chouine.notation.knowledge import count_unknown, may_exchange, objection, unseen_cards
from chouine.notation.replay import as_shown, opening_position
from chouine.partie.actions import Declaration, Play
from chouine.partie.apply import figure_shown, position_after
from chouine.partie.deal import drawing_order
from chouine.partie.events import Declared, Event, Exchanged, Played, Shown
from chouine.partie.view import View
from chouine.rules.play import exchange
from chouine.rules.position import NONE


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


def disclose(view: View, known: Disclosures) -> View:
    """A view from a line, completed by this information. Raises `ValueError` if their numbers differ."""
    has = disclosures(view)
    if (len(known.shown), len(known.exchanged)) != (len(has.shown), len(has.exchanged)):
        raise ValueError("not one for each of the line")
    shown, exchanged = iter(known.shown), iter(known.exchanged)

    def completed_event(event: Event) -> Event:
        match event:
            case Shown():
                return replace(event, cards=next(shown))
            case Exchanged():
                return replace(event, seat=next(exchanged))
            case _:
                return event

    return View(view.rules, view.observer, tuple(map(completed_event, view.events)))


def contradicts(view: View) -> bool:
    """Whether what was disclosed contradicts the rest of a view: cards shown that lie elsewhere, another's exchange."""
    rule_table, talon = view.rule_table, drawing_order(view.deal.talon)
    p, fallen, laid = opening_position(view.rules, view.deal), 0, dict[int, int]()
    said: Declaration | None = None
    for event in view.events[1:]:
        match event:
            case Declared(declaration=said):
                pass
            case Played(seat, card):
                act = Play(card, said)
                if objection(rule_table, talon, p, fallen, act):
                    return True
                p, said, fallen = position_after(rule_table, talon, p, seat, act), None, fallen | 1 << card
                laid[seat] = 1 << card
            case Exchanged(seat):
                holders = may_exchange(rule_table, p, unseen_cards(rule_table, talon, p, fallen))
                if not holders or seat not in (None, *holders):
                    return True
                p = exchange(p, NONE if seat is None else seat)
            case Shown(seat, declaration, cards) if cards is not None:
                free = unseen_cards(rule_table, talon, p, fallen) if count_unknown(rule_table, p, seat) else 0
                if figure_shown(rule_table, declaration, cards.mask) != cards:
                    return True
                if cards.mask & ~(p.hands[seat] | free | laid[seat]):
                    return True
                p = as_shown(p, (event,), fallen)
                if p.turn >= 0 and count_unknown(rule_table, p, seat) < 0:
                    return True
    return False
