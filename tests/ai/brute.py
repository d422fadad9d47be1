"""Brute-force minimax of an ending: no window, no table; shares only the rules with the solver."""

from __future__ import annotations

from typing import Any

from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE
from chouine.rules.combinations import EXCHANGE
from chouine.rules.play import exchange, exchanger, legal, step
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers how functions outside the rules are compiled


@compiled
def brute(rule_table: RuleTable, talon: Any, p: Position, seat: int) -> int:
    """A seat's final margin under optimal play of two seats; 1000 for a chouine (§10)."""
    if p.turn < 0:
        if p.chouine >= 0:
            return 1000 if p.chouine == seat else -1000
        return p.points[seat] + p.declared[seat] - p.points[1 - seat] - p.declared[1 - seat]
    actions = legal(rule_table, p)
    best = -5000 if p.turn == seat else 5000
    for action in range(51):
        if actions >> action & 1 and not (action == EXCHANGE and exchanger(rule_table, p) != p.turn):
            value = brute(rule_table, talon, step(rule_table, talon, p, action), seat)
            if (p.turn == seat and value > best) or (p.turn != seat and value < best):
                best = value
    if actions >> EXCHANGE & 1 and exchanger(rule_table, p) != p.turn:
        holder = exchanger(rule_table, p)
        value = brute(rule_table, talon, exchange(p, holder), seat)
        if (holder == seat and value > best) or (holder != seat and value < best):
            best = value
    return best
