"""What the public positions of a subgame are told by."""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.ai.equilibrium.links import Bundle
from chouine.partie.actions import Action
from chouine.rules.position import Position


class TooMany(Exception):
    """More positions than were allowed."""


class Public(NamedTuple):
    """A public position: what an onlooker knows, and where each seat's hands are."""

    p: Position
    pool: tuple[int, ...]
    """Cards that may be in a hand or in the talon."""
    held: tuple[int, int]
    """Cards in each hand."""
    base: tuple[int, int]
    """The first of each seat's entries."""
    may: tuple[Any, Any]
    """By seat, which of its hands its range can have become."""
    asked: int = 0
    """Seats that have been asked whether they exchange, as a set."""

    @property
    def is_possible(self) -> bool:
        """Whether both seats may hold something here."""
        return bool(self.may[0].any() and self.may[1].any())


class Scope(NamedTuple):
    """What a subgame reckons with."""

    now: int
    """The seats that may exchange in the trick at the root, as a set."""
    later: int
    """And in a later trick."""
    declaring: bool
    """Whether who leads a later trick may declare."""
    most: int
    """Positions with a last hidden answer before it is given up."""


WHOLE = Scope(3, 3, declaring=True, most=1 << 20)


class Choice(NamedTuple):
    """What a seat may choose at a position on the way from the root, by its first links."""

    at: Public
    seat: int
    first: int
    links: Bundle
    acts: list[Action | None]
    """By edge; None: it keeps the seven."""


class Chouine(NamedTuple):
    """A chouine is said: who said it, its one entry, and the other's, of which one may answer with a better."""

    seat: int
    entry: int
    others: int
    many: int
    better: int


class End(NamedTuple):
    """Where an act leads: by seat, its first entry and the step to the next; and the position, if it goes on there."""

    ways: tuple[tuple[int, int], tuple[int, int]]
    position: Public | None
