"""Chouines that win whatever the hidden cards are (§10)."""

from __future__ import annotations

from chouine.partie.actions import Declaration, Exchange, Figure, Play
from chouine.partie.view import View
from chouine.rules.combinations import CHOUINE, CHOUINES
from chouine.rules.play import declare, figure_suit, legal_for
from chouine.rules.position import NONE


def winning_declarations(view: View) -> list[Play]:
    """Acts of the seat on turn that declare a chouine which no other can beat."""
    seat = view.turn
    if seat is None or seat != view.observer or not legal_for(view.book, view.position, seat) & CHOUINES:
        return []
    return [act for act in view.legal if isinstance(act, Play) and is_unbeatable(view, act.declaration)]


def is_unbeatable(view: View, declaration: Declaration | None) -> bool:
    """Whether this is a trump chouine, or a chouine that no seat still to play can answer with one."""
    if declaration is None or declaration.figure is not Figure.CHOUINE:
        return False
    p = declare(view.book, view.position, int(declaration))
    if p.chouine != p.turn:
        return False
    return p.trump in (NONE, figure_suit(int(declaration))) or not can_be_answered(view)


def can_be_answered(view: View) -> bool:
    """Whether a seat still to play may hold the chouine in trumps."""
    p, seats = view.position, view.rules.seats
    needed = Declaration(CHOUINE + p.trump).cards(view.book).mask
    laid = (p.turn - p.leader) % seats
    after = ((p.turn + nth) % seats for nth in range(1, seats - laid))
    return any((view.unseen.mask | p.hands[seat]) & needed == needed for seat in after)


def chouine_decides(view: View) -> bool:
    """Whether the current trick is decided by another seat's chouine, which the seat on turn beats now or loses to."""
    return view.position.chouine >= 0 and view.turn == view.observer and Exchange() not in view.legal
