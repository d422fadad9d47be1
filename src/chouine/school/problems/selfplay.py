"""Parties that problems are found in: all levels against one another, each partie fixed by its number and a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from chouine.ai.levels import LEVELS, level
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.base import Player
from chouine.rules.options import Rules
from chouine.school.problems.fixed_budget import FixedBudgetPlayer
from chouine.school.problems.replies import next_act

OFTEN = (20, 20, 20, 20, 20, 20, 2, 1)
"""By level, how often it sits down in classic parties of two: the two that think ahead take long."""
SELDOM = (200, 200, 200, 200, 200, 200, 20, 1)
"""The same elsewhere, where the highest, which weighs all hands that others may hold, takes longer still."""
WORLDS = 128
"""In how many worlds the highest level tries acts here; it looks for no equilibrium."""


def decisions(rules: Rules, seed: str, partie: int) -> Iterator[State]:
    """A partie, as it stands whenever a seat is to lay a card, and at its end."""
    rng = Random(f"{seed} {rules} {partie}")
    state = State.new(rules, Deal.random(rules, rng.randrange(rules.seats), rng))
    numbers = rng.choices(LEVELS, OFTEN if rules.preset == "classic" else SELDOM, k=rules.seats)
    players = [seated(number, rules, rng.randrange(1 << 30)) for number in numbers]
    while state.result is None:
        seat, action = next_act(state, players)
        if seat == state.position.turn:
            yield state
        state = state.play(action, seat)


def seated(number: int, rules: Rules, seed: int) -> Player:
    """A level that thinks quickly and by no clock."""
    return (
        FixedBudgetPlayer(rules, seed, WORLDS, iterations=0)
        if number == LEVELS[-1]
        else level(number, rules, seed)
    )
