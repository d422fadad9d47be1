"""Two seats' last tricks solved exactly: once the talon is empty, the unseen cards are the opponent's hand."""

from __future__ import annotations

from chouine.partie.view import View
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.play import legal, step, total
from chouine.rules.position import Four, Position, put
from chouine.rules.rule_table import RuleTable

_NOTHING: Four = (0, 0, 0, 0)

MarginTable = dict[Position, int]
"""Seat a's margin over seat b from positions between tricks, counted from zero."""


def known_position(view: View) -> Position | None:
    """The complete position where a seat can know it: two seats, the talon empty (§8); otherwise None."""
    p, seat = view.position, view.observer
    if seat is None or view.rules.seats != 2 or view.talon:
        return None
    other = 1 - seat
    return p._replace(hands=put(p.hands, other, p.hands[other] | view.unseen.mask))


def best_action(rule_table: RuleTable, p: Position, table: MarginTable) -> int:
    """The minimax action, in points, for the seat on turn."""
    sign = 1 if p.turn == 0 else -1
    return max(
        actions_of(rule_table, p),
        key=lambda action: sign * margin(rule_table, step(rule_table, (), p, action), table),
    )


def margin(rule_table: RuleTable, p: Position, table: MarginTable) -> int:
    """Seat a's points minus seat b's at the end under optimal play."""
    if p.turn < 0:
        if p.chouine >= 0:
            return CHOUINE_MARGIN if p.chouine == 0 else -CHOUINE_MARGIN
        return total(p, 0) - total(p, 1)
    if p.table or p.pending >= 0:
        return best_margin(rule_table, p, table)
    so_far = total(p, 0) - total(p, 1)
    afresh = p._replace(points=_NOTHING, declared=_NOTHING, before=_NOTHING)
    gain = table.get(afresh)
    if gain is None:
        gain = table[afresh] = best_margin(rule_table, afresh, table)
    return gain if abs(gain) == CHOUINE_MARGIN else so_far + gain


def best_margin(rule_table: RuleTable, p: Position, table: MarginTable) -> int:
    margins = [
        margin(rule_table, step(rule_table, (), p, action), table) for action in actions_of(rule_table, p)
    ]
    return max(margins) if p.turn == 0 else min(margins)


def actions_of(rule_table: RuleTable, p: Position) -> list[int]:
    """The legal actions as numbers."""
    actions = legal(rule_table, p)
    numbers = []
    while actions:
        low = actions & -actions
        actions ^= low
        numbers.append(low.bit_length() - 1)
    return numbers
