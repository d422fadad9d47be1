"""The light player's machine compiled for this computer."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache

import numpy as np

from chouine.ai.light_kernels import STATES, Scratch, choose, end, try_acts
from chouine.ai.macro_actions import MAX_ACTS
from chouine.ai.network import load_shipped, private_copy
from chouine.ai.policy import Policy, network_policy
from chouine.fast.compiler import compiled
from chouine.rules.options import Rules

compiled_choose, compiled_try_acts, compiled_end = compiled(choose), compiled(try_acts), compiled(end)


@cache
def policy_of(preset: str) -> Policy:
    return network_policy(Rules.parse(preset), private_copy(load_shipped(preset)))


def scratch() -> Scratch:
    """Memory to work in."""
    return Scratch(
        np.zeros(32, np.int64),
        np.zeros(32, np.int64),
        np.zeros(5, np.int64),
        np.zeros((33, STATES)),
        np.zeros((1, 4), np.int64),
        np.zeros((1, 32), np.int64),
        np.zeros(4, np.int64),
        np.zeros(1, np.int64),
    )


def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
    """`ai.light.Machine`."""
    values, given = np.zeros(2 * MAX_ACTS), np.frombuffer(words, np.int64)
    match task:
        case "choose":
            compiled_choose(given, policy_of(preset).network, values)
        case "try":
            compiled_try_acts(given, policy_of(preset), scratch(), values)
        case _:
            compiled_end(given, scratch(), values)
    return values.tolist()
