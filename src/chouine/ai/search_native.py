"""The strongest player's backend compiled for this computer."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache

import numpy as np

from chouine.ai.determinization import TALON_PLACES, Worlds
from chouine.ai.macro_actions import MAX_ACTS
from chouine.ai.network import NO_NETWORK, Network, load_shipped, private_copy
from chouine.ai.rollout import Policy, greedy_policy, heuristic_policy, network_policy
from chouine.ai.search import (
    MAX_PAST,
    MOST,
    MOST_CANDIDATES,
    SLOTS,
    TYPES,
    VALUES,
    Search,
    has_network,
    words_of,
)
from chouine.ai.search_kernels import STATES, Scratch, choose, draw, end, try_acts
from chouine.fast.compiler import compiled
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.rules.position import NONE

compiled_choose, compiled_try_acts, compiled_end = compiled(choose), compiled(try_acts), compiled(end)
compiled_draw = compiled(draw)


@cache
def policies_of(preset: str) -> tuple[Policy, ...]:
    """The types of player: the network, the heuristic, the greedy player."""
    rules = Rules.parse(preset)
    network = private_copy(load_shipped(preset)) if has_network(rules) else NO_NETWORK
    return network_policy(rules, network), heuristic_policy(rules), greedy_policy(rules)


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
        np.zeros((MOST_CANDIDATES, 4), np.int64),
        np.zeros((MOST_CANDIDATES, 4, TYPES)),
        np.zeros((2, TYPES)),
        np.zeros((4, 2, TYPES)),
        np.zeros((MAX_PAST, SLOTS), np.int64),
        np.zeros((MAX_PAST, SLOTS, TYPES)),
    )


def choose_by(network: Network, words: array[int]) -> tuple[float, float]:
    """The act that a network chooses: its card, and its declaration or NONE."""
    values = np.zeros(VALUES)
    compiled_choose(np.frombuffer(words, np.int64), network, values)
    return values[0], values[1]


def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
    """`ai.search.Backend`."""
    values, given = np.zeros(VALUES), np.frombuffer(words, np.int64)
    match task:
        case "choose":
            compiled_choose(given, policies_of(preset)[0].network, values)
        case "try":
            compiled_try_acts(given, policies_of(preset), scratch(), values)
        case _:
            compiled_end(given, scratch(), values)
    return values.tolist()


def draw_worlds(view: View, count: int, seed: int, only: int = NONE) -> Worlds:
    """`count` worlds weighted by the opponents' acts; `only`: as in `Search`."""
    worlds = Worlds(np.zeros((count, 4), np.int64), np.zeros((count, TALON_PLACES), np.int64))
    words = np.frombuffer(words_of(view, view.position, (), Search(seed, only=only)), np.int64)
    compiled_draw(words, policies_of(view.rules.preset), scratch(), worlds)
    return worlds
