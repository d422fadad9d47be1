"""RLCard: card games in Python for learning, one game at a time, with random legal actions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import rlcard

from benchmarks.peers import Peer
from benchmarks.singly import decisions_a_second

GAMES = ("gin-rummy", "doudizhu", "bridge")


def peer() -> Peer:
    return Peer(
        "rlcard",
        {
            f"rlcard_{name}_decisions_s": partial(decisions_a_second, games(rlcard.make(name)))
            for name in GAMES
        },
    )


def games(env: Any) -> Iterator[int]:
    """Endless random games; yields the number of decisions of each."""
    rng = Random(1)
    while True:
        (state, _), chosen = env.reset(), 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            chosen += 1
        yield chosen
