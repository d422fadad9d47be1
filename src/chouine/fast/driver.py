"""The one loop that plays a partie on, and the steps that its turns consist of. Kernel Python.

    play_greedily = driver(greedy_turn, between_last_tricks)
    p, carried = play_greedily(rule_table, talon, p, carried, given)

A turn is a kernel, `turn(rule_table, talon, p, carried, given)`, that returns the position after it and what it
carries on: a random stream, what is public, the row to record next. What is given stays the same, a policy say:
carried on too, it would cost a tenth of all time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chouine.fast.bits import highest_bit, random_member
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge, update_knowledge
from chouine.rules.combinations import EXCHANGE
from chouine.rules.play import companions, declarable, declare, exchange, exchanger, lay, playable, step
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

Turn = Callable[[RuleTable, Any, Position, Any, Any], tuple[Position, Any]]


@kernel
def never(_rule_table: RuleTable, _p: Position) -> bool:
    return False


def driver(turn: Turn, until: Callable[[RuleTable, Position], bool] = never) -> Turn:
    """Make the kernel that plays turns until the partie is over or `until(rule_table, p)` holds."""

    def play_on(
        rule_table: RuleTable, talon: Sequence[int], p: Position, carried: Any, given: Any
    ) -> tuple[Position, Any]:
        while p.turn >= 0 and not until(rule_table, p):
            p, carried = turn(rule_table, talon, p, carried, given)
        return p, carried

    return kernel(play_on)


@kernel
def swapper(rule_table: RuleTable, p: Position, declined: int) -> int:
    """The seat that exchanges the seven before the next card (§11), or NONE; it does so whenever it may.

    `declined`: whether the seats asked at "au sept" have let that pass.
    """
    holder = exchanger(rule_table, p)
    return holder if holder == p.turn or not declined else NONE


@kernel
def play_with(
    rule_table: RuleTable, talon: Sequence[int], p: Position, card: int, declaration: int
) -> Position:
    """The position after the seat on turn lays a card, with a declaration or NONE."""
    if declaration >= 0:
        p = declare(rule_table, p, declaration)
    return lay(rule_table, talon, p, card)


@kernel
def step_publicly(
    rule_table: RuleTable, talon: Sequence[int], p: Position, public: PublicKnowledge, seat: int, action: int
) -> tuple[Position, PublicKnowledge]:
    """A seat's action, a declaration and its card being two; returns position and public knowledge."""
    after = step(rule_table, talon, p, action)
    return after, update_knowledge(rule_table, p, after, seat, action, public)


@kernel
def play_card(
    rule_table: RuleTable,
    talon: Sequence[int],
    p: Position,
    public: PublicKnowledge,
    card: int,
    declaration: int,
) -> tuple[Position, PublicKnowledge]:
    """`play_with`; returns position and public knowledge."""
    seat = p.turn
    if declaration >= 0:
        declared = declare(rule_table, p, declaration)
        public = update_knowledge(rule_table, p, declared, seat, declaration, public)
        p = declared
    after = lay(rule_table, talon, p, card)
    return after, update_knowledge(rule_table, p, after, seat, card, public)


@kernel
def exchange_first(
    rule_table: RuleTable, p: Position, public: PublicKnowledge
) -> tuple[Position, PublicKnowledge]:
    """Whoever can exchanges the seven; returns position and public knowledge."""
    holder = exchanger(rule_table, p)
    return apply_exchange(rule_table, p, public, holder) if holder >= 0 else (p, public)


@kernel
def apply_exchange(
    rule_table: RuleTable, p: Position, public: PublicKnowledge, seat: int
) -> tuple[Position, PublicKnowledge]:
    """A seat exchanges the seven; returns position and public knowledge."""
    after = exchange(p, seat)
    return after, update_knowledge(rule_table, p, after, seat, EXCHANGE, public)


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
