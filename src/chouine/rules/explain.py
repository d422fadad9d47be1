"""Why an action is not legal now: a code for any of the 51 actions, None for those that are.

`explain(book, p, seat, action) is None` if and only if `legal_for(rule_table, p, seat)` has the action (a law in the
tests). `chouine.phrases` says the codes in French and English, each naming its §.
"""

from __future__ import annotations

from chouine.rules.combinations import (
    EXCHANGE,
    MARIAGE,
    QUINTE,
    TRENTE,
    brisques_held,
    brisques_needed,
)
from chouine.rules.play import (
    au_sept,
    bound_cards,
    closed_figures,
    companions,
    declarable,
    exchange_open,
    led_suit,
    playable,
)
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


def explain(rule_table: RuleTable, p: Position, seat: int, action: int) -> str | None:
    """The code of the rule that forbids this seat this action now, or None if it is legal."""
    if p.turn < 0:
        return "illegal/over"
    if action == EXCHANGE:
        return explain_exchange(rule_table, p, seat)
    if seat != p.turn:
        asked = au_sept(rule_table, p) and p.hands[seat] >> 8 * p.trump & 1
        return "illegal/au-sept-asked" if asked else "illegal/not-your-turn"
    if action < EXCHANGE:
        return explain_card(rule_table, p, action)
    return explain_declaration(rule_table, p, action)


def explain_exchange(rule_table: RuleTable, p: Position, seat: int) -> str | None:
    """Why the exchange is not open now (§11), the plainest reason first."""
    if not rule_table.turned:
        return "illegal/no-turnup"
    if p.tricks >= rule_table.drawing:
        return "illegal/no-draw-left"
    if p.turnup & 7 == 0:
        return "illegal/seven-turned"
    if not p.hands[seat] >> 8 * p.trump & 1:
        return "illegal/no-seven"
    if seat != p.turn and not au_sept(rule_table, p):
        return "illegal/not-your-turn"
    if p.pending >= 0:
        return "illegal/card-awaited"
    if exchange_open(rule_table, p):
        return None
    if p.tricks < rule_table.drawing - 1:
        return "illegal/seven-on-lead"
    if not rule_table.seven_last:
        return "illegal/seven-too-late"
    return "illegal/au-sept-past" if rule_table.au_sept else "illegal/seven-on-lead"


def explain_card(rule_table: RuleTable, p: Position, card: int) -> str | None:
    """§8, and §9.3 for the card that follows a declaration."""
    if not p.hands[p.turn] >> card & 1:
        return "illegal/not-held"
    if not playable(rule_table, p) >> card & 1:
        return explain_obligation(rule_table, p, card)
    if p.pending >= 0 and not companions(rule_table, p.pending) >> card & 1:
        return "illegal/not-of-figure"
    return None


def explain_obligation(rule_table: RuleTable, p: Position, card: int) -> str:
    """Which obligation of §8 a held card breaks."""
    must = bound_cards(rule_table, p, p.hands[p.turn])
    led = led_suit(p)
    suit = must.bit_length() - 1 >> 3
    if suit == led:
        return "illegal/must-head" if card >> 3 == led else "illegal/must-follow"
    return "illegal/must-overruff" if card >> 3 == suit else "illegal/must-ruff"


def explain_declaration(rule_table: RuleTable, p: Position, declaration: int) -> str | None:
    """Why a declaration is not open now (§9), clause by clause."""
    if p.pending >= 0:
        return "illegal/card-awaited"
    if not exists(rule_table, declaration):
        return "illegal/no-such-figure"
    if rule_table.declare_lead and p.table:
        return "illegal/declare-on-lead"
    if not holds(rule_table, p.hands[p.turn], declaration):
        return "illegal/figure-not-held"
    if p.said[p.turn] >> declaration & 1:
        return "illegal/said-already"
    if closed_figures(rule_table, p.said[p.turn]) >> declaration & 1:
        return "illegal/suit-counted"
    if not declarable(rule_table, p, playable(rule_table, p)) >> declaration & 1:
        return "illegal/figure-not-playable"
    return None


def exists(rule_table: RuleTable, declaration: int) -> bool:
    """Whether these seats know the figure (§9): with three and four only mariage, trente and chouine."""
    if rule_table.seats == 2:
        return declaration != TRENTE
    return declaration < MARIAGE + 4 or declaration >= TRENTE


def holds(rule_table: RuleTable, hand: int, declaration: int) -> bool:
    """Whether a hand holds the whole figure (§9.2)."""
    if declaration in (QUINTE, TRENTE):
        return brisques_held(hand, brisques_needed(declaration))
    cards = rule_table.figure_cards[declaration - MARIAGE]
    return hand & cards == cards
