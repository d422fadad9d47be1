"""Margins of endings with an empty talon, every figure declared as soon as possible.

Once nothing is hidden, keeping a declaration back gains nothing (§9.1): under `again=never` and `figure=played` a
card's best declaration is optimal. So declarations are no choice here; `fast.double_dummy` searches them all. What
figures count (§9) is a table, filled by the rules' own functions at import.
"""

from __future__ import annotations

from typing import NamedTuple

from chouine.cards import BRISQUES
from chouine.fast.bits import highest_bit, lowest_bit
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.trick_solver import (
    CARD_POINTS,
    TAKERS,
    card_margin,
    constant_table,
    legal_answers,
    points_at_stake,
    table_offset,
)
from chouine.rules.combinations import (
    CHOUINE,
    CHOUINE_MARGIN,
    CHOUINES,
    MARIAGE,
    QUARTERON,
    QUINTE,
    QUINTE_BRISQUES,
    TIERCE,
    brisques_held,
    figures_of_five,
)
from chouine.rules.options import Rules
from chouine.rules.play import figure_suit, figure_value
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

INFINITY = 10_000
"""Above any margin."""
BOOK = rule_table_of(Rules())


def value_of(declaration: int, trump: int) -> int:
    """What a declaration counts (§9); a chouine exceeds all points, one in trumps exceeds any other (§10)."""
    if 1 << declaration & CHOUINES:
        return CHOUINE_MARGIN * (3 if figure_suit(declaration) == trump else 1)
    return figure_value(BOOK, declaration, trump, fixing=False)


def best_by_suit(trump: int, *chouines: int) -> list[int]:
    """By a suit's cards held and the rank played: the best figure of spades, a chouine or else the others."""
    figures = chouines or (MARIAGE, TIERCE, QUARTERON)
    worth = [(BOOK.figure_cards[figure - MARIAGE], value_of(figure, trump)) for figure in figures]
    return [
        max([value for cards, value in worth if held & cards == cards and cards >> rank & 1], default=0)
        for held in range(256)
        for rank in range(8)
    ]


PLAIN, TRUMP = 1, 0  # trump suits under which spades are plain, or trumps
FIGURE_POINTS = constant_table(best_by_suit(PLAIN) + best_by_suit(TRUMP))
"""By trump or not, cards held in the suit, rank played: points of the best mariage, tierce or quarteron (§9)."""
CHOUINE_POINTS = constant_table(best_by_suit(PLAIN, CHOUINE) + best_by_suit(TRUMP, CHOUINE))
QUINTE_POINTS = value_of(QUINTE, PLAIN)
QUINTE_CLOSED = 16


@kernel
def closed_by(shut: int) -> int:
    """What `rules.play.closed_figures` shuts under `again=never` (§9.4): one bit per suit, and one for the quinte."""
    return shut >> MARIAGE & 15 | (shut >> QUINTE & 1) << 4


@kernel
def declarable_bits(hand: int, closed: int) -> int:
    """What a hand could declare, in the bits of `closed_by`; a chouine sets its suit's bit, closed or not."""
    figures = figures_of_five(hand)
    return closed_by(figures) & ~closed | figures >> CHOUINE & 15


@kernel
def best_declaration(hand: int, card: int, closed: int, trump: int) -> int:
    """Points of the best figure a card can declare (§9), 0 without one; a chouine exceeds all points (§10)."""
    suit = card >> 3
    at = int(suit == trump) << 11 | (hand >> 8 * suit & 0xFF) << 3 | card & 7
    if CHOUINE_POINTS[at]:
        return CHOUINE_POINTS[at]  # type: ignore[no-any-return]
    if not closed & QUINTE_CLOSED and BRISQUES >> card & 1 and brisques_held(hand, QUINTE_BRISQUES):
        return QUINTE_POINTS
    return 0 if closed >> suit & 1 else FIGURE_POINTS[at]


@kernel
def closed_after(closed: int, card: int, counts: int) -> int:
    """What is closed after a declaration of this value with this card."""
    if counts == 0:
        return closed
    return closed | (QUINTE_CLOSED if counts == QUINTE_POINTS else 1 << (card >> 3))


class EndingRules(NamedTuple):
    """The parameters of an ending that depend on the rules."""

    table: int
    """`fast.trick_solver.table_offset`."""
    trump: int
    lead_only: int
    """Whether only the leader may declare (§9.1)."""


def ending_rules(rule_table: RuleTable, trump: int) -> EndingRules:
    """These rules with this trump."""
    return EndingRules(table_offset(rule_table, trump), trump, rule_table.declare_lead)


@compiled
def ending_margin(
    rules: EndingRules,
    leading: int,
    answering: int,
    closed: int,
    closed_answering: int,
    alpha: int,
    beta: int,
) -> int:
    """The leader's margin, exact between alpha and beta; `closed` belongs to the leader."""
    declaring = declarable_bits(leading, closed) | declarable_bits(answering, closed_answering)
    if declaring == 0 or leading & leading - 1 == 0:
        return card_margin(rules.table, leading, answering, points_at_stake(leading | answering), alpha, beta)
    best, leads = -INFINITY, leading
    while leads:
        lead = highest_bit(leads)
        leads ^= 1 << lead
        declared = best_declaration(leading, lead, closed, rules.trump)
        kept = leading ^ 1 << lead
        closed_then = closed_after(closed, lead, declared)
        if declared >= CHOUINE_MARGIN:
            declared += CHOUINE_MARGIN // 2  # the first chouine wins (§10)
        worst, replies, lower = INFINITY, legal_answers(rules.table, lead, answering), max(alpha, best)
        while replies:
            reply = lowest_bit(replies)
            replies &= replies - 1
            declared_in_answer = (
                0 if rules.lead_only else best_declaration(answering, reply, closed_answering, rules.trump)
            )
            gain = declared - declared_in_answer
            if gain < CHOUINE_MARGIN // 2 and gain > -CHOUINE_MARGIN // 2:
                trick = CARD_POINTS[lead] + CARD_POINTS[reply]
                rest = answering ^ 1 << reply
                closed_answering_then = closed_after(closed_answering, reply, declared_in_answer)
                upper = min(beta, worst)
                if TAKERS[rules.table + lead] >> reply & 1:
                    gain -= trick
                    gain -= ending_margin(
                        rules,
                        rest,
                        kept,
                        closed_answering_then,
                        closed_then,
                        gain - upper,
                        gain - lower,
                    )
                else:
                    gain += trick
                    gain += ending_margin(
                        rules,
                        kept,
                        rest,
                        closed_then,
                        closed_answering_then,
                        lower - gain,
                        upper - gain,
                    )
            worst = min(worst, gain)
            if worst <= lower:
                break
        best = max(best, worst)
        if best >= beta:
            break
    return best
