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


@dataclass(frozen=True, slots=True)
class Wait:
    """A visitor's own wait; `game` is the table at which somebody joined them."""

    name: str
    since: float
    game: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """A visitor blocked by another, with the name they had then."""

    other: str
    name: str
