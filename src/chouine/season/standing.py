"""Who is ahead after these evenings: the sum of each one's best, and how ties are broken."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RankingLine(Generic[K]):
    """One line of a season's ranking."""

    rank: int
    """From 1; ties share it."""
    who: K
    """A player's number, a village, or the numbers of a team."""
    total: int
    counted: int
    """How many evenings the total is the sum of."""
    evenings: tuple[int, ...]
    """The points of all evenings played, the best first."""


def standings(evenings: Iterable[Mapping[K, int]], best: int) -> tuple[RankingLine[K], ...]:
    """Everybody who came, best first: `evenings` are points by player, `best` how many count (0: all).

    Ties are broken by the best evening, the next best and so on, those that do not count included; then by who came
    more often. Who is equal even in that shares a place, and stands in the order of first coming.

    >>> [(one.rank, one.who, one.total) for one in standings([{"a": 5, "b": 9}, {"a": 5}, {"b": 1, "c": 10}], 2)]
    [(1, 'c', 10), (2, 'b', 10), (3, 'a', 10)]
    """
    scores: dict[K, list[int]] = {}
    for evening in evenings:
        for who, points in evening.items():
            scores.setdefault(who, []).append(points)
    keys = {who: key_of(sorted(points, reverse=True), best) for who, points in scores.items()}
    found: list[RankingLine[K]] = []
    for nth, who in enumerate(sorted(keys, key=keys.__getitem__), 1):
        played = tuple(sorted(scores[who], reverse=True))
        same = found and keys[found[-1].who] == keys[who]
        counted = played[: best or None]
        found.append(RankingLine(found[-1].rank if same else nth, who, sum(counted), len(counted), played))
    return tuple(found)


def key_of(points: Sequence[int], best: int) -> tuple[int, ...]:
    """The sort key of points sorted from the best, lower is ahead; 1 is behind any further evening."""
    return (-sum(points[: best or None]), *(-one for one in points), 1)
