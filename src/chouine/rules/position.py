"""A position: seventeen ints and tuples of four ints, for any number of seats."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

Four = tuple[int, int, int, int]
"""One int a seat; places beyond the seats stay 0."""

NONE = -1
UNKNOWN = 32
"""An unknown talon card: it adds nothing to a hand."""


class Position(NamedTuple):
    """All that the rules need to continue, given the talon.

    A seat's partial knowledge is a `Position` too: other hands contain only the cards known to be there. All functions
    that do not ask for a hidden hand work on it unchanged.
    """

    hands: Four
    turnup: int
    """The card lying face up by the talon, or NONE."""
    trump: int
    """Trump suit, or NONE (§17)."""
    leader: int
    turn: int
    """Seat to play a card; NONE when the partie is over."""
    table: int
    """The trick so far: six bits a card, card + 1, the lead lowest."""
    best: int
    """The card taking the trick so far, or NONE."""
    taker: int
    """The seat that laid it."""
    pot: int
    """Card points on the table."""
    tricks: int
    """Tricks completed."""
    points: Four
    """Card points taken, dix de der included (§12)."""
    declared: Four
    """Declaration points (§9)."""
    before: Four
    """Declaration points before this trick: what stands if a chouine ends the partie (§10)."""
    said: Four
    """Declarations made, as action sets."""
    counted: Four
    """Best value counted a suit, a byte each (§9.4)."""
    pending: int
    """The declaration whose card must follow, or NONE."""
    chouine: int
    """Seat whose chouine is winning, or NONE (§10)."""


Fields = tuple[
    Four, int, int, int, int, int, int, int, int, int, Four, Four, Four, Four, Four, int, int
]  # fmt: skip
new_position: Callable[[Fields], Position] = partial(tuple.__new__, Position)
"""The position of these fields, in half the time that `Position(...)` takes."""


def put(four: Four, seat: int, value: int) -> Four:
    """`four` with a seat's value replaced."""
    if seat == 0:
        return (value, four[1], four[2], four[3])
    if seat == 1:
        return (four[0], value, four[2], four[3])
    if seat == 2:
        return (four[0], four[1], value, four[3])
    return (four[0], four[1], four[2], value)
