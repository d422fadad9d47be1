"""The network's forward pass in kernel Python.

The value of each act from a seat's knowledge, in microseconds, without torch.

`ai.training` produces the weights; `weights/README.md` describes how.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from chouine.ai.features import (
    DECLARED_SLOTS,
    MAX_MARKS,
    VALUE_SLOT,
    canonical_card,
    layout,
    mark_seat,
    write_scalars,
)
from chouine.cards import ALL_CARDS
from chouine.errors import ChouineError
from chouine.fast.bits import highest_bit
from chouine.fast.driver import best_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import legal
from chouine.rules.position import NONE, Four, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

SHIPPED = Path(__file__).with_name("weights")
MAX_SCALARS = 16
"""Upper bound on scalar inputs."""


class Network(NamedTuple):
    """Weights, input-major, and scratch buffers. Not thread-safe: copy it with `private_copy`."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    out: Any
    out_bias: Any
    marks: Any
    numbers: Any
    hidden_1: Any
    hidden_2: Any
    outputs: Any
    """float32[OUTPUTS], the latest result: the value of each act, then of the position."""


class BadWeights(ChouineError, ValueError):
    """A file that holds no weights for this network."""


def load_shipped(name: str) -> Network:
    """The network shipped for a preset. Raises `BadWeights`."""
    path = SHIPPED / f"{name}.npz"
    if not path.exists():
        raise BadWeights("network/none", preset=name)
    return load_weights(path, Rules.parse(name).seats)


@cache
def load_weights(path: Path, seats: int) -> Network:
    """The network for this number of seats, from an `.npz` file. Raises `BadWeights`."""
    if not path.exists():
        raise BadWeights("network/no-file", path=str(path))
    try:
        with path.open("rb") as file, np.load(file) as kept:
            parts = {part: np.ascontiguousarray(kept[part], np.float32) for part in kept.files}
        hidden = len(parts["first_bias"])
    except (OSError, EOFError, ValueError, TypeError, KeyError, BadZipFile) as error:
        raise BadWeights("network/weights", path=str(path)) from error
    shapes = {
        "first_weight": (layout(seats).inputs, hidden),
        "first_bias": (hidden,),
        "second_weight": (hidden, hidden),
        "second_bias": (hidden,),
        "out_weight": (hidden, VALUE_SLOT + 1),
        "out_bias": (VALUE_SLOT + 1,),
    }
    fits = {part: parts[part].shape for part in parts} == shapes
    if not fits or not all(np.isfinite(part).all() for part in parts.values()):
        raise BadWeights("network/weights", path=str(path))
    return from_parts(parts)


