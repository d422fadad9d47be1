"""Flat Monte Carlo: every act tried in the same sampled worlds, played out by the heuristic, last tricks exactly.

estimates = evaluate(view, 1_000, seed=1)     # win probability of each act with standard errors, best first
MonteCarloPlayer(1_000, seed=1).act(view)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.determinization import Worlds, uniform_worlds
from chouine.ai.macro_actions import NO_CARD, apply_act, legal_acts, own_seat
from chouine.ai.network import NO_NETWORK
from chouine.ai.playout import Remembered, rollout
from chouine.ai.racing import Estimate, certain_first, exact_values, need_compiler, rank_by_mean
from chouine.fast.bits import as_int64, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import PerSeat, compiled_position
from chouine.partie.actions import Action
from chouine.partie.course import fallen
from chouine.partie.view import View
from chouine.players.evaluation import weight_table
from chouine.rules.book import Book
from chouine.rules.position import Position

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

BATCH = 100
"""Worlds between two looks at the clock."""


class HeuristicRoot(NamedTuple):
    """Where heuristic rollouts begin: the position as one seat knows it, the cards gone, the heuristic's weights."""

    book: Book
    p: Position
    seat: int
    gone: int
    weights: Any


@kernel
def apply_first_act(
    root: HeuristicRoot, talon: Sequence[int], p: Position, act: int
) -> tuple[Position, Remembered]:
    """The position after the act of the root's seat, and what rollouts carry on from there."""
    after = apply_act(root.book, talon, p, root.seat, act)
    played = 1 << (act & 63) if act & 63 != NO_CARD else 0
    return after, (root.gone | played, int(act == NO_CARD))


@compiled
def rollout_acts(
    root: HeuristicRoot, acts: Sequence[int], worlds: Worlds, nodes: memoryview, values: Any
) -> None:
    """Write each act's result in each world to `values: float32[acts, worlds]`, played out by the heuristic.

    `nodes: int64[1]` is scratch.
    """
    book, seat, hands = root.book, root.seat, worlds.hands
    for world in range(len(hands)):
        talon = worlds.talons[world]
        held = PerSeat(hands[world, 0], hands[world, 1], hands[world, 2], hands[world, 3])
        here = Position(held, *root.p[1:])
        for nth in range(len(acts)):
            q, carried = apply_first_act(root, talon, here, acts[nth])
            values[nth, world] = rollout(book, talon, q, carried, seat, root.weights, nodes)


def rollout_values(
    view: View, acts: Sequence[int], worlds: Worlds, rollout_kernel: Callable[..., None] = rollout_acts
) -> Any:
    """Each act's result in each world: `float32[acts, worlds]`, 1 for a win; `rollout_kernel` plays the acts out."""
    p, gone = compiled_position(view.position), fallen(view.events)
    root = HeuristicRoot(view.book, p, own_seat(view), gone, weight_table(view.rules))
    values = np.zeros((len(acts), len(worlds.hands)), np.float32)
    rollout_kernel(root, memoryview(array("q", acts)), worlds, memoryview(array("q", [0])), values)
    return values


def evaluate(view: View, worlds: int, seed: int, seconds: float | None = None) -> list[Estimate]:
    """Win probability of each act, best first, from `worlds` worlds or as many as `seconds` allow."""
    exact = exact_values(view)
    if exact is not None:
        return exact
    acts = legal_acts(view.book, view.position, own_seat(view))
    if seconds is None:
        sampled = uniform_worlds(view, worlds, seed)
        return rank_by_mean(acts, rollout_values(view, acts, sampled))
    until = perf_counter() + seconds
    parts: list[Any] = []
    while not parts or perf_counter() < until:
        sampled = uniform_worlds(view, BATCH, as_int64(splitmix64(seed + len(parts))))
        parts.append(rollout_values(view, acts, sampled))
    return rank_by_mean(acts, np.concatenate(parts, axis=1))


class MonteCarloPlayer:
    """Play the act that wins most often in `worlds` worlds, or in as many as `seconds` allow."""

    network = NO_NETWORK

    def __init__(self, worlds: int, seed: int, seconds: float | None = None) -> None:
        need_compiler()
        self.worlds, self.seed, self.seconds = worlds, seed, seconds

    def act(self, view: View) -> Action | None:
        return self.evaluate(view)[0].action if view.legal else None

    def evaluate(self, view: View, seconds: float | None = None, worlds: int | None = None) -> list[Estimate]:
        """Win probability of each act, best first."""
        self.seed += 1
        limit = seconds or (None if worlds else self.seconds)
        return certain_first(view, evaluate(view, worlds or self.worlds, self.seed, limit))

    def exact_estimates(self, view: View) -> list[Estimate]:
        """Exact estimates where the position can be solved (all cards known), else an empty list."""
        return exact_values(view) or []

    def sample_worlds(self, view: View, count: int) -> Worlds:
        """`count` uniform worlds."""
        self.seed += 1
        return uniform_worlds(view, count, self.seed)

    def rollout_values(self, view: View, acts: Sequence[int], sampled: Worlds) -> Any:
        """Each act's result in each world: `float32[acts, worlds]`."""
        return rollout_values(view, acts, sampled)
