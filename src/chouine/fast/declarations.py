"""The declaration a card is laid with, and the `eager` policy, which looks at nothing else. Kernel Python."""

from __future__ import annotations

from chouine.fast.bits import highest_bit, random_member
from chouine.fast.kernels import kernel
from chouine.rules.play import companions, declarable, playable
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable


@kernel
def best_with(rule_table: RuleTable, declarations: int, card: int) -> int:
    """The best of these declarations that a card may accompany (§9.3), or NONE."""
    while declarations:
        best = highest_bit(declarations)
        if companions(rule_table, best) >> card & 1:
            return best
        declarations ^= 1 << best
    return NONE


@kernel
def eager_card(rule_table: RuleTable, p: Position, half: int) -> tuple[int, int]:
    """Any card of the seat on turn, each as likely by 32 random bits, and the best declaration with it or NONE."""
    cards = playable(rule_table, p)
    declarations = 0
    if p.pending >= 0:
        cards &= companions(rule_table, p.pending)
    else:
        declarations = declarable(rule_table, p, cards)
    card = random_member(cards, half)
    return card, best_with(rule_table, declarations, card)
