"""Those one plays with: by what each has done, how it is likely to play, and worlds in which all are as likely as that.

    others = Others([Reading(0.8, manner, ranges), ...])
    shares = others.shares(view)                        # by seat, how likely it plays in each manner
    others.imagined(view, shares, 1_000, seed)          # worlds, and how each seat plays on in each

With two seats a world is drawn from the other's range itself; with more, many are dealt in any way that the view
allows, and drawn as often as all ranges together make them likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np

from chouine.ai.beliefs import Range, Ranges, sampled
from chouine.ai.likelihood import Floats, Ints
from chouine.ai.manner import Manner
from chouine.ai.montecarlo import own_seat
from chouine.ai.worlds import Worlds, worlds
from chouine.partie.view import View

DEALT = 32
"""How many worlds are dealt for each that is drawn, where there are more than two seats."""


class Reading(NamedTuple):
    """A way in which another may play."""

    prior: float
    """How likely it is before anything has been done."""
    manner: Manner
    ranges: Ranges
    """What another may hold, if it plays so."""


class Imagined(NamedTuple):
    """Worlds, and how each seat plays on in them."""

    worlds: Worlds
    kinds: Ints
    """By world (row) and seat, the number of its manner; one's own is 0, one's like's."""

    @classmethod
    def of(cls, among: Worlds, seat: int = 0, kind: int = 0) -> Imagined:
        """In all of these worlds a seat plays in the same manner, and everybody else as one's like."""
        kinds = np.zeros((len(among.hands), 4), np.int64)
        kinds[:, seat] = kind
        return cls(among, kinds)


class Others:
    """The others, read in some ways."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self.readings = readings

    def shares(self, view: View) -> dict[int, Floats]:
        """By other seat, how likely it plays in each manner, all that it has done being weighed; together 1."""
        return {seat: self.read(view, seat) for seat in range(view.rules.seats) if seat != own_seat(view)}

    def read(self, view: View, seat: int) -> Floats:
        """How likely a seat plays in each manner."""
        if len(self.readings) == 1:
            return np.ones(1)
        found = [log(each.prior) + each.ranges.of(view, seat).evidence for each in self.readings]
        shares = np.exp(np.array(found) - max(found))
        return np.asarray(shares / shares.sum())

    def imagined(self, view: View, shares: Mapping[int, Floats], many: int, seed: int) -> Imagined:
        """So many worlds, as likely as everybody's play makes them."""
        if len(shares) > 1:
            told = {seat: self.told(view, seat, shared) for seat, shared in shares.items()}
            return drawn_together(view, told, many, seed)
        [(other, shared)] = shares.items()
        parts = [
            Imagined.of(
                sampled(view, other, self.readings[nth].ranges.of(view, other), each, seed), other, nth
            )
            for nth, each in enumerate(shared_out(shared, many))
            if each
        ]
        hands, talons = (np.concatenate([part.worlds[nth] for part in parts]) for nth in range(2))
        kinds = np.concatenate([part.kinds for part in parts])
        return Imagined(Worlds(hands, talons, np.full(many, 1 / many)), kinds)

    def told(self, view: View, seat: int, shared: Floats) -> list[tuple[int, float, Range]]:
        """What a seat may hold, by manner, with its share, of those in which it may play at all."""
        return [
            (nth, float(share), reading.ranges.of(view, seat))
            for nth, (share, reading) in enumerate(zip(shared, self.readings, strict=True))
            if share > 0
        ]


def drawn_together(
    view: View, told: Mapping[int, Sequence[tuple[int, float, Range]]], many: int, seed: int
) -> Imagined:
    """Of worlds dealt, those that ranges make likely; `told`: by seat its manners, each with its share and range."""
    dealt, rng = worlds(view, many * DEALT, seed), np.random.default_rng(seed & (1 << 63) - 1)
    weights, parts = np.ones(len(dealt.hands)), dict[int, Floats]()
    for seat, shared in told.items():
        held = dealt.hands[:, seat]
        parts[seat] = np.stack([share * how_likely(found, held) for _, share, found in shared])
        weights *= parts[seat].sum(axis=0)
    reached = np.cumsum(weights if weights.any() else dealt.weights)
    rows = np.searchsorted(reached, (np.arange(many) + rng.random()) / many * reached[-1])
    found = Imagined.of(Worlds(dealt.hands[rows], dealt.talons[rows], np.full(many, 1 / many)))
    for seat, shared in told.items():
        steps = np.cumsum(parts[seat][:, rows], axis=0)
        turn = (steps <= rng.random(many) * steps[-1]).sum(axis=0)
        found.kinds[:, seat] = np.array([nth for nth, _, _ in shared])[np.minimum(turn, len(shared) - 1)]
    return found


def how_likely(told: Range, hands: Ints) -> Floats:
    """Of hands, how likely each is in a range, whose own come in order."""
    rows = np.minimum(np.searchsorted(told.hands, hands), len(told.hands) - 1)
    return np.where(told.hands[rows] == hands, told.weights[rows], 0.0)


def shared_out(shares: Floats, many: float) -> list[int]:
    """So many worlds by reading, each as near to its share as whole numbers allow."""
    return [int(each) for each in np.diff(np.rint(np.cumsum(shares) * many), prepend=0)]
