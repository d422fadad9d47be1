"""Results after the last hidden answer, for every position, answer, hand and hidden card.

What follows is known to both and exact: margins of endings with every figure declared as soon as possible. Once nothing
is hidden, keeping a declaration back gains nothing (§9.1): under `again=never` and `figure=played` a card's best
declaration is optimal. So declarations are no choice here; `fast.double_dummy` searches them all. What figures count
(§9) is a table, filled by the rules' own functions at import. A cache serves endings that several lines reach.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import CARDS, LANES, RESTS, SLOTS, HandIndex, hand_index
from chouine.ai.subsets import subsets
from chouine.cards import BRISQUES
from chouine.fast.bits import highest_bit, lowest_bit
from chouine.fast.compiler import compiled
from chouine.fast.double_dummy import (
    CARD_POINTS,
    TAKERS,
    card_margin,
    constant_table,
    legal_answers,
    points_at_stake,
    table_offset,
)
from chouine.fast.kernels import AVAILABLE, kernel
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
    """`fast.double_dummy.table_offset`."""
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


CACHE_BITS = 20
"""log2 of the cache size; colliding endings overwrite each other."""
MARGIN_OFFSET = 1 << 15


class LastAnswer(NamedTuple):
    """A public position in which the last hidden answer is due."""

    lead: int
    """The card led."""
    cards: tuple[int, ...]
    """The ten cards with unknown places."""
    turnup: int
    ahead: int
    """Points by which the answering seat leads, the trick on the table excluded."""
    closed: int
    """What the leader can no longer declare."""
    closed_answering: int
    possible: Any
    """`bool[LEADS]`: the hands that the leader may hold; others are skipped."""
    possible_answering: Any
    """`bool[HANDS]`: those of the answering seat."""


class LastAnswerArrays(NamedTuple):
    """Many `LastAnswer`, one per row; cards as places in `HandTables`."""

    cards: Ints
    """`int64[n, CARDS]`"""
    scalars: Ints
    """`int64[n, 5]`: lead, turnup, `ahead`, `closed`, `closed_answering`."""
    possible: Any
    """`bool[n, LEADS]`"""
    possible_answering: Any
    """`bool[n, HANDS]`"""


class PayoffTask(NamedTuple):
    """What all threads read while they fill payoffs."""

    rules: EndingRules
    tables: HandTables
    positions: LastAnswerArrays
    hands: HandIndex


class PayoffScratch(NamedTuple):
    """What a thread writes to while it fills payoffs: compiled code makes no arrays of its own."""

    nine: Ints
    """`int64[9]`"""
    by_position: Any
    """`int8[LANES, CARDS * 5 * RESTS]`"""


def payoff_scratch() -> PayoffScratch:
    return PayoffScratch(np.zeros(9, np.int64), np.zeros((LANES, CARDS * 5 * RESTS), np.int8))


class HandTables(NamedTuple):
    """Tables over all cards of a subgame, numbered from the lowest."""

    cards: Ints
    """`int64[n]`"""
    card_sets: Ints
    """`int64[2**n]`: by set of places, the set of cards."""
    rank: Ints
    """`int64[2**n]`: by set of places, the index of a hand of five."""
    declarable: Ints
    """`int64[2**n]`: by set of places, what the hand could declare with nothing closed."""
    cache: Ints
    """`int64[2**CACHE_BITS]`: an ending's key and margin in one number, so that threads share it without locks."""


def hand_tables(cards: list[int]) -> HandTables:
    total = len(cards)
    of = np.zeros(1 << total, np.int64)
    for place, card in enumerate(cards):
        of[1 << place : 2 << place] = of[: 1 << place] | 1 << card
    hands = subsets(range(total), 5)
    rank = np.zeros(1 << total, np.int64)
    rank[hands] = np.arange(len(hands))
    could = np.zeros(1 << total, np.int64)
    fill_declarable(of, could)
    return HandTables(np.array(cards), of, rank, could, np.full(1 << CACHE_BITS, -1, np.int64))


@compiled
def fill_declarable(of: Any, could: Any) -> None:
    for hand in range(len(of)):
        could[hand] = declarable_bits(of[hand], 0)


