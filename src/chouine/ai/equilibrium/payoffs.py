"""Results after the last hidden answer, for every position, answer, hand and hidden card.

What follows is known to both and exact. A cache serves endings that several lines reach.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import CARDS, LANES, RESTS, SLOTS, HandIndex, hand_index
from chouine.ai.equilibrium.endings import (
    INFINITY,
    EndingRules,
    best_declaration,
    closed_after,
    declarable_bits,
    ending_margin,
    ending_rules,
)
from chouine.ai.subsets import subsets
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.trick_solver import CARD_POINTS, TAKERS
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

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
    matters, matters_answering = (
        closed & tables.declarable[leading],
        closed_answering & tables.declarable[answering],
    )
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
