"""What a chouine makes certain, whatever the hidden cards are (§10)."""

from __future__ import annotations

from chouine.partie.actions import Declaration, Exchange, Figure, Play
from chouine.partie.view import View
from chouine.rules.combinations import CHOUINE, CHOUINES
from chouine.rules.play import declare, figure_suit, legal_for
from chouine.rules.position import NONE


def winning(view: View) -> list[Play]:
    """The acts of the seat on turn that declare a chouine which no other can beat."""
    seat = view.turn
    if seat is None or seat != view.observer or not legal_for(view.book, view.position, seat) & CHOUINES:
        return []
    return [act for act in view.legal if isinstance(act, Play) and wins(view, act.declaration)]


def wins(view: View, declaration: Declaration | None) -> bool:
    """Whether a declaration is a chouine in trumps, or in another suit where nobody left to play can hold that."""
    if declaration is None or declaration.figure is not Figure.CHOUINE:
        return False
    p = declare(view.book, view.position, int(declaration))
    if p.chouine != p.turn:
        return False
    return p.trump in (NONE, figure_suit(int(declaration))) or not answered(view)


def answered(view: View) -> bool:
    """Whether a seat that plays after the one on turn may hold the chouine in trumps."""
    p, seats = view.position, view.rules.seats
    needed = Declaration(CHOUINE + p.trump).cards(view.book).mask
    laid = (p.turn - p.leader) % seats
    after = ((p.turn + nth) % seats for nth in range(1, seats - laid))
    return any((view.unseen.mask | p.hands[seat]) & needed == needed for seat in after)


def decided(view: View) -> bool:
    """Whether another's chouine lies on the table, and the seat on turn beats it now or has lost."""
    return view.position.chouine >= 0 and view.turn == view.observer and Exchange() not in view.legal
