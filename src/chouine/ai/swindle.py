"""Values of lost or drawn endings against an opponent who errs: which act leaves most room for mistakes.

Kernel Python.
"""

from __future__ import annotations

from chouine.ai.playout import WIN, open_value, outcome
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest_bit
from chouine.fast.compiler import compiled
from chouine.fast.declarations import best_with
from chouine.fast.driver import play_with
from chouine.fast.kernels import AVAILABLE
from chouine.players.greedy import greedy_card
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.play import legal
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

EPSILON = 0.25
"""Probability that the opponent lays a uniformly random card; otherwise it is greedy."""


@compiled
def swindle_value(rule_table: RuleTable, p: Position, seat: int, epsilon: float, nodes: memoryview) -> float:
    """Value of two seats' last tricks to an optimal seat against an erring opponent, 0 to 1.

    The opponent lays a uniform card with probability `epsilon`, else the greedy one. A forced win is worth 1. Each
    card is laid with the best figure it can declare. `nodes: int64[1]` is scratch.
    """
    if p.turn < 0:
        return outcome(rule_table, p, seat)
    if p.table == 0 and open_value(rule_table, nodes, p, seat, nodes) == WIN:
        return WIN
    actions = legal(rule_table, p)
    cards, count, total_value, best, greedy_value = actions & ALL_CARDS, 0, 0.0, 0.0, 0.0
    expected, greedy_declaration = (NONE, NONE) if p.turn == seat else greedy_card(rule_table, p)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if expected >= 0 and card != expected and epsilon == 0:
            continue
        declaration = (
            greedy_declaration if card == expected else best_with(rule_table, actions & DECLARATIONS, card)
        )
        value = swindle_value(
            rule_table, play_with(rule_table, nodes, p, card, declaration), seat, epsilon, nodes
        )
        best = max(best, value)
        total_value += value
        greedy_value += value if card == expected else 0.0
        count += 1
    return best if p.turn == seat else epsilon * total_value / count + (1.0 - epsilon) * greedy_value
