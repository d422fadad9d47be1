"""Who waits for a partner, and who is no longer met, as pages are told of them."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 15 * 60.0
"""Seconds of a wait."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """A waiting visitor, as others see them."""

    id: str
    name: str
    since: float


@dataclass(frozen=True, slots=True)
class Wait:
    """A visitor's own wait; `game` is the table where somebody has sat down with them."""

    name: str
    since: float
    game: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """A visitor blocked by another, with the name they had then."""

    other: str
    name: str
