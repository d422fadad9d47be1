"""The interface of a peer's module: its package, its figures, and those it lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Peer:
    package: str
    meters: dict[str, Callable[[], float]]
    """Each call measures a figure once."""
    decisions: dict[str, float] = field(default_factory=dict)
    """For figures that count games: the mean number of player decisions in a random game."""
    missing: dict[str, str] = field(default_factory=dict)
    """Figures that are not available here, with the reason."""
