"""The prizes of a contest: who gets which, by the club's order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from chouine.contest.acts import Details, PrizesSet
from chouine.contest.errors import ActRefused
from chouine.contest.ranking import Ranked, distance, ranking
from chouine.contest.state import Contest

KINDS = ("place", "consolante", "lady", "junior", "village")
"""Kinds of prizes: for places, places of the consolante, ladies, juniors, villages."""
MOST = 50
"""Most prizes of a kind."""
BEST = 3
"""Entries of a village whose wins count for it: a large village does not win by its number."""


@dataclass(frozen=True, slots=True)
class Prize:
    kind: str
    rank: int
    """The place among those of this kind, from 1."""
    winners: tuple[int, ...]
    """Entry numbers, several if they tie until the club settles it; of villages their numbers in the log."""


def check_prizes(act: PrizesSet) -> None:
    """Raise `ActRefused` unless each kind is known and named once, with a number that can be."""
    kinds = [kind for kind, _ in act.counts]
    if len(set(kinds)) != len(kinds) or set(kinds) - set(KINDS):
        raise ActRefused("contest/prizes")
    if not all(0 <= many <= MOST for _, many in act.counts):
        raise ActRefused("contest/prizes")


def prizes(contest: Contest) -> tuple[Prize, ...]:
    """The prizes by the present ranking, in the order in which they are given.

    Where the club gives one prize a person, whoever has one is passed over, and the next gets the later one.
    """
    found: list[Prize] = []
    drawn = [one for one in ranking(contest) if distance(contest.main, one.number)]
    given: set[int] = set()
    for kind, many in contest.prizes.counts:
        rank = 1
        for group in groups(contest, kind, drawn):
            left = tuple(
                one for one in group if kind == "village" or not (contest.prizes.once and one in given)
            )
            if rank > many:
                break
            if left:
                found.append(Prize(kind, rank, left))
                given |= set(left) if kind != "village" else set()
            rank += len(left)
    return tuple(found)


def groups(contest: Contest, kind: str, drawn: Sequence[Ranked]) -> Iterator[tuple[int, ...]]:
    """Those who may have a prize of this kind, the best first, who ties together."""
    details = {one.number: contest.entrants[one.number].details for one in drawn}
    if kind == "village":
        yield from villages(drawn, {number: own.village for number, own in details.items()})
        return
    if kind == "consolante":
        reached = {one.number: distance(contest.consolante, one.number) for one in drawn}
        inside = sorted((one for one in drawn if reached[one.number]), key=lambda one: -reached[one.number])
        for _, group in groupby(inside, key=lambda one: reached[one.number]):
            yield tuple(one.number for one in group)
        return
    fit: dict[str, Callable[[Details], bool]] = {
        "place": lambda _: True,
        "lady": lambda own: own.lady,
        "junior": lambda own: own.junior,
    }
    for _, same in groupby(
        (one for one in drawn if fit[kind](details[one.number])), key=lambda one: one.rank
    ):
        yield tuple(one.number for one in same)


def villages(drawn: Sequence[Ranked], of: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Villages by the wins of their best entries, then by manches; an entry without a village counts for none."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for one in drawn:
        if of[one.number]:
            rows.setdefault(of[one.number], []).append((one.tally.wins, one.tally.manches))
    sums = {
        village: tuple(map(sum, zip(*sorted(row, reverse=True)[:BEST], strict=True)))
        for village, row in rows.items()
    }
    order = sorted(sums, key=lambda village: sums[village], reverse=True)
    for _, same in groupby(order, key=lambda village: sums[village]):
        yield tuple(same)
