"""Alpha-beta for the last tricks of two seats when nothing can be declared: only cards count and both hands are known.

Obligations (§8) and trick winners (§6) are tables, filled by the rules' own functions at import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.cards import ALL_CARDS, POINTS
from chouine.fast.bits import highest_bit, lowest_bit, popcount
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.rules.options import Rules
from chouine.rules.play import DIX_DE_DER, beats, bound_cards, start
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

TRUMPS = (NONE, 0, 1, 2, 3)
INFINITY = 1000
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
    best = -INFINITY
    leads = leading
    if leads & leads - 1 == 0:
        return last_trick_margin(table, leading, answering, at_stake)
    while leads:
        lead = highest_bit(leads)
        leads ^= 1 << lead
        held = leading ^ 1 << lead
        least, most, worst = max(alpha, best), beta, INFINITY
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
