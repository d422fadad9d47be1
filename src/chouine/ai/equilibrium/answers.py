"""The last answer given while cards are hidden, at many public positions side by side.

At each the leader holds four of the ten cards whose place is not public, the other five; after the answer each draws
and all is known. Whatever the cards, the hands are numbered alike, so that a row of numbers holds the same hand of
`WIDE` positions and the loops below run along rows.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.fast.compiler import compiled

f32 = np.float32
WIDE = 64
CARDS, HANDS, LEADS, SLOTS = 10, 252, 210, 5
"""Cards that may be anywhere; hands of five of them; of four; cards to answer with."""
REST = 126
"""What is left of a hand after an answer: four of nine."""

LEARN, BEST, FIXED = 0, 1, 2
"""What a seat does meanwhile: learns from regrets, answers best, or plays as it is told."""
TINY = 1e-30


class Numbers(NamedTuple):
    """Which hand is which, before and after each answer."""

    lead: Ints
    """By answer and rest number: the leader's hand."""
    answer: Ints
    """By answer and rest number: the answering hand and slot, as one number."""
    beside: Ints
    """By rest number, the five that have none of its cards."""
    turned: Ints
    """By rest number, where the same pairs are found from the other's side."""
    hidden: Ints
    """By rest number and its five: the place among nine of the card that neither holds."""
    kept: Ints
    """By rest number, the places among nine of its cards."""


@cache
def numbers() -> Numbers:
    five, four = in_order(10, 5), in_order(10, 4)
    rests = in_order(9, 4)
    lead, answer = np.zeros((CARDS, REST), np.int64), np.zeros((CARDS, REST), np.int64)
    for card in range(CARDS):
        for nth, rest in enumerate(rests):
            kept = tuple(place + (place >= card) for place in rest)
            hand = tuple(sorted((*kept, card)))
            lead[card, nth] = four.index(kept)
            answer[card, nth] = five.index(hand) * SLOTS + hand.index(card)
    beside, hidden = np.zeros((REST, 5), np.int64), np.zeros((REST, 5), np.int64)
    for nth, rest in enumerate(rests):
        others = [place for place in range(9) if place not in rest]
        for at, card in enumerate(others):
            beside[nth, at] = rests.index(tuple(place for place in others if place != card))
            hidden[nth, at] = card
    turned = np.zeros((REST, 5), np.int64)
    for nth in range(REST):
        for at in range(5):
            other = beside[nth, at]
            turned[nth, at] = other * 5 + list(beside[other]).index(nth)
    return Numbers(lead, answer, beside, turned, hidden, np.array(rests))


def in_order(total: int, many: int) -> list[tuple[int, ...]]:
    """Sets of places as `subsets` numbers them."""
    return sorted(combinations(range(total), many), key=lambda places: places[::-1])


@compiled
def judge_answers(
    payoffs: Any, leads: Any, values: Any, chances: Any, regrets: Any, numbers: Any, scratch: Any, mode: int
) -> None:
    """By answering hand, what it is worth against the leads; `mode` one of those above. One row of positions."""
    lead, answer, beside = numbers[0], numbers[1], numbers[2]
    for card in range(CARDS):
        pay, leader = payoffs[card], lead[card]
        for rest in range(REST):
            r0, r1, r2 = leader[beside[rest, 0]], leader[beside[rest, 1]], leader[beside[rest, 2]]
            r3, r4 = leader[beside[rest, 3]], leader[beside[rest, 4]]
            p, number = 5 * rest, answer[card, rest]
            for at in range(WIDE):
                scratch[number, at] = (
                    f32(pay[p, at]) * leads[r0, at]
                    + f32(pay[p + 1, at]) * leads[r1, at]
                    + f32(pay[p + 2, at]) * leads[r2, at]
                    + f32(pay[p + 3, at]) * leads[r3, at]
                    + f32(pay[p + 4, at]) * leads[r4, at]
                )
    for hand in range(HANDS):
        n = hand * SLOTS
        if mode == BEST:
            for at in range(WIDE):
                value = scratch[n, at]
                for slot in range(1, SLOTS):
                    value = max(value, scratch[n + slot, at])
                values[hand, at] = value
            continue
        for at in range(WIDE):
            values[hand, at] = (
                chances[n, at] * scratch[n, at]
                + chances[n + 1, at] * scratch[n + 1, at]
                + chances[n + 2, at] * scratch[n + 2, at]
                + chances[n + 3, at] * scratch[n + 3, at]
                + chances[n + 4, at] * scratch[n + 4, at]
            )
        if mode == LEARN:
            for slot in range(SLOTS):
                for at in range(WIDE):
                    regret = regrets[n + slot, at] + scratch[n + slot, at] - values[hand, at]
                    regrets[n + slot, at] = max(f32(0), regret)
            for at in range(WIDE):
                scratch[n, at] = f32(1) / (
                    regrets[n, at]
                    + regrets[n + 1, at]
                    + regrets[n + 2, at]
                    + regrets[n + 3, at]
                    + regrets[n + 4, at]
                    + f32(5 * TINY)
                )
            for slot in range(SLOTS):
                for at in range(WIDE):
                    chances[n + slot, at] = (regrets[n + slot, at] + f32(TINY)) * scratch[n, at]


@compiled
def judge_leads(
    payoffs: Any,
    answering: Any,
    values: Any,
    chances: Any,
    sums: Any,
    numbers: Any,
    scratch: Any,
    weight: float,
) -> None:
    """By leader's hand, its worth against the answers, which are added up with `weight`. One row of positions."""
    lead, answer, beside, turned = numbers[0], numbers[1], numbers[2], numbers[3]
    w = f32(weight)
    for hand in range(LEADS):
        for at in range(WIDE):
            values[hand, at] = f32(0)
    for card in range(CARDS):
        pay, leader = payoffs[card], lead[card]
        for rest in range(REST):
            number = answer[card, rest]
            hand = number // SLOTS
            for at in range(WIDE):
                scratch[rest, at] = answering[hand, at] * chances[number, at]
            for at in range(WIDE):
                sums[number, at] += w * scratch[rest, at]
        for rest in range(REST):
            p0, p1, p2, p3, p4 = (
                turned[rest, 0],
                turned[rest, 1],
                turned[rest, 2],
                turned[rest, 3],
                turned[rest, 4],
            )
            r0, r1, r2, r3, r4 = (
                beside[rest, 0],
                beside[rest, 1],
                beside[rest, 2],
                beside[rest, 3],
                beside[rest, 4],
            )
            hand = leader[rest]
            for at in range(WIDE):
                values[hand, at] -= (
                    f32(pay[p0, at]) * scratch[r0, at]
                    + f32(pay[p1, at]) * scratch[r1, at]
                    + f32(pay[p2, at]) * scratch[r2, at]
                    + f32(pay[p3, at]) * scratch[r3, at]
                    + f32(pay[p4, at]) * scratch[r4, at]
                )
