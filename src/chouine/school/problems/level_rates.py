"""How often each level finds the right act."""

from __future__ import annotations

from chouine.ai.levels import LEVELS, level
from chouine.partie.actions import Action
from chouine.partie.view import View

ATTEMPTS = dict(zip(LEVELS, (12, 12, 12, 12, 12, 1, 4, 1), strict=True))
"""Attempts per level. Levels without a handicap nearly always repeat their choice."""
HANDICAPPED_LEVELS = range(1, 6)
"""The levels that play with a handicap (`ai/handicap.py`)."""


def success_rates(view: View, best: Action) -> tuple[float, ...]:
    """For each level, the share of its attempts that find the act."""
    return tuple(success_rate(number, view, best) for number in LEVELS)


def success_rate(number: int, view: View, best: Action) -> float:
    """The share of a level's attempts that find an act, each attempt by a new player."""
    times = ATTEMPTS[number]
    return round(sum(level(number, view.rules, seed).act(view) == best for seed in range(times)) / times, 4)
