"""Harvested decisions of two seats as the network is shown them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import MARKS, SPOKEN, WORTH, layout, mark_seat, renamed, write_standing
from chouine.ai.montecarlo import SAID, SWAP
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import Seats
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

SHOWN = 64
"""Marks kept a decision."""
LAYOUT = layout(2)


class Shown(NamedTuple):
    """Decisions as the network is shown them, a row each."""

    marks: Any
    """The inputs that are 1; as many as there are inputs beyond them."""
    numbers: Any
    target: Any
    """What each act was found to be worth."""
    is_open: Any
    """Which acts there were."""


@kernel
def told_position(facts: Any, row: int, hand: int, turnup: int) -> tuple[Position, Seats]:
    """What a decision's seat knew, as if it were seat a; and the cards that the other was known to hold."""
    none, known = Seats(0, 0, 0, 0), Seats(0, facts[row, 1], 0, 0)
    points, declared = Seats(facts[row, 8], facts[row, 9], 0, 0), Seats(facts[row, 10], facts[row, 11], 0, 0)
    said, leader = Seats(facts[row, 6], facts[row, 7], 0, 0), 0 if facts[row, 13] else 1
    p = Position(
        Seats(hand, 0, 0, 0), turnup, facts[row, 5], leader, 0, facts[row, 3], NONE, NONE, 0, facts[row, 12],
        points, declared, none, said, none, NONE, NONE,
    )  # fmt: skip
    return p, known


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
        p, known = told_position(facts, row, hand, turnup)
        many, order = mark_seat(2, p, 0, known, facts[row, 2], one)
        for nth in range(many):
            marks[row, nth] = one[nth]
        for nth in range(many, marks.shape[1]):
            marks[row, nth] = LAYOUT.inputs
        write_standing(2, p, 0, numbers[row])
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
        np.zeros((many, LAYOUT.inputs - LAYOUT.numbers), np.float32),
        np.zeros((many, WORTH), np.float32),
        np.zeros((many, WORTH), np.uint8),
    )
    show_rows(part["facts"], part["acts"].astype(np.int64), part["values"], np.zeros(MARKS, np.int64), told)
    return told