def from_parts(parts: dict[str, Any]) -> Network:
    """A network from its weights, with scratch buffers."""
    hidden = parts["first_weight"].shape[1]
    return Network(
        parts["first_weight"],
        parts["first_bias"],
        parts["second_weight"],
        parts["second_bias"],
        parts["out_weight"],
        parts["out_bias"],
        np.zeros(MAX_MARKS, np.int64),
        np.zeros(MAX_SCALARS),
        np.zeros(hidden, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(VALUE_SLOT + 1, np.float32),
    )


def parameters(path: Path, seats: int) -> dict[str, Any]:
    """The weights of a network as shipped (`.npz`), float32, by torch's names and output-major; or `BadWeights`."""
    network = load_weights(path, seats)._asdict()
    return {
        f"{layer}.{kind}": network[layer if kind == "weight" else f"{layer}_bias"].T.copy()
        for layer in ("first", "second", "out")
        for kind in ("weight", "bias")
    }


NO_NETWORK = from_parts(
    {
        "first_weight": np.zeros((0, 0), np.float32),
        "first_bias": np.zeros(0, np.float32),
        "second_weight": np.zeros((0, 0), np.float32),
        "second_bias": np.zeros(0, np.float32),
        "out_weight": np.zeros((0, VALUE_SLOT + 1), np.float32),
        "out_bias": np.zeros(0, np.float32),
    }
)
"""A network without units: the heuristic plays in its place."""


def private_copy(network: Network) -> Network:
    """A network that shares the weights but has scratch buffers of its own, for one thread."""
    return network._replace(
        marks=network.marks.copy(),
        numbers=network.numbers.copy(),
        hidden_1=network.hidden_1.copy(),
        hidden_2=network.hidden_2.copy(),
        outputs=network.outputs.copy(),
    )


@kernel
def first_layer(seats: int, network: Network, p: Position, seat: int, known: Four, played: Four) -> int:
    """Compute the first layer from a seat's knowledge; returns the suit order."""
    count, order = mark_seat(seats, p, seat, known, played, network.marks)
    write_scalars(seats, p, seat, network.numbers)
    hidden_1, first, marks, at = network.hidden_1, network.first, network.marks, layout(seats)
    for unit in range(len(hidden_1)):
        hidden_1[unit] = network.first_bias[unit]
    for nth in range(0, count - 3, 4):
        a, b, c, d = marks[nth], marks[nth + 1], marks[nth + 2], marks[nth + 3]
        for unit in range(len(hidden_1)):
            hidden_1[unit] = (
                hidden_1[unit] + first[a, unit] + first[b, unit] + first[c, unit] + first[d, unit]
            )
    for nth in range(count & ~3, count):
        row = marks[nth]
        for unit in range(len(hidden_1)):
            hidden_1[unit] += first[row, unit]
    for nth in range(at.inputs - at.numbers):
        scalar = np.float32(network.numbers[nth])
        for unit in range(len(hidden_1)):
            hidden_1[unit] += scalar * first[at.numbers + nth, unit]
    return order


@kernel
def add_positive(values: Any, weights: Any, sums: Any) -> None:
    """Add to `sums` each positive value times its row of weights.

    Four rows at a time, so that sums are loaded and stored once for four, and added in order: the bits are the same.
    """
    a = b = c = NONE
    for unit in range(len(values)):
        if values[unit] <= 0:
            continue
        if a < 0:
            a = unit
        elif b < 0:
            b = unit
        elif c < 0:
            c = unit
        else:
            value_a, value_b, value_c, value = values[a], values[b], values[c], values[unit]
            for above in range(len(sums)):
                total = sums[above] + value_a * weights[a, above] + value_b * weights[b, above]
                sums[above] = total + value_c * weights[c, above] + value * weights[unit, above]
            a = b = c = NONE
    for unit in (a, b, c):
        if unit >= 0:
            value = values[unit]
            for above in range(len(sums)):
                sums[above] += value * weights[unit, above]


@kernel
def forward(seats: int, network: Network, p: Position, seat: int, known: Four, played: Four) -> int:
    """Compute `network.outputs` for a seat's knowledge; returns the suit order that the outputs use."""
    order = first_layer(seats, network, p, seat, known, played)
    for unit in range(len(network.hidden_2)):
        network.hidden_2[unit] = network.second_bias[unit]
    add_positive(network.hidden_1, network.second, network.hidden_2)
    for act in range(VALUE_SLOT + 1):
        network.outputs[act] = network.out_bias[act]
    add_positive(network.hidden_2, network.out, network.outputs)
    return order


@kernel
def network_card(
    rule_table: RuleTable, network: Network, p: Position, public: PublicKnowledge
) -> tuple[int, int]:
    """The act that the network values most: a card and its declaration or NONE."""
    actions = legal(rule_table, p)
    return network_card_among(rule_table, network, p, public, actions & ALL_CARDS, actions & DECLARATIONS)


@kernel
def network_card_among(
    rule_table: RuleTable,
    network: Network,
    p: Position,
    public: PublicKnowledge,
    cards: int,
    declarations: int,
) -> tuple[int, int]:
    """The same among some legal cards, and some of the declarations, both as sets."""
    if cards & cards - 1 == 0 and declarations == 0:
        return highest_bit(cards), NONE
    order = forward(rule_table.seats, network, p, p.turn, public.known, public.played)
    best, chosen, declared = -1e9, NONE, NONE
    while cards:
        card = highest_bit(cards)
        cards ^= 1 << card
        output = canonical_card(card, order)
        declaration = best_with(rule_table, declarations, card)
        if network.outputs[output] > best:
            best, chosen, declared = network.outputs[output], card, NONE
        if declaration >= 0 and network.outputs[DECLARED_SLOTS + output] > best:
            best, chosen, declared = network.outputs[DECLARED_SLOTS + output], card, declaration
    return chosen, declared
