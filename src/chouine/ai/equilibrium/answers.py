"""The last answer given with hidden cards, at many public positions side by side (SIMD over `LANES` positions).

At each position ten cards have unknown places: the leader holds four of them, the answering seat five. After the answer
each draws and all cards are known. Hands are indexed alike at every position, so that inner loops run over lanes.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.fast.compiler import compiled

f32 = np.float32
LANES = 64
CARDS, HANDS, LEADS, SLOTS = 10, 252, 210, 5
"""Cards with unknown places; answering hands of five; leading hands of four; cards to answer with."""
RESTS = 126
"""Hands after an answer: four of nine."""

UPDATE, BEST_RESPONSE, FIXED = 0, 1, 2
"""What a seat does during evaluation: update regrets, play a best response, or play a fixed strategy."""
TINY = 1e-30


class HandIndex(NamedTuple):
    """Index tables between hands before and after each answer."""

    lead: Ints
    """`[CARDS, RESTS]`: the leader's hand that equals this rest."""
    answer: Ints
    """`[CARDS, RESTS]`: answering hand and slot, as hand * SLOTS + slot."""
    opposing: Ints
    """`[RESTS, 5]`: the rests disjoint from this one."""
    transposed: Ints
    """`[RESTS, 5]`: where the same pair is found from the other side."""
    unseen_place: Ints
    """`[RESTS, 5]`: the place, of nine, of the card that neither holds."""
    kept: Ints
    """`[RESTS, 4]`: the places, of nine, of its cards."""


class PayoffRow(NamedTuple):
    """A row of `LANES` positions, and what evaluating it needs."""

    payoffs: Any
    """`int8[CARDS, 5 * RESTS, LANES]`: 1 if the answering seat wins, -1 if the leader does, 0 for a nulle."""
    hands: HandIndex
    scratch: Any
    """`float32[HANDS * SLOTS, LANES]`"""


@cache
def hand_index() -> HandIndex:
    """The tables, built once."""
    five, four = colexicographic(10, 5), colexicographic(10, 4)
    rests = colexicographic(9, 4)
    lead, answer = np.zeros((CARDS, RESTS), np.int64), np.zeros((CARDS, RESTS), np.int64)
    for card in range(CARDS):
        for nth, rest in enumerate(rests):
            kept = tuple(place + (place >= card) for place in rest)
            hand = tuple(sorted((*kept, card)))
            lead[card, nth] = four.index(kept)
            answer[card, nth] = five.index(hand) * SLOTS + hand.index(card)
    opposing, hidden = np.zeros((RESTS, 5), np.int64), np.zeros((RESTS, 5), np.int64)
    for nth, rest in enumerate(rests):
        others = [place for place in range(9) if place not in rest]
        for lane, card in enumerate(others):
            opposing[nth, lane] = rests.index(tuple(place for place in others if place != card))
            hidden[nth, lane] = card
    transposed = np.zeros((RESTS, 5), np.int64)
    for nth in range(RESTS):
        for lane in range(5):
            other = opposing[nth, lane]
            transposed[nth, lane] = other * 5 + list(opposing[other]).index(nth)
    return HandIndex(lead, answer, opposing, transposed, hidden, np.array(rests))


def colexicographic(total: int, many: int) -> list[tuple[int, ...]]:
    """Subsets of places in the order of `ai.subsets`."""
    return sorted(combinations(range(total), many), key=lambda places: places[::-1])


