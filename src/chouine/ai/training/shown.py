"""Decisions as the network is shown them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import WORTH, layout, mark_seat, write_standing
from chouine.fast.compiler import kernel
from chouine.fast.seen import Seen
from chouine.rules.options import Rules
from chouine.rules.position import Position

SHOWN = 64
"""Marks kept a decision."""


class Shown(NamedTuple):
    """Decisions as the network is shown them, a row each."""

    marks: Any
    """The inputs that are 1; as many as there are inputs beyond them."""
    numbers: Any
    target: Any
    """What each act was found to be worth."""
    is_open: Any
    """Which acts there were."""


def room_to_show(rules: Rules, many: int) -> Shown:
    """Room for so many decisions."""
    at = layout(rules.seats)
    return Shown(
        np.zeros((many, SHOWN), np.int16),
        np.zeros((many, at.inputs - at.numbers), np.float32),
        np.zeros((many, WORTH), np.float32),
        np.zeros((many, WORTH), np.uint8),
    )


@kernel
def show(seats: int, p: Position, seen: Seen, marks: Any, numbers: Any, one: Any) -> int:
    """Write what the seat on turn is shown; the order of suits in which it is."""
    many, order = mark_seat(seats, p, p.turn, seen.known, seen.played, one)
    for nth in range(len(marks)):
        marks[nth] = one[nth] if nth < many else layout(seats).inputs
    write_standing(seats, p, p.turn, numbers)
    return order
