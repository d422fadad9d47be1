"""Positions of random parties."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from chouine.partie import Deal, Exchange, State
from chouine.rules import PRESETS, Rules


def states(seed: int) -> Iterator[State]:
    """The positions of a random partie, under one preset after the other, that likes to declare and to exchange."""
    preset = sorted(PRESETS)[seed % len(PRESETS)]
    rules, rng = Rules.of_preset(preset), Random(seed)
    state = State.new(rules, Deal.random(rules, seed % rules.seats, rng))
    while state.result is None:
        yield state
        acts = state.legal()
        loud = [each for each in acts if isinstance(each, Exchange) or each.declaration is not None]
        state = state.play(rng.choice(loud if loud and rng.random() < 0.3 else acts))
