"""Duplicate: the same sealed deals at all tables, ranked by what one made of one's cards.

As in bridge scored against a datum: at each deal a player's difference of points is compared with the mean of all
others who held the same seat, and the surplus becomes IMPs, so that one wild deal does not decide a contest. The idea
is bridge's (International Match Points); the scale is Chouine's own: see `STEPS`.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from chouine.cards import PACK, Card
from chouine.contest.chance import Chance
from chouine.partie.deal import Deal
from chouine.partie.result import Result
from chouine.rules.options import Rules

RULES = Rules(tie="nobody")
"""The rules of duplicate: classic, and a nulle counts as it is, since each deal is played once (§12)."""
STEPS = (2, 5, 8, 11, 15, 19, 24, 29, 37, 53)
"""Points of surplus from which 1, 2, … 10 IMPs are given.

Between players of level 5 on the same deals each number of IMPs from 0 to 9 comes as often as any other, and 10 half
as often: `python -m benchmarks.duplicate scale 800`.
"""
MOST = len(STEPS)
"""The most IMPs of a deal; whoever gives a deal up or leaves it loses as many."""
SPARED = 3
"""IMPs at least for whoever the other gave a deal up to, as in bridge (average plus: Laws 2017, 12C2 and 86)."""
WHOLE = 100
"""The difference that a chouine counts, conceding, leaving or a penalty; hardly any counted partie has a larger one."""

Ending = Literal["played", "gave-up", "spared", "unplayed"]
"""Played to the end · given up by this entry, or left · given up by the other · not played, since the other left."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What an entry made of the cards of a seat."""

    entry: int
    deal: int
    seat: int
    difference: int
    """Its points less those of the best other (`difference_of`)."""
    ending: Ending = "played"


def numbers_of(round_number: int, deals: int) -> range:
    """The numbers of the deals of a round, from 1, in a contest whose rounds have so many."""
    return range(deals * (round_number - 1) + 1, deals * round_number + 1)


def sealed_deal(rules: Rules, seed: str, number: int) -> Deal:
    """The deal of this number, from 1: the same for whoever knows the seed, which is sealed until the end."""
    pack = Chance("chouine duplicate 1", seed, str(number)).shuffle(PACK)
    return Deal.from_pack(rules, number % rules.seats, tuple(map(Card, pack)))


def deal_nonce(seed: str, number: int) -> str:
    """What keeps a deal from being guessed by its digest; published with the deal, it tells nothing of the seed."""
    return hashlib.sha256(f"chouine duplicate nonce 1\n{seed}\n{number}".encode()).hexdigest()


def deal_digest(rules: Rules, seed: str, number: int) -> str:
    """What is published of a deal before it is played: SHA-256 of the deal and its nonce, each on a line."""
    lines = f"{sealed_deal(rules, seed, number)}\n{deal_nonce(seed, number)}\n"
    return hashlib.sha256(lines.encode()).hexdigest()


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


def datum_of(one: SeatResult, same: Iterable[SeatResult]) -> float | None:
    """The mean difference of all others in the same seat who played the deal to its end; None if nobody did."""
    others = [other.difference for other in same if other is not one and other.ending == "played"]
    return fmean(others) if others else None


def gained_by(one: SeatResult, same: Sequence[SeatResult]) -> int:
    """The IMPs of an entry at a deal, among all who held the same seat. Whoever has no others gets 0."""
    if one.ending == "gave-up":
        return -MOST
    if one.ending == "unplayed":
        return SPARED
    datum = datum_of(one, same)
    gained = 0 if datum is None else imps(one.difference - datum)
    return max(gained, SPARED) if one.ending == "spared" else gained


def by_seat(made: Iterable[SeatResult]) -> dict[tuple[int, int], list[SeatResult]]:
    """All who held the same seat of the same deal, by (deal, seat)."""
    holders: dict[tuple[int, int], list[SeatResult]] = defaultdict(list)
    for one in made:
        holders[one.deal, one.seat].append(one)
    return dict(holders)


def imps_of(made: Iterable[SeatResult]) -> dict[tuple[int, int], int]:
    """The IMPs of each (entry, deal)."""
    return {(one.entry, one.deal): gained_by(one, same) for same in by_seat(made).values() for one in same}
