"""Waits and blocks as pages show them."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 15 * 60.0
"""Longest wait in seconds."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """A waiting visitor, as others see them."""

    id: str
    name: str
    since: float
    rated: bool = False
    """Whether they agree to a match for the ratings."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A visitor's own wait; `table_id` is the table at which somebody joined them."""

    name: str
    since: float
    table_id: str


@dataclass(frozen=True, slots=True)
class BlockedVisitor:
    """A visitor blocked by another, with the name they had then."""

    other: str
    name: str
