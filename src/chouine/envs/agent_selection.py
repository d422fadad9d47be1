"""The deciding seat and its actions, step by step.

Kernel Python, as in `rules`. A learner's step is one of the 51 actions of `rules.combinations`, or `LET_PASS`: at
"au sept" (§11) the seat with the seven is asked before the lead, and nobody else learns that it was.
"""

from __future__ import annotations

from chouine.fast.kernels import kernel
from chouine.rules.combinations import ACTIONS, EXCHANGE
from chouine.rules.play import au_sept, exchanger, legal_for
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

LET_PASS = ACTIONS
"""At "au sept", keep the seven (§11)."""
NUMBERS = ACTIONS + 1
"""Number of actions."""
OTHERS_SEVEN = 1 << EXCHANGE | 1 << LET_PASS
"""Actions of a seat that is not on turn, at "au sept"."""


@kernel
def actor(rule_table: RuleTable, p: Position, let_pass: int) -> int:
    """The seat whose decision it is, or NONE. `let_pass`: whether the seven's holder has let "au sept" pass."""
    if p.turn >= 0 and not let_pass and au_sept(rule_table, p):
        holder = exchanger(rule_table, p)
        if holder >= 0:
            return holder
    return p.turn


@kernel
def choices(rule_table: RuleTable, p: Position, seat: int) -> int:
    """The legal actions of the deciding seat, as a set of numbers."""
    return legal_for(rule_table, p, seat) if seat == p.turn else OTHERS_SEVEN


def rewards_of(seats: int, winner: int | None) -> list[float]:
    """Each seat's reward when the partie is over."""
    if winner is None:
        return [0.0] * seats
    return [1.0 if seat == winner else -1.0 / (seats - 1) for seat in range(seats)]
