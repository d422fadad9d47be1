"""The parties in which problems are searched: levels against one another, each determined by its number and a seed."""

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
"""Weights of levels 1 to 8 when players are drawn for classic parties of two: levels 7 and 8 are slow."""
SELDOM = (200, 200, 200, 200, 200, 200, 20, 1)
"""Weights of the levels under all other rules, where level 8, which weighs all hands of its opponents, is slower
still."""
WORLDS = 128
"""Sampled worlds per decision of level 8 here; the equilibrium solver is off."""


def decisions(rules: Rules, seed: str, partie: int) -> Iterator[State]:
    """Yield the state of a partie whenever a seat is to lay a card, and at its end."""
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
    """A player of a level that is quick and uses no clock."""
    return (
        FixedBudgetPlayer(rules, seed, WORLDS, iterations=0)
        if number == LEVELS[-1]
        else level(number, rules, seed)
    )
