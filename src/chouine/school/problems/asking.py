"""How often each level finds the right act."""

from __future__ import annotations

from chouine.ai.levels import LEVELS, level
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.rules.options import Rules
from chouine.school.problems.steady import SteadyPlayer

ATTEMPTS = dict(zip(LEVELS, (12, 12, 12, 12, 12, 1, 4, 1), strict=True))
"""By level. Those that do not waver do nearly always the same."""
FRAIL = range(1, 6)
"""The levels that waver."""


def shares(view: View, best: Action) -> tuple[float, ...]:
    """By level, the share of its attempts that found an act."""
    return tuple(share(number, view, best) for number in LEVELS)


def share(number: int, view: View, best: Action) -> float:
    """Of a level's attempts, each by a player made anew, the share that found an act."""
    times = ATTEMPTS[number]
    return round(sum(asked(number, view.rules, seed).act(view) == best for seed in range(times)) / times, 4)


def asked(number: int, rules: Rules, seed: int) -> Player:
    """The player of a level; the highest goes by no clock, so that it answers the same anywhere."""
    return SteadyPlayer(rules, seed) if number == LEVELS[-1] else level(number, rules, seed)
