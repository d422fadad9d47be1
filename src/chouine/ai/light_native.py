"""The light player's backend compiled for this computer."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache

import numpy as np

from chouine.ai.light import MOST, MOST_CANDIDATES, TYPES
from chouine.ai.light_kernels import STATES, Scratch, choose, end, try_acts
from chouine.ai.macro_actions import MAX_ACTS
from chouine.ai.network import load_shipped, private_copy
from chouine.ai.policy import Policy, greedy_policy, heuristic_policy, network_policy
from chouine.fast.compiler import compiled
from chouine.rules.options import Rules

compiled_choose, compiled_try_acts, compiled_end = compiled(choose), compiled(try_acts), compiled(end)


@cache
def policies_of(preset: str) -> tuple[Policy, ...]:
    """The types of player: the network, the heuristic, the greedy player."""
    rules = Rules.parse(preset)
    own = network_policy(rules, private_copy(load_shipped(preset)))
    return own, heuristic_policy(rules), greedy_policy(rules)


def scratch() -> Scratch:
    """Scratch memory."""
    return Scratch(
        np.zeros(32, np.int64),
        np.zeros(32, np.int64),
        np.zeros(5, np.int64),
        np.zeros((33, STATES)),
        np.zeros((1, 4), np.int64),
        np.zeros((1, 32), np.int64),
        np.zeros(4, np.int64),
        memoryview(array("q", [0])),  # the same types as for other players, so that solvers are compiled once
        np.zeros(MAX_ACTS, np.int64),
        np.zeros(MAX_ACTS),
        np.zeros((MAX_ACTS, MOST)),
        np.zeros(MOST_CANDIDATES, np.int64),
        np.zeros((MOST_CANDIDATES, TYPES)),
        np.zeros(2 * TYPES),
        np.zeros(2 * TYPES),
    )


def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
    """`ai.light.Backend`."""
    values, given = np.zeros(2 * MAX_ACTS), np.frombuffer(words, np.int64)
    match task:
        case "choose":
            compiled_choose(given, policies_of(preset)[0].network, values)
        case "try":
            compiled_try_acts(given, policies_of(preset), scratch(), values)
        case _:
            compiled_end(given, scratch(), values)
    return values.tolist()
