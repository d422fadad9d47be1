"""Hands of so many cards out of a few: numbered, looked up, and followed through what is laid and drawn.

A set of `many` places out of `total` has the number that colexicographic order gives it, so that a weight for each is
one array and no hand has to be searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.fast.compiler import AVAILABLE, compiled, kernel

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

MOST = 6
CHOICES = np.array([[comb(total, many) for many in range(MOST + 1)] for total in range(33)], np.int64)
"""By cards and how many of them: the ways to choose."""


def subsets(cards: Sequence[int], many: int) -> Ints:
    """Every set of so many of these cards, by number."""
    sets = np.zeros(comb(len(cards), many), np.int64)
    spell_out(np.array(cards, np.int64), many, sets)
    return sets


def taken_over(weights: Floats, old: Sequence[int], new: Sequence[int], many: int, card: int = -1) -> Floats:
    """The weights of sets of old cards, looked up for `many` of the new (all of them old ones) and `card`, if any."""
    places = np.array([old.index(each) for each in new], np.int64)
    found = np.zeros(comb(len(new), many))
    look_up(weights, places, old.index(card) if card >= 0 else -1, many, found)
    return found


def one_more(weights: Floats, total: int, many: int) -> Floats:
    """The weights of `many` cards out of `total` after one more is drawn, any of them as likely."""
    found = np.zeros(comb(total, many + 1))
    add_one(weights, many, found)
    return found


@kernel
def begin(places: Any, many: int) -> None:
    """The first set of places: the lowest."""
    for nth in range(many):
        places[nth] = nth


@kernel
def go_on(places: Any, many: int) -> None:
    """The next set of places in order."""
    nth = 0
    while nth + 1 < many and places[nth] + 1 == places[nth + 1]:
        places[nth] = nth
        nth += 1
    places[nth] += 1


@compiled
def spell_out(cards: Any, many: int, sets: Any) -> None:
    places = np.zeros(MOST + 1, np.int64)
    begin(places, many)
    for row in range(len(sets)):
        for nth in range(many):
            sets[row] |= 1 << cards[places[nth]]
        go_on(places, many)


@compiled
def look_up(weights: Any, old_places: Any, extra: int, many: int, found: Any) -> None:
    """`extra` is the old place of a card that is in all sets, or -1."""
    places = np.zeros(MOST + 1, np.int64)
    begin(places, many)
    for row in range(len(found)):
        number, before = 0, 0
        for nth in range(many):
            place = old_places[places[nth]]
            if before == 0 and 0 <= extra < place:
                number += CHOICES[extra, nth + 1]
                before = 1
            number += CHOICES[place, nth + 1 + before]
        if before == 0 and extra >= 0:
            number += CHOICES[extra, many + 1]
        found[row] = weights[number]
        go_on(places, many)


@compiled
def add_one(weights: Any, many: int, found: Any) -> None:
    """Each larger set's weight: the sum of those it can have come from."""
    places = np.zeros(MOST + 1, np.int64)
    begin(places, many + 1)
    for row in range(len(found)):
        above = 0
        for nth in range(1, many + 1):
            above += CHOICES[places[nth], nth]
        number = above
        found[row] = weights[number]
        for nth in range(1, many + 1):  # the one left out moves up a place
            number += CHOICES[places[nth - 1], nth] - CHOICES[places[nth], nth]
            found[row] += weights[number]
        go_on(places, many + 1)
