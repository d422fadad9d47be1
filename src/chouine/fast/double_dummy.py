"""Exact search with all cards open (alpha-beta): declarations and exchanges included, two to four seats.

With two seats and an empty talon this is what both players know. Earlier it is a double-dummy analysis, which replays
and problems may use but players may not.
"""

from __future__ import annotations

from collections.abc import Sequence

from chouine.fast.bits import highest_bit, lowest_bit
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import PositionArray, load
from chouine.fast.trick_solver import card_margin, points_at_stake, table_offset
from chouine.rules.combinations import CHOUINE_MARGIN, CHOUINES, EXCHANGING, figures_of_five
from chouine.rules.play import closed_figures, exchange, exchanger, figure_value, legal, step, total
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

INFINITY = 2 * CHOUINE_MARGIN
UNDECIDED = 2 * INFINITY


@kernel
def between_last_tricks(rule_table: RuleTable, p: Position) -> bool:
    """Two seats, between tricks, empty talon."""
    return rule_table.seats == 2 and p.tricks >= rule_table.drawing and p.table == 0 and p.pending < 0


@kernel
def figures_left(rule_table: RuleTable, p: Position, seat: int) -> int:
    """What a seat can still declare with the talon empty (§9)."""
    return figures_of_five(p.hands[seat]) & ~closed_figures(rule_table, p.said[seat])


@kernel
def nothing_to_declare(rule_table: RuleTable, p: Position) -> bool:
    """Two seats, between tricks, empty talon, and neither seat can declare any more (§9)."""
    return (
        between_last_tricks(rule_table, p)
        and figures_left(rule_table, p, 0) | figures_left(rule_table, p, 1) == 0
    )


@kernel
def card_play_margin(rule_table: RuleTable, p: Position, alpha: int, beta: int) -> int:
    """Seat a's final margin in points when only tricks count; exact between `alpha` and `beta`."""
    so_far = total(p, 0) - total(p, 1)
    table, at_stake = table_offset(rule_table, p.trump), points_at_stake(p.hands[0] | p.hands[1])
    if so_far - at_stake >= beta or so_far + at_stake <= alpha:
        return so_far
    if p.turn == 0:
        return so_far + card_margin(table, p.hands[0], p.hands[1], at_stake, alpha - so_far, beta - so_far)
    return so_far - card_margin(table, p.hands[1], p.hands[0], at_stake, so_far - beta, so_far - alpha)


@kernel
def declarable_at_most(rule_table: RuleTable, p: Position, seat: int) -> int:
    """An upper bound of what a seat can still declare, trump known; above any margin with a chouine (§9, §10)."""
    held = figures_left(rule_table, p, seat)
    points = CHOUINE_MARGIN if held & CHOUINES else 0
    held &= ~CHOUINES
    while held:
        points += figure_value(rule_table, lowest_bit(held), p.trump, fixing=False)
        held &= held - 1
    return points


@kernel
def is_card_play(rule_table: RuleTable, p: Position) -> bool:
    """Two seats between tricks, empty talon, trump known: declarations add points and change nothing else (§9)."""
    return between_last_tricks(rule_table, p) and p.chouine < 0 and p.trump >= 0


@kernel
def decided_margin(rule_table: RuleTable, p: Position, alpha: int, beta: int) -> int:
    """Seat a's final margin, or a bound on it, if it lies outside `alpha` to `beta` whatever is declared.

    `UNDECIDED` otherwise. Whoever plays for the tricks alone gets those, less what the other declares.
    """
    ours, theirs = declarable_at_most(rule_table, p, 0), declarable_at_most(rule_table, p, 1)
    margin = card_play_margin(rule_table, p, alpha - ours, beta + theirs)
    if margin - theirs >= beta:
        return margin - theirs
    return margin + ours if margin + ours <= alpha else UNDECIDED


@kernel
def points_ahead(rule_table: RuleTable, p: Position, seat: int) -> int:
    """A seat's points minus those of its best opponent; ±`CHOUINE_MARGIN` after a chouine (§10)."""
    if p.chouine >= 0:
        return CHOUINE_MARGIN if p.chouine == seat else -CHOUINE_MARGIN
    best = -INFINITY
    for other in range(rule_table.seats):
        if other != seat:
            best = max(best, total(p, other))
    return total(p, seat) - best


@compiled
def open_margin(
    rule_table: RuleTable,
    talon: Sequence[int],
    p: Position,
    seat: int,
    alpha: int,
    beta: int,
    nodes: memoryview,
) -> int:
    """A seat's final margin if it plays optimally and every opponent plays against it.

    Exact between `alpha` and `beta`. With two seats this is the minimax value, with more the paranoid value.
    `nodes: int64[1]` is a node budget that counts down; once it reaches 0 the result is meaningless.
    """
    if p.turn < 0:
        return points_ahead(rule_table, p, seat)
    if nothing_to_declare(rule_table, p):
        if seat == 0:
            return card_play_margin(rule_table, p, alpha, beta)
        return -card_play_margin(rule_table, p, -beta, -alpha)
    if is_card_play(rule_table, p):
        bound = (
            decided_margin(rule_table, p, alpha, beta)
            if seat == 0
            else decided_margin(rule_table, p, -beta, -alpha)
        )
        if bound != UNDECIDED:
            return bound if seat == 0 else -bound
    if nodes[0] <= 0:
        return 0
    nodes[0] -= 1
    actions = legal(rule_table, p)
    other_holder, exchanged = NONE, 0
    if actions & EXCHANGING and exchanger(rule_table, p) != p.turn:
        other_holder = exchanger(rule_table, p)
        actions ^= EXCHANGING
        exchanged = open_margin(rule_table, talon, exchange(p, other_holder), seat, alpha, beta, nodes)
        if other_holder == seat:
            alpha = max(alpha, exchanged)
        else:
            beta = min(beta, exchanged)
        if alpha >= beta:
            return exchanged
    own = p.turn == seat
    best = -INFINITY if own else INFINITY
    while actions and alpha < beta:
        action = highest_bit(actions)
        actions ^= 1 << action
        value = open_margin(rule_table, talon, step(rule_table, talon, p, action), seat, alpha, beta, nodes)
        if own:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
    if other_holder >= 0:
        return max(best, exchanged) if other_holder == seat else min(best, exchanged)
    return best


@kernel
def open_margin_between(
    rule_table: RuleTable, talon: Sequence[int], p: Position, alpha: int, beta: int, nodes: memoryview
) -> int:
    """Seat a's `open_margin`, without a call where only cards count: passing a position costs as much as searching."""
    if nothing_to_declare(rule_table, p):
        return card_play_margin(rule_table, p, alpha, beta)
    return open_margin(rule_table, talon, p, 0, alpha, beta, nodes)


@compiled
def open_margins(
    rule_table: RuleTable, talon: Sequence[int], cells: PositionArray, margins: memoryview, nodes: memoryview
) -> None:
    """`open_margin` of many positions, for the seat on turn.

    Reads `cells` (laid out by `fast.soa_layout`) and writes `margins: int64[positions]`.
    """
    for nth in range(len(margins)):
        p = load(cells, nth)
        margins[nth] = open_margin(rule_table, talon, p, p.turn, -INFINITY, INFINITY, nodes)
