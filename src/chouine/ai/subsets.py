"""Hands as k-subsets in colexicographic order, and how weights over them change when cards are laid and drawn.

The index of a subset is its colexicographic rank, so that weights are one flat array and no hand is searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

MAX_SIZE = 6
BINOMIALS = np.array([[comb(total, size) for size in range(MAX_SIZE + 1)] for total in range(33)], np.int64)
"""Binomial coefficients by number of cards and subset size."""


def subsets(cards: Sequence[int], size: int) -> Ints:
    """Every subset of `size` cards, at most 6, as a card set: `int64[C(len(cards), size)]`, by rank."""
    sets = np.zeros(comb(len(cards), size), np.int64)
    write_subsets(np.array(cards, np.int64), size, no_places(), sets)
    return sets


def restrict_weights(
    weights: Floats, old: Sequence[int], new: Sequence[int], size: int, card: int = -1
) -> Floats:
    """Weights over subsets of `old`, looked up for each subset of `new` (contained in `old`) plus `card`, if any."""
    places = np.array([old.index(each) for each in new], np.int64)
    found = np.zeros(comb(len(new), size))
    gather_weights(weights, places, old.index(card) if card >= 0 else -1, size, no_places(), found)
    return found


def weights_after_draw(weights: Floats, total: int, size: int) -> Floats:
    """Weights over subsets of `size` cards after one more card is drawn uniformly."""
    found = np.zeros(comb(total, size + 1))
    scatter_draw(weights, size, no_places(), found)
    return found


def no_places() -> Ints:
    """Room for the places of a subset: compiled code makes no arrays of its own."""
    return np.zeros(MAX_SIZE + 1, np.int64)


@kernel
def first_subset(places: Any, size: int) -> None:
    """The subset of rank 0."""
    for nth in range(size):
        places[nth] = nth


@kernel
def next_subset(places: Any, size: int) -> None:
    """The next subset in colexicographic order."""
    nth = 0
    while nth + 1 < size and places[nth] + 1 == places[nth + 1]:
        places[nth] = nth
        nth += 1
    places[nth] += 1


@compiled
def write_subsets(cards: Any, size: int, places: Any, sets: Any) -> None:
    first_subset(places, size)
    for row in range(len(sets)):
        for nth in range(size):
            sets[row] |= 1 << cards[places[nth]]
        next_subset(places, size)


@compiled
def gather_weights(weights: Any, old_places: Any, extra: int, size: int, places: Any, found: Any) -> None:
    """`extra`: the old place of a card contained in all subsets, or -1."""
    first_subset(places, size)
    for row in range(len(found)):
        number, before = 0, 0
        for nth in range(size):
            place = old_places[places[nth]]
            if before == 0 and 0 <= extra < place:
                number += BINOMIALS[extra, nth + 1]
                before = 1
            number += BINOMIALS[place, nth + 1 + before]
        if before == 0 and extra >= 0:
            number += BINOMIALS[extra, size + 1]
        found[row] = weights[number]
        next_subset(places, size)


@compiled
def scatter_draw(weights: Any, size: int, places: Any, found: Any) -> None:
    """Each larger subset's weight: the sum over the subsets it can have come from."""
    first_subset(places, size + 1)
    for row in range(len(found)):
        above = 0
        for nth in range(1, size + 1):
            above += BINOMIALS[places[nth], nth]
        number = above
        found[row] = weights[number]
        for nth in range(1, size + 1):  # leave out the next card
            number += BINOMIALS[places[nth - 1], nth] - BINOMIALS[places[nth], nth]
            found[row] += weights[number]
        next_subset(places, size + 1)
