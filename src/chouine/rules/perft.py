"""Perft: count action sequences, a signature of the move generator."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.rules.combinations import MARIAGE
from chouine.rules.play import legal, step
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


def perft(rule_table: RuleTable, talon: Sequence[int], p: Position, depth: int) -> int:
    """The number of legal sequences of `depth` actions. A declaration with its card is one action, an exchange is one.

    `talon`: hidden talon cards in drawing order.
    """
    if depth == 0:
        return 1
    count = 0
    actions = legal(rule_table, p)
    while actions:
        low = actions & -actions
        actions ^= low
        action = low.bit_length() - 1
        after = step(rule_table, talon, p, action)
        count += perft(rule_table, talon, after, depth if action >= MARIAGE else depth - 1)
    return count
