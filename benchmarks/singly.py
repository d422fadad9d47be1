"""Single environments as Python learners step them: a step, the observation, the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any

from chouine.cli.bench import SECONDS


def decisions_a_second(games: Iterator[int]) -> float:
    """Decisions a second; `games` yields the number of decisions of each game."""
    began, done = process_time(), 0
    while process_time() - began < SECONDS:
        done += next(games)
    return done / (process_time() - began)


def openspiel_meter(name: str) -> Callable[[], float]:
    """Random games through OpenSpiel's `rl_environment`, which computes all players' observations at each step."""
    from open_spiel.python.rl_environment import Environment

    environment, rng = Environment(name, enable_legality_check=False), Random(1)
    environment.seed(1)

    def games() -> Iterator[int]:
        while True:
            told, chosen = environment.reset(), 0
            while not told.last():
                seen = told.observations
                told = environment.step([rng.choice(seen["legal_actions"][seen["current_player"]])])
                chosen += 1
            yield chosen

    endless = games()
    return lambda: decisions_a_second(endless)


def pettingzoo_meter() -> Callable[[], float]:
    """Random parties through `chouine_v0.env`, with all its checks."""
    import numpy as np

    from chouine.envs import chouine_v0

    environment: Any = chouine_v0.env("classic")
    rng = Random(1)

    def games() -> Iterator[int]:
        while True:
            environment.reset(seed=rng.getrandbits(32))
            chosen = 0
            for _ in environment.agent_iter():
                seen, _, over, _, _ = environment.last()
                environment.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"])))
                chosen += not over
            yield chosen

    endless = games()
    return lambda: decisions_a_second(endless)
