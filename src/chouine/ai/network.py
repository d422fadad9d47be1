"""The network: what each act is worth to a seat, from what it knows, in a few microseconds and without torch.

Kernel Python. Its weights are made by `ai.training`; `weights/README.md` tells how.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from chouine.ai.features import MARKS, SPOKEN, WORTH, layout, mark_seat, renamed, write_standing
from chouine.cards import ALL_CARDS
from chouine.errors import ChouineError
from chouine.fast.bits import highest
from chouine.fast.compiler import AVAILABLE, kernel
from chouine.fast.playout import best_with
from chouine.fast.seen import Seen
from chouine.rules.book import Book
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import legal
from chouine.rules.position import NONE, Four, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

WEIGHTS = Path(__file__).with_name("weights")
NUMBERS = 16
"""More numbers than a seat is ever shown."""


class Network(NamedTuple):
    """Weights by input, and room to work in: not for two threads at once."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    out: Any
    out_bias: Any
    marks: Any
    numbers: Any
    one: Any
    two: Any
    told: Any
    """What was last told: of each act, and what the position is worth."""


class BadWeights(ChouineError, ValueError):
    """A file that holds no weights for this network."""


def trained(rules: Rules) -> bool:
    """Whether there is a network for these rules' preset."""
    return (WEIGHTS / f"{rules.preset}.npz").exists()


def loaded(name: str) -> Network:
    """The network whose weights are shipped for a preset; `BadWeights` if they cannot be read."""
    path = WEIGHTS / f"{name}.npz"
    if not path.exists():
        raise BadWeights("network/none", preset=name)
    return read(path, Rules.parse(name).seats)


@cache
def read(path: Path, seats: int) -> Network:
    """The network of so many seats whose weights are in a file; `BadWeights` if they cannot be read."""
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
        "out_weight": (hidden, WORTH + 1),
        "out_bias": (WORTH + 1,),
    }
    fits = {part: parts[part].shape for part in parts} == shapes
    if not fits or not all(np.isfinite(part).all() for part in parts.values()):
        raise BadWeights("network/weights", path=str(path))
    return network_of(parts)


def network_of(parts: dict[str, Any]) -> Network:
    """A network of weights by input, with room to work in."""
    hidden = parts["first_weight"].shape[1]
    return Network(
        parts["first_weight"],
        parts["first_bias"],
        parts["second_weight"],
        parts["second_bias"],
        parts["out_weight"],
        parts["out_bias"],
        np.zeros(MARKS, np.int64),
        np.zeros(NUMBERS),
        np.zeros(hidden, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(WORTH + 1, np.float32),
    )


NOBODY = network_of(
    {
        "first_weight": np.zeros((0, 0), np.float32),
        "first_bias": np.zeros(0, np.float32),
        "second_weight": np.zeros((0, 0), np.float32),
        "second_bias": np.zeros(0, np.float32),
        "out_weight": np.zeros((0, WORTH + 1), np.float32),
        "out_bias": np.zeros(0, np.float32),
    }
)
"""A network of no units, in whose place rules of thumb play."""


def own(network: Network) -> Network:
    """The same network with room of its own to work in."""
    return network._replace(
        marks=network.marks.copy(),
        numbers=network.numbers.copy(),
        one=network.one.copy(),
        two=network.two.copy(),
        told=network.told.copy(),
    )


@kernel
def take_in(seats: int, network: Network, p: Position, seat: int, known: Four, played: Four) -> int:
    """What a seat knows goes in; the order of suits in which it is told."""
    many, order = mark_seat(seats, p, seat, known, played, network.marks)
    write_standing(seats, p, seat, network.numbers)
    one, at = network.one, layout(seats)
    for unit in range(len(one)):
        one[unit] = network.first_bias[unit]
    for nth in range(many):
        row = network.marks[nth]
        for unit in range(len(one)):
            one[unit] += network.first[row, unit]
    for nth in range(at.inputs - at.numbers):
        share = np.float32(network.numbers[nth])
        for unit in range(len(one)):
            one[unit] += share * network.first[at.numbers + nth, unit]
    return order


@kernel
def consult(seats: int, network: Network, p: Position, seat: int, known: Four, played: Four) -> int:
    """Have the network tell of a seat's acts in `told`; the order of suits in which it does."""
    order = take_in(seats, network, p, seat, known, played)
    one, two, told = network.one, network.two, network.told
    for unit in range(len(two)):
        two[unit] = network.second_bias[unit]
    for unit in range(len(one)):
        value = one[unit]
        if value > 0:
            for above in range(len(two)):
                two[above] += value * network.second[unit, above]
    for act in range(WORTH + 1):
        told[act] = network.out_bias[act]
    for unit in range(len(two)):
        value = two[unit]
        if value > 0:
            for act in range(WORTH + 1):
                told[act] += value * network.out[unit, act]
    return order


@kernel
def network_card(book: Book, network: Network, p: Position, seen: Seen) -> tuple[int, int]:
    """The card that the seat on turn had best lay, and the declaration to make with it, or NONE."""
    actions = legal(book, p)
    cards, declarations = actions & ALL_CARDS, actions & DECLARATIONS
    if cards & cards - 1 == 0 and declarations == 0:
        return highest(cards), NONE
    order = consult(book.seats, network, p, p.turn, seen.known, seen.played)
    best, chosen, said = -1e9, NONE, NONE
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        slot = renamed(card, order)
        declaration = best_with(book, declarations, card)
        if network.told[slot] > best:
            best, chosen, said = network.told[slot], card, NONE
        if declaration >= 0 and network.told[SPOKEN + slot] > best:
            best, chosen, said = network.told[SPOKEN + slot], card, declaration
    return chosen, said
