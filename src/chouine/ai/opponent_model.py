"""Opponent modelling: a posterior over types of player, and worlds sampled from it.

    model = OpponentModel([OpponentType(0.8, policy, tracker), ...])
    posterior = model.posterior(view)                     # by seat, the probability of each type
    model.sample_worlds(view, posterior, 1_000, seed)     # worlds, and each seat's type in each

Hands depend on each other only by sharing no card, so each is sampled from its own seat's range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.beliefs import RangeTracker, sample_worlds, shuffle_rest
from chouine.ai.deduced import hidden
from chouine.ai.determinization import TALON_PLACES, Worlds, uniform_worlds
from chouine.ai.macro_actions import own_seat
from chouine.ai.policy import Policy
from chouine.fast.bits import as_int64, splitmix64
from chouine.partie.view import View

TRIES_PER_WORLD, ROUNDS = 32, 8
"""Rejection sampling with more than two seats: candidates per world, and rounds."""


class OpponentType(NamedTuple):
    """A type of player."""

    prior: float
    """Its probability before any action."""
    policy: Policy
    ranges: RangeTracker
    """The hands an opponent of this type may hold."""


class TypedRange(NamedTuple):
    """A mixture of ranges over types: hands, the type of each row, and weights."""

    hands: Ints
    types: Ints
    weights: Floats


class TypedWorlds(NamedTuple):
    """Worlds, and each seat's type in them."""

    worlds: Worlds
    types: Ints
    """`int64[worlds, 4]`: each seat's type number; one's own seat is 0."""

    @classmethod
    def of(cls, worlds_given: Worlds, seat: int = 0, type_number: int = 0) -> TypedWorlds:
        """These worlds with one type at a seat, and type 0 elsewhere."""
        types = np.zeros((len(worlds_given.hands), 4), np.int64)
        types[:, seat] = type_number
        return cls(worlds_given, types)


class OpponentModel:
    """Independent type posteriors for each opponent."""

    def __init__(self, types: Sequence[OpponentType]) -> None:
        self.types = types

    def posterior(self, view: View) -> dict[int, Floats]:
        """By opponent seat, the posterior over types; each sums to 1."""
        return {
            seat: self.type_posterior(view, seat)
            for seat in range(view.rules.seats)
            if seat != own_seat(view)
        }

    def type_posterior(self, view: View, seat: int) -> Floats:
        """Posterior over types of one seat: prior × evidence, normalised."""
        if len(self.types) == 1:
            return np.ones(1)
        log_weights = [log(each.prior) + each.ranges.of(view, seat).evidence for each in self.types]
        posterior = np.exp(np.array(log_weights) - max(log_weights))
        return np.asarray(posterior / posterior.sum())

    def sample_worlds(
        self, view: View, posterior: Mapping[int, Floats], count: int, seed: int
    ) -> TypedWorlds:
        """`count` worlds from the posterior."""
        if len(posterior) > 1:
            ranges = {
                seat: self.mixed_range(view, seat, posterior_of_seat)
                for seat, posterior_of_seat in posterior.items()
            }
            return sample_disjoint(view, ranges, count, seed)
        [(other, posterior_of_seat)] = posterior.items()
        batches = [
            TypedWorlds.of(
                sample_worlds(view, other, self.types[nth].ranges.of(view, other), each, seed), other, nth
            )
            for nth, each in enumerate(apportion(posterior_of_seat, count))
            if each
        ]
        hands, talons = (np.concatenate([part.worlds[nth] for part in batches]) for nth in range(2))
        types = np.concatenate([part.types for part in batches])
        return TypedWorlds(Worlds(hands, talons), types)

    def mixed_range(self, view: View, seat: int, posterior: Floats) -> TypedRange:
        """The mixture of all types' ranges of one seat."""
        ranges = [reading.ranges.of(view, seat) for reading in self.types]
        weights = np.concatenate(
            [share * each.weights for share, each in zip(posterior, ranges, strict=True)]
        )
        types = np.repeat(np.arange(len(ranges)), [len(each.hands) for each in ranges])
        return TypedRange(np.concatenate([each.hands for each in ranges]), types, weights / weights.sum())


def sample_disjoint(view: View, ranges: Mapping[int, TypedRange], count: int, seed: int) -> TypedWorlds:
    """Sample each seat's hand from its range; reject worlds where two hands share a card.

    If few worlds remain they repeat; if none remain (an inconsistent hand-written line), worlds are uniform.
    """
    given, rng = hidden(view), np.random.default_rng(seed & (1 << 63) - 1)
    kept = list[tuple[Ints, Ints]]()
    for _ in range(ROUNDS):
        hands, types = np.zeros((2, count * TRIES_PER_WORLD, 4), np.int64)
        hands[:, : len(given.hands)] = given.hands
        taken, apart = np.zeros(len(hands), np.int64), np.ones(len(hands), np.bool_)
        for seat, mixed_of in ranges.items():
            rows = rng.choice(len(mixed_of.hands), len(hands), p=mixed_of.weights)
            hands[:, seat], types[:, seat] = mixed_of.hands[rows], mixed_of.types[rows]
            apart &= taken & hands[:, seat] == 0
            taken |= hands[:, seat]
        kept.append((hands[apart], types[apart]))
        if sum(len(hands) for hands, _ in kept) >= count:
            break
    hands, types = (np.concatenate(batches) for batches in zip(*kept, strict=True))
    if not len(hands):
        return TypedWorlds.of(uniform_worlds(view, count, seed))
    rows = np.arange(count) % len(hands)
    talons = np.zeros((count, TALON_PLACES), np.int64)
    elsewhere = np.bitwise_or.reduce(hands[rows], axis=1)
    shuffle_rest(given.cards, elsewhere, given.drawn, as_int64(splitmix64(seed)), talons)
    return TypedWorlds(Worlds(hands[rows], talons), types[rows])


def apportion(posterior: Floats, count: float) -> list[int]:
    """Split `count` worlds among types, rounding cumulative shares."""
    return [int(each) for each in np.diff(np.rint(np.cumsum(posterior) * count), prepend=0)]
