"""Chouines that win whatever the hidden cards are (§10)."""

from __future__ import annotations

from chouine.ai.deduced import plain_public_knowledge
from chouine.cards import ALL_CARDS
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge, cards_played
from chouine.partie.actions import Exchange, Play
from chouine.partie.view import View
from chouine.rules.combinations import CHOUINE, CHOUINES, MARIAGE
from chouine.rules.play import declare, figure_suit, legal_for
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


@kernel
def unseen_by(rule_table: RuleTable, p: Position, seen: PublicKnowledge, seat: int) -> int:
    """The set of cards that may be in other hands or in the talon, as far as a seat knows."""
    located = cards_played(seen) | p.hands[seat] | (1 << p.turnup if p.turnup >= 0 else 0)
    for other in range(rule_table.seats):
        located |= seen.known[other]
    return ALL_CARDS & ~located


@kernel
def wins_for_certain(rule_table: RuleTable, p: Position, seen: PublicKnowledge, declaration: int) -> bool:
    """Whether a declaration is a chouine that no seat still to play can beat (§10)."""
    if declaration < 0 or not 1 << declaration & CHOUINES:
        return False
    after = declare(rule_table, p, declaration)
    if after.chouine != p.turn:
        return False
    if after.trump < 0 or after.trump == figure_suit(declaration):
        return True
    needed = rule_table.figure_cards[CHOUINE - MARIAGE + after.trump]
    unseen = unseen_by(rule_table, p, seen, p.turn)
    laid = (p.turn - p.leader) % rule_table.seats
    for place in range(1, rule_table.seats - laid):
        if (unseen | seen.known[(p.turn + place) % rule_table.seats]) & needed == needed:
            return False
    return True


def winning_declarations(view: View) -> list[Play]:
    """Acts of the seat on turn that declare a chouine which no other can beat."""
    seat, rule_table, p = view.turn, view.rule_table, view.position
    if seat is None or seat != view.observer or not legal_for(rule_table, p, seat) & CHOUINES:
        return []
    seen = plain_public_knowledge(view)
    return [
        act
        for act in view.legal
        if isinstance(act, Play)
        and act.declaration
        and wins_for_certain(rule_table, p, seen, int(act.declaration))
    ]


def chouine_decides(view: View) -> bool:
    """Whether the current trick is decided by another seat's chouine, which the seat on turn beats now or loses to."""
    return view.position.chouine >= 0 and view.turn == view.observer and Exchange() not in view.legal
