"""Problems with hidden cards: in sampled worlds one act must lead clearly, under two models of the hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from chouine.ai.action_model import NetworkModel, PolicyModel
from chouine.ai.arrays import Floats
from chouine.ai.beliefs import RangeTracker
from chouine.ai.determinization import uniform_worlds
from chouine.ai.light import has_network
from chouine.ai.likelihood import TEMPERING, ActionModel, NoisyModel
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.network import load_shipped, private_copy
from chouine.ai.opponent_model import OpponentModel, OpponentType, TypedWorlds
from chouine.ai.policy import Policy, heuristic_policy, network_policy
from chouine.ai.rollout import public_knowledge, rollout_values
from chouine.fast.bits import as_int64, splitmix64
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.school.problems.soundness import Sound

FIRST, BATCH, MOST = 192, 512, 4096
"""Number of worlds at first, per further batch, and at most."""
AHEAD, SURE = 0.05, 5.0
"""Least lead of the right act, in shares of a partie and in standard errors."""
HOPELESS = 1.0
"""The search goes on while the lead is at most this many standard errors short of `AHEAD`."""
SEEDS = 1, 2
"""Random seeds, one for each model."""


class Lead(NamedTuple):
    """The lead of the best act over the second, with its standard error."""

    best: Action
    gap: float
    error: float


@cache
def rollout_policy(rules: Rules) -> Policy:
    """The rollout policy: the network of these rules, else the heuristic."""
    if has_network(rules):
        return network_policy(rules, private_copy(load_shipped(rules.preset)))
    return heuristic_policy(rules)


@cache
def opponent_model(rules: Rules) -> OpponentModel:
    """A model of the others' hands from their acts, with tempered likelihoods."""
    policy = rollout_policy(rules)
    model: ActionModel = (
        NetworkModel(private_copy(policy.network)) if has_network(rules) else PolicyModel(policy)
    )
    return OpponentModel([OpponentType(1.0, policy, RangeTracker(NoisyModel(model), TEMPERING))])


def inferred(view: View, count: int, seed: int) -> TypedWorlds:
    """Worlds sampled from that model."""
    model = opponent_model(view.rules)
    return model.sample_worlds(view, model.posterior(view), count, seed)


def uniform(view: View, count: int, seed: int) -> TypedWorlds:
    """Worlds sampled uniformly from those the rules allow."""
    return TypedWorlds.of(uniform_worlds(view, count, seed))


Sampler = Callable[[View, int, int], TypedWorlds]


def searched(view: View) -> Sound | None:
    """The act that is clearly best under both models and with both seeds; None if there is none."""
    first = found(view, uniform, SEEDS[0])
    second = found(view, inferred, SEEDS[1]) if first else None
    if first is None or second is None or first.best != second.best:
        return None
    return Sound(first.best, min(first.gap, second.gap))


def likely_best(view: View) -> Action | None:
    """The act that may lead by enough, from a first small sample."""
    leader = lead(view, tried(view, uniform, FIRST, SEEDS[0]))
    return leader.best if leader and leader.gap >= AHEAD - HOPELESS * leader.error else None


def found(view: View, sampler: Sampler, seed: int) -> Lead | None:
    """The lead once it is established, in as many worlds as that takes; None if it is not large enough."""
    values, count = None, FIRST
    while values is None or values.shape[1] < MOST:
        part = tried(view, sampler, count, seed + (0 if values is None else values.shape[1] << 20))
        values = part if values is None else np.concatenate((values, part), axis=1)
        leader = lead(view, values)
        if leader is None or leader.gap < AHEAD - HOPELESS * leader.error:
            return None
        if values.shape[1] > FIRST and leader.gap >= AHEAD and leader.gap >= SURE * leader.error:
            return leader
        count = BATCH
    return None


def tried(view: View, sampler: Sampler, count: int, seed: int) -> Floats:
    """Each act's result in each world: `float32[acts, worlds]`, 1 for a win."""
    acts = legal_acts(view.book, view.position, own_seat(view))
    worlds = sampler(view, count, as_int64(splitmix64(seed)))
    policies = (rollout_policy(view.rules),) * 3  # as many as `FullPlayer` has: compiled once for both
    values: Floats = rollout_values(view, public_knowledge(view), acts, worlds, policies)
    return values


def lead(view: View, values: Floats) -> Lead | None:
    """The lead of the best act, with acts that share a first action merged; None if there is one act only."""
    acts = [action_of(act) for act in legal_acts(view.book, view.position, own_seat(view))]
    order = np.argsort(-values.mean(axis=1), kind="stable")
    best = acts[order[0]]
    second = next((nth for nth in order if acts[nth] != best), None)
    if best is None or second is None:
        return None
    ahead = values[order[0]] - values[second]
    return Lead(best, float(ahead.mean()), float(ahead.std() / np.sqrt(values.shape[1])))
