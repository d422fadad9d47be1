"""Those one plays with: by what each has done, how it is likely to play, and worlds in which all are as likely as that.

    others = Others([Reading(0.8, manner, ranges), ...])
    shares = others.shares(view)                        # by seat, how likely it plays in each manner
    others.imagined(view, shares, 1_000, seed)          # worlds, and how each seat plays on in each

One seat's cards bind another's only by not being among them, so hands are drawn from each seat's own range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np

from chouine.ai.acts import own_seat
from chouine.ai.arrays import Floats, Ints
from chouine.ai.beliefs import Ranges, sampled, shuffle_rest
from chouine.ai.manner import Manner
from chouine.ai.worlds import TALON_PLACES, Worlds, hidden, worlds
from chouine.fast.bits import mixed, signed
from chouine.partie.view import View

TRIES, ROUNDS = 32, 8
"""How many worlds are tried at a time for each that is wanted, where there are more than two seats; and how often."""


class Reading(NamedTuple):
    """A way in which another may play."""

    prior: float
    """How likely it is before anything has been done."""
    manner: Manner
    ranges: Ranges
    """What another may hold, if it plays so."""


class Mixed(NamedTuple):
    """What a seat may hold, however it plays: rows of hands, the manners that make them likely, and how likely."""

    hands: Ints
    kinds: Ints
    weights: Floats


class Imagined(NamedTuple):
    """Worlds, and how each seat plays on in them."""

    worlds: Worlds
    kinds: Ints
    """By world (row) and seat, the number of its manner; one's own is 0, one's like's."""

    @classmethod
    def of(cls, among: Worlds, seat: int = 0, kind: int = 0) -> Imagined:
        """In all of these worlds a seat plays in the same manner, everybody else as one's like; or everybody does."""
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
        return Imagined(Worlds(hands, talons), kinds)

    def told(self, view: View, seat: int, shares: Floats) -> Mixed:
        """What a seat may hold in all manners together."""
        ranges = [reading.ranges.of(view, seat) for reading in self.readings]
        weights = np.concatenate([share * each.weights for share, each in zip(shares, ranges, strict=True)])
        kinds = np.repeat(np.arange(len(ranges)), [len(each.hands) for each in ranges])
        return Mixed(np.concatenate([each.hands for each in ranges]), kinds, weights / weights.sum())


def drawn_together(view: View, told: Mapping[int, Mixed], many: int, seed: int) -> Imagined:
    """Worlds in which each seat's hand is drawn from what it may hold; not those in which two hold the same card.

    Where hardly any are left, some come more than once; where none are, as a text may tell, all are alike that can be.
    """
    left, rng = hidden(view), np.random.default_rng(seed & (1 << 63) - 1)
    kept = list[tuple[Ints, Ints]]()
    for _ in range(ROUNDS):
        hands, kinds = np.zeros((2, many * TRIES, 4), np.int64)
        hands[:, : len(left.hands)] = left.hands
        taken, apart = np.zeros(len(hands), np.int64), np.ones(len(hands), np.bool_)
        for seat, mixed_of in told.items():
            rows = rng.choice(len(mixed_of.hands), len(hands), p=mixed_of.weights)
            hands[:, seat], kinds[:, seat] = mixed_of.hands[rows], mixed_of.kinds[rows]
            apart &= taken & hands[:, seat] == 0
            taken |= hands[:, seat]
        kept.append((hands[apart], kinds[apart]))
        if sum(len(hands) for hands, _ in kept) >= many:
            break
    hands, kinds = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    if not len(hands):
        return Imagined.of(worlds(view, many, seed))
    rows = np.arange(many) % len(hands)
    talons = np.zeros((many, TALON_PLACES), np.int64)
    elsewhere = np.bitwise_or.reduce(hands[rows], axis=1)
    shuffle_rest(left.cards, elsewhere, left.drawn, signed(mixed(seed)), talons)
    return Imagined(Worlds(hands[rows], talons), kinds[rows])


def shared_out(shares: Floats, many: float) -> list[int]:
    """So many worlds by reading, each as near to its share as whole numbers allow."""
    return [int(each) for each in np.diff(np.rint(np.cumsum(shares) * many), prepend=0)]
