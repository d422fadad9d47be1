"""Training decisions in the network's input format, and weights in torch's names and orientation."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import VALUE_SLOT, layout, mark_seat, write_scalars
from chouine.ai.network import load_weights
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.rules.options import Rules
from chouine.rules.position import Position

MARKS_KEPT = 64
"""Active inputs stored per decision."""


class Decisions(NamedTuple):
    """Decisions, one per row."""

    marks: Any
    """`int16[n, MARKS_KEPT]`: active inputs, padded with the number of inputs."""
    numbers: Any
    target: Any
    """`float32[n, 64]`: the estimated value of each act."""
    is_open: Any
    """`uint8[n, 64]`: legal acts."""


def empty_decisions(rules: Rules, count: int) -> Decisions:
    """Arrays for `count` decisions."""
    at = layout(rules.seats)
    return Decisions(
        np.zeros((count, MARKS_KEPT), np.int16),
        np.zeros((count, at.inputs - at.numbers), np.float32),
        np.zeros((count, VALUE_SLOT), np.float32),
        np.zeros((count, VALUE_SLOT), np.uint8),
    )


@kernel
def write_observation(
    seats: int, p: Position, public: PublicKnowledge, marks: Any, numbers: Any, scratch: Any
) -> int:
    """Write the inputs of the seat on turn; returns the suit order."""
    count, order = mark_seat(seats, p, p.turn, public.known, public.played, scratch)
    for nth in range(len(marks)):
        marks[nth] = scratch[nth] if nth < count else layout(seats).inputs
    write_scalars(seats, p, p.turn, numbers)
    return order


def parameters(path: Path, seats: int) -> dict[str, Any]:
    """The weights of a network as shipped (`.npz`), float32, by torch's names and output-major; or `BadWeights`."""
    network = load_weights(path, seats)._asdict()
    return {
        f"{layer}.{kind}": network[layer if kind == "weight" else f"{layer}_bias"].T.copy()
        for layer in ("first", "second", "out")
        for kind in ("weight", "bias")
    }
