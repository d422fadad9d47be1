"""Exact search with all cards open (alpha-beta): declarations and exchanges included, two to four seats.

With two seats and an empty talon this is what both players know. Earlier it is a double-dummy analysis, which replays
and problems may use but players may not. Once nothing can be declared only cards count: two seats' obligations (§8)
and trick winners (§6) are tables then, filled by the rules' own functions at import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.cards import ALL_CARDS, POINTS
from chouine.fast.bits import highest_bit, lowest_bit, popcount
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import PositionArray, load
from chouine.rules.combinations import CHOUINE_MARGIN, CHOUINES, EXCHANGING, figures_of_five
from chouine.rules.options import Rules
from chouine.rules.play import (
    DIX_DE_DER,
    beats,
    bound_cards,
    closed_figures,
    exchange,
    exchanger,
    figure_value,
    legal,
    start,
    step,
    total,
)
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

TRUMPS = (NONE, 0, 1, 2, 3)
UNREACHED = 1000
"""Above any difference in points."""


def constant_table(numbers: Sequence[int]) -> Any:
    """A table as an array that compiled code embeds as a constant."""
    if not AVAILABLE:
        return tuple(numbers)
    import numpy as np

    return np.array(numbers, np.int64)


def answering_position(rule_table: RuleTable, trump: int, card: int) -> Position:
    """The second seat to answer a card with the talon empty."""
    p = start(rule_table, (0, 0, 0, 0), NONE, 1)
    return p._replace(trump=trump, turn=1, table=card + 1, best=card, taker=0, tricks=rule_table.drawing)


def obligation_order(p: Position, rule_table: RuleTable) -> list[int]:
    """§8 as four card sets: the answer must come from the first set of which the hand holds a card."""
    sets, rest = [], ALL_CARDS
    while rest:
        sets.append(bound_cards(rule_table, p, rest))
        rest &= ~sets[-1]
    return [*sets, 0, 0, 0][:4]


BOOKS = tuple(rule_table_of(Rules(head=head)) for head in ("trumps", "always"))
OBLIGATIONS = constant_table(
    [
        cards
        for rule_table in BOOKS
        for trump in TRUMPS
        for card in range(32)
        for cards in obligation_order(answering_position(rule_table, trump, card), rule_table)
    ]
)
TAKERS = constant_table(
    [
        sum(1 << answer for answer in range(32) if beats(answer, card, trump))
        for _ in BOOKS
        for trump in TRUMPS
        for card in range(32)
    ]
)
"""For each trump and lead, the cards that take the trick (§6)."""
CARD_POINTS = constant_table(POINTS * 4)

BY_RANK = tuple(rank + 8 * suit for rank in range(8) for suit in range(4))
"""The cards in the order in which they are searched: by rank, the highest worth most."""
STRETCHED = constant_table([sum((byte >> bit & 1) << 4 * bit for bit in range(8)) for byte in range(256)])


@kernel
def by_rank(cards: int) -> int:
    """A set of cards as a set of their places in `BY_RANK`."""
    places: int = STRETCHED[cards & 0xFF]
    for suit in range(1, 4):
        places |= STRETCHED[cards >> 8 * suit & 0xFF] << suit
    return places


TABLES = range(0, len(TAKERS), 32)
ANSWERS_BY_RANK = constant_table(
    [
        by_rank(OBLIGATIONS[4 * (table + card) + nth])
        for table in TABLES
        for card in BY_RANK
        for nth in range(3)
    ]
)
TAKERS_BY_RANK = constant_table([by_rank(TAKERS[table + card]) for table in TABLES for card in BY_RANK])
POINTS_BY_RANK = constant_table([CARD_POINTS[card] for card in BY_RANK])
"""The tables above by places in `BY_RANK`. Of the four sets of §8 `ANSWERS_BY_RANK` has three; the last is any card."""


@kernel
def table_offset(rule_table: RuleTable, trump: int) -> int:
    """Where the tables of these rules and this trump begin; `trump` may be NONE."""
    return (rule_table.head_always * 5 + trump + 1) * 32


@kernel
def legal_answers(table: int, card: int, hand: int) -> int:
    """The cards of a hand that may answer a lead (§8)."""
    at = 4 * (table + card)
    first, second, third = hand & OBLIGATIONS[at], hand & OBLIGATIONS[at + 1], hand & OBLIGATIONS[at + 2]
    return first or (second or (third or hand))


@kernel
def points_at_stake(hands: int) -> int:
    """Points that the remaining cards decide, dix de der included (§12)."""
    points = DIX_DE_DER
    while hands:
        points += CARD_POINTS[lowest_bit(hands)]
        hands &= hands - 1
    return points


@kernel
def answers_by_rank(table: int, lead: int, hand: int) -> int:
    """`legal_answers` by rank."""
    at = 3 * (table + lead)
    first, second = hand & ANSWERS_BY_RANK[at], hand & ANSWERS_BY_RANK[at + 1]
    return first or (second or (hand & ANSWERS_BY_RANK[at + 2] or hand))


@kernel
def last_trick_margin(table: int, leading: int, answering: int, at_stake: int) -> int:
    """The leader's margin in the last trick, worth `at_stake` points."""
    return -at_stake if TAKERS_BY_RANK[table + lowest_bit(leading)] >> lowest_bit(answering) & 1 else at_stake


