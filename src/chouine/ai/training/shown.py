"""Harvested decisions as the network is shown them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import INPUTS, MARKS, NUMBERS, SPOKEN, WORTH, mark, renamed, standing
from chouine.ai.montecarlo import SAID, SWAP
from chouine.fast.compiler import AVAILABLE, compiled

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

SHOWN = 64
"""Marks kept a decision."""


class Shown(NamedTuple):
    """Decisions as the network is shown them, a row each."""

    marks: Any
    """The inputs that are 1; `INPUTS` beyond them."""
    numbers: Any
    target: Any
    """What each act was found to be worth."""
    is_open: Any
    """Which acts there were."""


@compiled
def show_rows(facts: Any, acts: Any, values: Any, one: Any, told: Shown) -> None:
    """Fill in what is shown of each decision."""
    marks, numbers, target, is_open = told
    for row in range(len(facts)):
        hand, turnup = facts[row, 0], facts[row, 4]
        swapped = False
        for nth in range(acts.shape[1]):
            if acts[row, nth] >= 0 and acts[row, nth] & SWAP:
                swapped = True
        if swapped:  # a seat that may exchange is shown what it holds once it has
            seven = 8 * facts[row, 5]
            hand = hand & ~(1 << seven) | 1 << turnup
            turnup = seven
        many, order = mark(
            hand,
            facts[row, 1],
            facts[row, 2],
            facts[row, 3],
            turnup,
            facts[row, 5],
            facts[row, 6],
            facts[row, 7],
            facts[row, 12],
            facts[row, 13],
            one,
        )
        for nth in range(many):
            marks[row, nth] = one[nth]
        for nth in range(many, marks.shape[1]):
            marks[row, nth] = INPUTS
        own, others = facts[row, 8] + facts[row, 10], facts[row, 9] + facts[row, 11]
        told_of = standing(own, others, facts[row, 10], facts[row, 11])
        for nth in range(len(told_of)):
            numbers[row, nth] = told_of[nth]
        for nth in range(acts.shape[1]):
            act = acts[row, nth]
            if act < 0 or (act & SWAP != 0) != swapped:
                continue
            slot = renamed(act & 63, order) + (SPOKEN if act >> SAID & 63 else 0)
            if not is_open[row, slot] or values[row, nth] > target[row, slot]:
                target[row, slot] = values[row, nth]
            is_open[row, slot] = 1


def shown(part: Any) -> Shown:
    """A file of decisions."""
    many = len(part["facts"])
    told = Shown(
        np.zeros((many, SHOWN), np.int16),
        np.zeros((many, INPUTS - NUMBERS), np.float32),
        np.zeros((many, WORTH), np.float32),
        np.zeros((many, WORTH), np.uint8),
    )
    show_rows(part["facts"], part["acts"].astype(np.int64), part["values"], np.zeros(MARKS, np.int64), told)
    return told
