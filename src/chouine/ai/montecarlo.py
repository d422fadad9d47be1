"""Monte Carlo: every act tried in the same sampled worlds, played out by the heuristic, last tricks exactly.

estimates = evaluate(view, 1_000, seed=1)     # win probability of each act with standard errors, best first
MonteCarloPlayer(1_000, seed=1).act(view)

`PimcPlayer` is a reference opponent by perfect-information Monte Carlo: a world takes too long to solve from the first
decision, so the heuristic plays until one trick with hidden cards is left; from there alpha-beta solves the open
position. It assumes that players know what they cannot know (strategy fusion).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from chouine.ai.determinization import Worlds, uniform_worlds
from chouine.ai.macro_actions import NO_CARD, action_of, legal_acts, own_seat
from chouine.ai.network import NO_NETWORK
from chouine.ai.racing import Estimate, Limit, certain_first, exact_values, need_compiler
from chouine.ai.rollout import (
    Known,
    Policy,
    Root,
    Seating,
    apply_act_publicly,
    enter_world,
    heuristic_policy,
    policy_turn,
    public_knowledge,
    rollout,
    root_of,
    settled_value,
)
from chouine.ai.search import BATCH as SHARED
from chouine.fast.bits import as_int64, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.driver import driver
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

BATCH = 100
"""Worlds between two looks at the clock."""


RolloutKernel = Callable[[Root, Sequence[int], Worlds, Policy, memoryview, Any], None]
"""Writes each act's result in each world to `values: float32[acts, worlds]`; `nodes: int64[1]` is scratch."""


def rolling_out(result: Callable[..., float]) -> RolloutKernel:
    """Make the kernel that plays acts out by `result`, which has the arguments of `ai.rollout.rollout`."""

    def rollout_acts(
        root: Root, acts: Sequence[int], worlds: Worlds, policy: Policy, nodes: memoryview, values: Any
    ) -> None:
        rule_table, seating = root.rule_table, ((policy,), (0, 0, 0, 0))
        for world in range(len(worlds.hands)):
            talon = worlds.talons[world]
            here, public_here = enter_world(root.p, root.public, worlds.hands[world])
            for nth in range(len(acts)):
                q, public = apply_act_publicly(rule_table, talon, here, public_here, root.seat, acts[nth])
                carried = public, int(acts[nth] == NO_CARD)
                values[nth, world] = result(rule_table, talon, q, carried, root.seat, seating, nodes)

    return compiled(rollout_acts)


rollout_acts = rolling_out(rollout)


def rollout_values(
    view: View, acts: Sequence[int], worlds: Worlds, rollout_kernel: RolloutKernel = rollout_acts
) -> Any:
    """Each act's result in each world: `float32[acts, worlds]`, 1 for a win. All play by the heuristic."""
    root, policy = root_of(view, public_knowledge(view)), heuristic_policy(view.rules)
    values = np.zeros((len(acts), len(worlds.hands)), np.float32)
    rollout_kernel(root, memoryview(array("q", acts)), worlds, policy, memoryview(array("q", [0])), values)
    return values


def evaluate(view: View, worlds: int, seed: int, seconds: float | None = None) -> list[Estimate]:
    """Win probability of each act, best first, from `worlds` worlds or as many as `seconds` allow."""
    exact = exact_values(view)
    if exact is not None:
        return exact
    acts = legal_acts(view.rule_table, view.position, own_seat(view))
    if seconds is None:
        sampled = uniform_worlds(view, worlds, seed)
        return rank_by_mean(acts, rollout_values(view, acts, sampled))
    until = perf_counter() + seconds
    parts: list[Any] = []
    while not parts or perf_counter() < until:
        sampled = uniform_worlds(view, BATCH, as_int64(splitmix64(seed + len(parts))))
        parts.append(rollout_values(view, acts, sampled))
    return rank_by_mean(acts, np.concatenate(parts, axis=1))