@compiled
def evaluate_answers(row: PayoffRow, leads: Any, values: Any, strategy: Any, regrets: Any, mode: int) -> None:
    """Write the value of each answering hand for one row of positions; update regrets if `mode` is UPDATE (CFR+).

    `leads: float32[LEADS, LANES]` reach of leading hands, `values: float32[HANDS, LANES]` out, `strategy` and `regrets:
    float32[HANDS * SLOTS, LANES]`.
    """
    payoffs, scratch = row.payoffs, row.scratch
    lead, answer, opposing = row.hands.lead, row.hands.answer, row.hands.opposing
    for card in range(CARDS):
        pay, leader = payoffs[card], lead[card]
        for rest in range(RESTS):
            r0, r1, r2 = leader[opposing[rest, 0]], leader[opposing[rest, 1]], leader[opposing[rest, 2]]
            r3, r4 = leader[opposing[rest, 3]], leader[opposing[rest, 4]]
            p, number = 5 * rest, answer[card, rest]
            for lane in range(LANES):
                scratch[number, lane] = (
                    f32(pay[p, lane]) * leads[r0, lane]
                    + f32(pay[p + 1, lane]) * leads[r1, lane]
                    + f32(pay[p + 2, lane]) * leads[r2, lane]
                    + f32(pay[p + 3, lane]) * leads[r3, lane]
                    + f32(pay[p + 4, lane]) * leads[r4, lane]
                )
    for hand in range(HANDS):
        n = hand * SLOTS
        if mode == BEST_RESPONSE:
            for lane in range(LANES):
                value = scratch[n, lane]
                for slot in range(1, SLOTS):
                    value = max(value, scratch[n + slot, lane])
                values[hand, lane] = value
            continue
        for lane in range(LANES):
            values[hand, lane] = (
                strategy[n, lane] * scratch[n, lane]
                + strategy[n + 1, lane] * scratch[n + 1, lane]
                + strategy[n + 2, lane] * scratch[n + 2, lane]
                + strategy[n + 3, lane] * scratch[n + 3, lane]
                + strategy[n + 4, lane] * scratch[n + 4, lane]
            )
        if mode == UPDATE:
            for slot in range(SLOTS):
                for lane in range(LANES):
                    regret = regrets[n + slot, lane] + scratch[n + slot, lane] - values[hand, lane]
                    regrets[n + slot, lane] = max(f32(0), regret)
            for lane in range(LANES):
                scratch[n, lane] = f32(1) / (
                    regrets[n, lane]
                    + regrets[n + 1, lane]
                    + regrets[n + 2, lane]
                    + regrets[n + 3, lane]
                    + regrets[n + 4, lane]
                    + f32(5 * TINY)
                )
            for slot in range(SLOTS):
                for lane in range(LANES):
                    strategy[n + slot, lane] = (regrets[n + slot, lane] + f32(TINY)) * scratch[n, lane]


@compiled
def evaluate_leads(
    row: PayoffRow, answering: Any, values: Any, strategy: Any, strategy_sums: Any, weight: float
) -> None:
    """Write the value of each leading hand against the answers; add the answers to `strategy_sums` with `weight`.

    `answering: float32[HANDS, LANES]` reach of answering hands, `values: float32[LEADS, LANES]` out, `strategy` and
    `strategy_sums: float32[HANDS * SLOTS, LANES]`.
    """
    payoffs, scratch = row.payoffs, row.scratch
    lead, answer, opposing, transposed, _, _ = row.hands
    w = f32(weight)
    for hand in range(LEADS):
        for lane in range(LANES):
            values[hand, lane] = f32(0)
    for card in range(CARDS):
        pay, leader = payoffs[card], lead[card]
        for rest in range(RESTS):
            number = answer[card, rest]
            hand = number // SLOTS
            for lane in range(LANES):
                scratch[rest, lane] = answering[hand, lane] * strategy[number, lane]
            for lane in range(LANES):
                strategy_sums[number, lane] += w * scratch[rest, lane]
        for rest in range(RESTS):
            p0, p1, p2, p3, p4 = (
                transposed[rest, 0],
                transposed[rest, 1],
                transposed[rest, 2],
                transposed[rest, 3],
                transposed[rest, 4],
            )
            r0, r1, r2, r3, r4 = (
                opposing[rest, 0],
                opposing[rest, 1],
                opposing[rest, 2],
                opposing[rest, 3],
                opposing[rest, 4],
            )
            hand = leader[rest]
            for lane in range(LANES):
                values[hand, lane] -= (
                    f32(pay[p0, lane]) * scratch[r0, lane]
                    + f32(pay[p1, lane]) * scratch[r1, lane]
                    + f32(pay[p2, lane]) * scratch[r2, lane]
                    + f32(pay[p3, lane]) * scratch[r3, lane]
                    + f32(pay[p4, lane]) * scratch[r4, lane]
                )
