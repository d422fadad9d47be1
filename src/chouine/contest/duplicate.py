"""Duplicate: the same sealed deals at all tables, ranked by what one made of one's cards.

As in bridge scored against a datum: at each deal a player's difference of points is compared with the mean of all
others who held the same seat, and the surplus becomes IMPs, so that one wild deal does not decide a contest. The idea
is bridge's (International Match Points); the scale is Chouine's own: see `STEPS`.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from statistics import fmean

from chouine.partie.deal import Deal
from chouine.partie.result import Result
from chouine.rules.options import Rules

STEPS = (2, 5, 8, 11, 15, 19, 23, 28, 35, 53)
"""Points of surplus from which 1, 2, … 10 IMPs are given.

Between players of level 5 on the same deals each number of IMPs from 0 to 9 comes as often as any other, and 10 half
as often: `python -m benchmarks.duplicate scale 800`.
"""
WHOLE = 100
"""The difference that a chouine counts, conceding, leaving or a penalty; hardly any counted partie has a larger one."""


@dataclass(frozen=True, slots=True)
class Made:
    """What an entry made of the cards of a seat."""

    entry: int
    deal: int
    seat: int
    difference: int
    """Its points less those of the best other (`difference_of`)."""


@dataclass(frozen=True, slots=True)
class DuplicateRank:
    """A line of the ranking."""

    rank: int
    """From 1; ties share it."""
    entry: int
    imps: int
    deals: int


def sealed_deal(rules: Rules, seed: str, number: int) -> Deal:
    """The deal of a round, from 1: the same for whoever knows the seed, which is sealed until the end."""
    key = hashlib.sha256(f"{seed} duplicate {rules} {number}".encode()).hexdigest()
    return Deal.random(rules, number % rules.seats, Random(key))


def deal_digest(rules: Rules, seed: str, number: int) -> str:
    """What is published of a round's deal before it is played: it fixes the deal and tells nothing of it."""
    return hashlib.sha256(f"{seed} {number} {sealed_deal(rules, seed, number)}".encode()).hexdigest()


def difference_of(result: Result, seat: int) -> int:
    """A seat's difference of points in a partie; one that was not counted out is worth `WHOLE`, a nulle nothing."""
    if result.by == "nulle":
        return 0
    if result.by != "points":
        return 0 if result.winner is None else WHOLE if result.winner == seat else -WHOLE
    best = max(points for other, points in enumerate(result.points) if other != seat)
    return max(-WHOLE, min(WHOLE, result.points[seat] - best))


def imps(surplus: float) -> int:
    """The IMPs of a surplus of points over the datum.

    >>> imps(0), imps(-4), imps(30), imps(-500)
    (0, -1, 8, -10)
    """
    found = bisect_right(STEPS, abs(surplus))
    return found if surplus > 0 else -found


def imps_of(made: Iterable[Made]) -> dict[tuple[int, int], int]:
    """The IMPs of each (entry, deal): against the mean of all others in the same seat. Whoever has no others gets 0."""
    holders: dict[tuple[int, int], list[Made]] = defaultdict(list)
    for one in made:
        holders[one.deal, one.seat].append(one)
    found = {}
    for same in holders.values():
        for one in same:
            others = [other.difference for other in same if other is not one]
            found[one.entry, one.deal] = imps(one.difference - fmean(others)) if others else 0
    return found


def duplicate_ranking(made: Iterable[Made]) -> tuple[DuplicateRank, ...]:
    """All entries by the sum of their IMPs, best first."""
    totals: dict[int, list[int]] = defaultdict(list)
    for (entry, _), gained in imps_of(made).items():
        totals[entry].append(gained)
    order = sorted(totals, key=lambda entry: (-sum(totals[entry]), entry))
    ranked: list[DuplicateRank] = []
    for nth, entry in enumerate(order, 1):
        total = sum(totals[entry])
        rank = ranked[-1].rank if ranked and ranked[-1].imps == total else nth
        ranked.append(DuplicateRank(rank, entry, total, len(totals[entry])))
    return tuple(ranked)
