"""What a player loads or compiles at its first decisions is done before any is timed."""

from __future__ import annotations

from functools import cache
from random import Random

from chouine.arena.entrants import entrant
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.pipe import PipePlayer
from chouine.rules.options import Rules

EVERY = 5
"""Of a partie's actions every so many is decided: early, late, and with an empty talon."""


@cache
def warm(spec: str, rules: Rules, seconds: float | None) -> None:
    """Have a player decide here and there in a partie played at random, once in every process. A program is let be."""
    player, rng = entrant(spec, rules, 0, seconds), Random(0)
    if isinstance(player, PipePlayer):
        return
    state, done = State.new(rules, Deal.random(rules, 0, rng)), 0
    while state.turn is not None:
        if done % EVERY == 0:
            player.act(state.view(state.turn))
        state = state.play(rng.choice(state.legal()))
        done += 1