def fill_payoffs(
    rule_table: RuleTable, trump: int, of: HandTables, positions: list[LastAnswer], threads: int
) -> Any:
    """`int8[rows, CARDS, 5 * RESTS, LANES]`: 1 if the answering seat wins, -1 if the leader does, 0 for a nulle."""
    rows = -(-len(positions) // LANES)
    payoffs = np.zeros((rows, CARDS, 5 * RESTS, LANES), np.int8)
    if not positions:
        return payoffs
    place = {card: nth for nth, card in enumerate(of.cards.tolist())}
    arrays = LastAnswerArrays(
        np.array([[place[card] for card in by_position.cards] for by_position in positions]),
        np.array(
            [
                (
                    by_position.lead,
                    place[by_position.turnup],
                    by_position.ahead,
                    by_position.closed,
                    by_position.closed_answering,
                )
                for by_position in positions
            ]
        ),
        np.array([by_position.possible for by_position in positions]),
        np.array([by_position.possible_answering for by_position in positions]),
    )
    task = PayoffTask(ending_rules(rule_table, trump), of, arrays, hand_index())

    def share(nth: int) -> None:
        fill_rows(task, payoff_scratch(), payoffs.reshape(rows, -1, LANES), nth, threads)

    if threads == 1:
        share(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(share, range(threads)))
    return payoffs


@kernel
def sign(number: int) -> int:
    return 1 if number > 0 else (-1 if number < 0 else 0)


@kernel
def cached_margin(
    rules: EndingRules,
    tables: HandTables,
    leading: int,
    answering: int,
    closed: int,
    closed_answering: int,
) -> int:
    """The leader's margin from here, from the cache if possible."""
    of, rank, cache = tables.card_sets, tables.rank, tables.cache
    matters = closed & tables.declarable[leading]
    matters_answering = closed_answering & tables.declarable[answering]
    key = ((rank[leading] << 11 | rank[answering]) << 5 | matters) << 5 | matters_answering
    at = (key * 0x9E3779B1 >> 13) & (1 << CACHE_BITS) - 1
    known = cache[at]
    if known >> 16 == key:
        return int(known & 0xFFFF) - MARGIN_OFFSET
    gain = ending_margin(rules, of[leading], of[answering], closed, closed_answering, -INFINITY, INFINITY)
    cache[at] = key << 16 | gain + MARGIN_OFFSET
    return gain


@kernel
def fill_position(task: PayoffTask, nth: int, scratch: PayoffScratch, payoffs: Any) -> None:
    """Fill the payoffs of one position: `payoffs: int8[CARDS * 5 * RESTS]`."""
    rules, tables, positions, hands = task
    lead_of, answer_of, opposing, _, unseen_place, kept_of = hands
    nine = scratch.nine
    cards, scalars = positions.cards[nth], positions.scalars[nth]
    possible, possible_answering = positions.possible[nth], positions.possible_answering[nth]
    lead, turnup = scalars[0], 1 << scalars[1]
    ahead, closed, closed_answering = scalars[2], scalars[3], scalars[4]
    for card in range(CARDS):
        answer = tables.cards[cards[card]]
        for place in range(9):
            nine[place] = cards[place + (place >= card)]
        everything = 0
        for place in range(9):
            everything |= 1 << nine[place]
        takes = TAKERS[rules.table + lead] >> answer & 1
        trick = CARD_POINTS[lead] + CARD_POINTS[answer]
        for rest in range(RESTS):
            if not possible_answering[answer_of[card, rest] // SLOTS]:
                continue
            kept = 0
            for place in range(4):
                kept |= 1 << nine[kept_of[rest, place]]
            declared = 0
            if not rules.lead_only:
                declared = best_declaration(
                    tables.card_sets[kept] | 1 << answer, answer, closed_answering, rules.trump
                )
            first = 5 * (card * RESTS + rest)
            if declared >= CHOUINE_MARGIN:
                payoffs[first : first + 5] = 1
                continue
            after = closed_after(closed_answering, answer, declared)
            for pair in range(5):
                if not possible[lead_of[card, opposing[rest, pair]]]:
                    continue
                drawn = 1 << nine[unseen_place[rest, pair]]
                others = everything & ~kept & ~drawn
                if takes:
                    gain = cached_margin(rules, tables, kept | drawn, others | turnup, after, closed)
                    total = ahead + declared + trick + gain
                else:
                    gain = cached_margin(rules, tables, others | drawn, kept | turnup, closed, after)
                    total = ahead + declared - trick - gain
                payoffs[first + pair] = sign(total)


@compiled
def fill_rows(task: PayoffTask, scratch: PayoffScratch, payoffs: Any, start: int, stride: int) -> None:
    """Fill every `stride`-th row of `payoffs: int8[rows, CARDS * 5 * RESTS, LANES]` from `start`.

    Position by position, then interleaved by lane.
    """
    by_position = scratch.by_position
    for row in range(start, payoffs.shape[0], stride):
        many = min(LANES, len(task.positions.scalars) - row * LANES)
        by_position[:] = 0
        for at in range(many):
            nth = row * LANES + at
            fill_position(task, nth, scratch, by_position[at])
        there = payoffs[row]
        for place in range(by_position.shape[1]):
            for at in range(many):
                there[place, at] = by_position[at, place]