def rank_by_mean(acts: Sequence[int], values: Any) -> list[Estimate]:
    """Estimates from `values: float[acts, worlds]`, best first; acts with the same first action are merged."""
    count, means = values.shape[1], values.mean(axis=1, dtype=np.float64)
    best = int(means.argmax())
    gap_errors = np.maximum((values - values[best]).std(axis=1, dtype=np.float64) / np.sqrt(count), 1 / count)
    gap_errors[best] = 0.0  # others are never certain, even if all worlds agree
    win_errors = np.sqrt(np.maximum(means * (1 - means), 1 / count) / count)
    found = dict[Action | None, Estimate]()
    for nth in np.argsort(-means, kind="stable"):
        numbers = float(means[nth]), float(gap_errors[nth]), float(win_errors[nth]), count
        found.setdefault(action_of(acts[nth]), Estimate(action_of(acts[nth]), *numbers))
    return list(found.values())


class MonteCarloPlayer:
    """Play the act that wins most often in `worlds` worlds, or in as many as `seconds` allow."""

    network = NO_NETWORK

    def __init__(self, worlds: int, seed: int, seconds: float | None = None) -> None:
        need_compiler()
        self.worlds, self.seed, self.seconds = worlds, seed, seconds

    def act(self, view: View) -> Action | None:
        return self.evaluate(view)[0].action if view.legal else None

    def evaluate(self, view: View, limit: Limit | None = None) -> list[Estimate]:
        """Win probability of each act, best first."""
        self.seed += 1
        seconds, worlds = limit or Limit(self.seconds)
        return certain_first(view, evaluate(view, worlds or self.worlds, self.seed, seconds))

    def exact_estimates(self, view: View) -> list[Estimate]:
        """Exact estimates where the position can be solved (all cards known), else an empty list."""
        return exact_values(view) or []

    def sample_worlds(self, view: View, count: int) -> Worlds:
        """`count` uniform worlds."""
        self.seed += 1
        return uniform_worlds(view, count, self.seed)

    def try_batch(self, view: View, acts: Sequence[int], nth: int) -> Sequence[float]:
        """See `racing.Evaluator.try_batch`."""
        sampled = uniform_worlds(view, SHARED, as_int64(splitmix64(self.seed + (nth << 20))))
        return list(map(float, rollout_values(view, acts, sampled).mean(axis=1)))


OPEN_TRICKS = 1
"""Tricks with hidden cards still to come when the cards are opened."""


@kernel
def opens_cards(rule_table: RuleTable, p: Position) -> bool:
    """Whether the cards are opened here."""
    return p.tricks >= rule_table.drawing - OPEN_TRICKS and p.pending < 0


play_hidden = driver(policy_turn, opens_cards)


@kernel
def rollout_open(
    rule_table: RuleTable,
    talon: Sequence[int],
    p: Position,
    carried: Known,
    seat: int,
    seating: Seating,
    nodes: memoryview,
) -> float:
    """Value of a position to a seat when the cards are opened before the last trick with hidden cards."""
    p, _ = play_hidden(rule_table, talon, p, carried, seating)
    return settled_value(rule_table, talon, p, seat, nodes)


rollout_acts_open = rolling_out(rollout_open)


class PimcPlayer:
    """Two seats: play the act that wins most often in `worlds` open worlds. Raises `NoCompiler` without numba."""

    def __init__(self, worlds: int, seed: int) -> None:
        need_compiler()
        self.worlds, self.seed = worlds, seed

    def act(self, view: View) -> Action | None:
        return self.evaluate(view)[0].action if view.legal else None

    def evaluate(self, view: View) -> list[Estimate]:
        """Estimated win probability of each act with open cards, best first."""
        exact = exact_values(view)
        if exact is not None:
            return exact
        self.seed += 1
        acts = legal_acts(view.rule_table, view.position, own_seat(view))
        sampled = uniform_worlds(view, self.worlds, self.seed)
        return rank_by_mean(acts, rollout_values(view, acts, sampled, rollout_acts_open))
