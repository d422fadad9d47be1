"""Rollouts by the heuristic with exactly solved endings, as Monte Carlo players use them. Kernel Python."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.fast.double_dummy import between_last_tricks, open_margin_between
from chouine.fast.driver import driver, play_with, swapper
from chouine.fast.kernels import kernel
from chouine.players.evaluation import heuristic_card
from chouine.rules.play import exchange, winner
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

LOSS, NULLE, WIN = 0.0, 0.5, 1.0
"""Value of a partie to a seat. A nulle is replayed (§12), so it is worth as much as a new partie."""


@kernel
def outcome(rule_table: RuleTable, p: Position, seat: int) -> float:
    """Value of a finished partie to a seat, 0 to 1."""
    first = winner(rule_table, p)
    if first < 0:
        return 1.0 / rule_table.seats
    return WIN if first == seat else LOSS


@kernel
def open_value(
    rule_table: RuleTable, talon: Sequence[int], p: Position, seat: int, nodes: memoryview
) -> float:
    """Value of a position to a seat of two under optimal play with open cards."""
    nodes[0] = 1 << 40
    margin = open_margin_between(rule_table, talon, p, -1, 1, nodes)
    if margin == 0:
        return NULLE
    return WIN if (margin > 0) == (seat == 0) else LOSS


@kernel
def settled_value(
    rule_table: RuleTable, talon: Sequence[int], p: Position, seat: int, nodes: memoryview
) -> float:
    """Value to a seat of a partie that is over, or that two seats play on optimally with open cards."""
    return outcome(rule_table, p, seat) if p.turn < 0 else open_value(rule_table, talon, p, seat, nodes)


Remembered = tuple[int, int]
"""What the heuristic's turns carry on: the cards played, and whether "au sept" was just let pass."""


@kernel
def heuristic_turn(
    rule_table: RuleTable, talon: Sequence[int], p: Position, carried: Remembered, weights: Sequence[float]
) -> tuple[Position, Remembered]:
    """The exchange if anyone can make it, then the heuristic's card."""
    gone, declined = carried
    holder = swapper(rule_table, p, declined)
    if holder >= 0:
        p = exchange(p, holder)
    card, declaration = heuristic_card(rule_table, weights, p, gone)
    return play_with(rule_table, talon, p, card, declaration), (gone | 1 << card, 0)


play_heuristically = driver(heuristic_turn, between_last_tricks)


@kernel
def rollout(
    rule_table: RuleTable,
    talon: Sequence[int],
    p: Position,
    carried: Remembered,
    seat: int,
    weights: Sequence[float],
    nodes: memoryview,
) -> float:
    """Value of a position to a seat when all play the heuristic and the last tricks optimally."""
    p, _ = play_heuristically(rule_table, talon, p, carried, weights)
    return settled_value(rule_table, nodes, p, seat, nodes)
