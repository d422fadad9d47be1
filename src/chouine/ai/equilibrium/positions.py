"""Data types of a subgame's public tree."""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.ai.equilibrium.transitions import Edges
from chouine.partie.actions import Action
from chouine.rules.position import Position


class TooManyPositions(Exception):
    """The subgame exceeds its position limit."""


class PublicState(NamedTuple):
    """A public state: what an onlooker knows, and where each seat's hands are stored."""

    p: Position
    pool: tuple[int, ...]
    """Cards that may be in a hand or in the talon."""
    hand_sizes: tuple[int, int]
    """Cards in each hand."""
    first_entry: tuple[int, int]
    """Index of each seat's first entry."""
    possible: tuple[Any, Any]
    """By seat, `bool[hands]`: hands reachable from its range."""
    asked: int = 0
    """Seats already asked whether they exchange, as a set."""

    @property
    def is_possible(self) -> bool:
        """Whether each seat has a possible hand here."""
        return bool(self.possible[0].any() and self.possible[1].any())


class Scope(NamedTuple):
    """Which choices a subgame contains."""

    exchange_now: int
    """Seats that may exchange in the root trick, as a set."""
    exchange_later: int
    """Seats that may exchange in a later trick."""
    declaring: bool
    """Whether the leader of a later trick may declare."""
    max_positions: int
    """Positions with a last hidden answer before building is abandoned."""


WHOLE = Scope(3, 3, declaring=True, max_positions=1 << 20)


class DecisionNode(NamedTuple):
    """A seat's decision on the path from the root: where its links begin."""

    at: PublicState
    seat: int
    first: int
    links: Edges
    acts: list[Action | None]
    """By edge; None: keep the seven."""


class ChouineNode(NamedTuple):
    """A chouine was declared.

    The declaring seat's entry, the other's entries, and which of these answers with a better one.
    """

    seat: int
    entry: int
    others: int
    many: int
    better: int


class Successor(NamedTuple):
    """Where an act leads: by seat, the first entry and the stride; and the next state, unless play ends there."""

    entries: tuple[tuple[int, int], tuple[int, int]]
    position: PublicState | None
