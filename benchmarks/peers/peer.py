"""What a peer's module hands over: its package, what it measures, and what it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Peer:
    package: str
    meters: dict[str, Callable[[], float]]
    """Each measures one figure anew whenever it is called."""
    decisions: dict[str, float] = field(default_factory=dict)
    """For figures that count games: how many actions players choose in a random one."""
    missing: dict[str, str] = field(default_factory=dict)
    """Figures that cannot be had here, and why."""