@compiled
def margin_by_rank(table: int, leading: int, answering: int, at_stake: int, alpha: int, beta: int) -> int:
    """`card_margin` of hands by rank.

    Leads worth most are searched first; of the answers those that take the trick, worth most first, then those worth
    least. A branch is cut when all remaining points cannot change what it is worth between the bounds.
    """
    before_last = popcount(leading) == 2
    best = -UNREACHED
    leads = leading
    if leads & leads - 1 == 0:
        return last_trick_margin(table, leading, answering, at_stake)
    while leads:
        lead = highest_bit(leads)
        leads ^= 1 << lead
        held = leading ^ 1 << lead
        least, most, worst = max(alpha, best), beta, UNREACHED
        open_answers = answers_by_rank(table, lead, answering)
        taking = TAKERS_BY_RANK[table + lead]
        first, then = open_answers & taking, open_answers & ~taking
        while first | then:
            if first:
                answer = highest_bit(first)
                first ^= 1 << answer
            else:
                answer = lowest_bit(then)
                then &= then - 1
            kept = answering ^ 1 << answer
            trick = POINTS_BY_RANK[lead] + POINTS_BY_RANK[answer]
            rest = at_stake - trick
            if taking >> answer & 1:
                if before_last:
                    gain = -trick - last_trick_margin(table, kept, held, rest)
                elif rest - trick <= least:
                    gain = rest - trick
                else:
                    gain = -trick - margin_by_rank(table, kept, held, rest, -most - trick, -least - trick)
            elif before_last:
                gain = trick + last_trick_margin(table, held, kept, rest)
            elif trick - rest >= most:
                gain = trick - rest
            else:
                gain = trick + margin_by_rank(table, held, kept, rest, least - trick, most - trick)
            if gain < worst:
                worst = gain
                most = min(most, gain)
                if worst <= least:
                    break
        best = max(best, worst)
        if best >= beta:
            break
    return best


@kernel
def card_margin(table: int, leading: int, answering: int, at_stake: int, alpha: int, beta: int) -> int:
    """The leader's margin from here with `at_stake` points left; exact between `alpha` and `beta`."""
    return margin_by_rank(table, by_rank(leading), by_rank(answering), at_stake, alpha, beta)


@compiled
def card_margins(
    tables: Sequence[int],
    leading: Sequence[int],
    answering: Sequence[int],
    alpha: int,
    beta: int,
    margins: memoryview,
) -> None:
    """`card_margin` of many endings.

    Reads `tables` and the hands `leading` and `answering`, each `int64[endings]`; writes `margins: int64[endings]`.
    """
    for nth in range(len(margins)):
        at_stake = points_at_stake(leading[nth] | answering[nth])
        margins[nth] = card_margin(tables[nth], leading[nth], answering[nth], at_stake, alpha, beta)


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
