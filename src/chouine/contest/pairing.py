"""Seat entries at tables at random, with the least total cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from chouine.contest.chance import Chance
from chouine.errors import ActRefused

Cost = Callable[[int, int], int]
"""The cost of two entries at one table, 0 without objections; an exempt entry's partner is `CHAIR`, given first."""
Places = tuple[tuple[int, ...], ...]
Edge = tuple[int, int, int]
"""Two vertices and the cost of joining them."""
Solver = Callable[[Sequence[Edge]], Sequence[tuple[int, int]]]
"""Finds a minimum-cost matching among those with the most pairs."""

TRIES = 500
SAMPLES = 20
"""Number of random samples; if none costs 0, the cheapest is improved."""
CHAIR = 0
"""The vertex whose partner is exempt; entries are numbered from 1."""
FEW = 8
"""Up to this many entries all pairings are tried, at most 105."""
GRAVE = 100
"""Pairs of at least this cost are avoided wherever possible."""
LOT = 64
"""Random bits appended to costs, so that the cheapest matching is unique whatever the solver."""
NEAR = 6
"""Number of neighbours whose edges a solver gets first, which is quicker than all edges."""


def arrange(
    sample: Callable[[], Places],
    cost: Cost,
    chance: Chance,
    exempt: Sequence[int] = (),
    solver: Solver | None = None,
) -> Places:
    """The first sample of cost 0, so that all arrangements of cost 0 are equally likely.

    Without one: the cheapest pairs if tables have two seats (with one of `exempt` alone), else the cheapest sample,
    improved by exchanges of two entries.
    """
    for _ in range(TRIES):
        places = sample()
        if not any(cost(one, other) for place in places for one, other in combinations(place, 2)):
            return places
    best = min((sample() for _ in range(SAMPLES)), key=lambda places: cost_of(places, cost))
    if all(len(place) <= 2 for place in best) and sum(len(place) == 1 for place in best) <= 1:
        return cheapest_pairs([number for place in best for number in place], cost, chance, exempt, solver)
    return exchange_pairs(best, cost)


def cost_of(places: Places, cost: Cost) -> int:
    pairs = (
        pair for place in places for pair in combinations(place if len(place) > 1 else (CHAIR, *place), 2)
    )
    return sum(cost(one, other) for one, other in pairs)


def cheapest_pairs(
    row: Sequence[int], cost: Cost, chance: Chance, exempt: Sequence[int] = (), solver: Solver | None = None
) -> Places:
    """The cheapest pairs, ties broken at random; with an odd number one of `exempt` comes last, alone.

    Neighbours in `row` are likely pairs. Few entries are tried exhaustively, more are given to a solver.
    """
    if len(row) <= FEW:
        every = list(pairings(tuple(row), exempt))
        totals = [cost_of(places, cost) for places in every]
        best = [places for places, total in zip(every, totals, strict=True) if total == min(totals)]
        return best[chance.number_below(len(best))]
    if solver is None:
        raise ActRefused("contest/no-solver")
    lots = {frozenset(pair): chance.word() for pair in combinations(sorted((CHAIR, *row)), 2)}
    near = NEAR
    while True:
        edges = edges_of(row, cost, lots, exempt, near)
        places = in_order(row, solver(edges))
        whole = sum(map(len, places)) == len(row)
        if whole and (near >= len(row) or max(cost_of((place,), cost) for place in places) < GRAVE):
            return places
        if near >= len(row):
            raise ActRefused("contest/no-solver")
        near *= 3


def pairings(row: tuple[int, ...], exempt: Sequence[int]) -> Iterator[Places]:
    """All ways to pair a sequence."""
    if len(row) % 2:
        for alone in exempt:
            for rest in pairings(tuple(one for one in row if one != alone), ()):
                yield (*rest, (alone,))
    elif not row:
        yield ()
    else:
        for other in row[1:]:
            for rest in pairings(tuple(one for one in row[1:] if one != other), ()):
                yield ((row[0], other), *rest)


def edges_of(
    row: Sequence[int], cost: Cost, lots: Mapping[frozenset[int], int], exempt: Sequence[int], near: int
) -> list[Edge]:
    """Edges from each entry to its next neighbours; with an odd number, also from the exempt's place."""
    edges = [
        (one, other, (cost(one, other) << LOT) + lots[frozenset((one, other))])
        for at, one in enumerate(row)
        for other in row[at + 1 : at + near]
    ]
    if len(row) % 2:
        edges += [(CHAIR, one, (cost(CHAIR, one) << LOT) + lots[frozenset((CHAIR, one))]) for one in exempt]
    return edges


def in_order(row: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Places:
    """A solver's pairs in the order of the row, an exempt last."""
    at = {number: nth for nth, number in enumerate(row)}
    seated = [tuple(sorted(pair, key=at.__getitem__)) for pair in pairs if CHAIR not in pair]
    alone = [(max(pair),) for pair in pairs if CHAIR in pair]
    return (*sorted(seated, key=lambda pair: at[pair[0]]), *alone)


def exchange_pairs(places: Places, cost: Cost) -> Places:
    """Local search: exchange two entries of different tables while that lowers the cost."""
    tables = [list(place) for place in places]
    better = True
    while better:
        better = False
        for near, far in combinations(range(len(tables)), 2):
            better |= is_improved(tables[near], tables[far], cost)
    return tuple(map(tuple, tables))


def is_improved(near: list[int], far: list[int], cost: Cost) -> bool:
    """Whether an exchange between two tables made them cheaper."""
    before = cost_of((tuple(near), tuple(far)), cost)
    for one in range(len(near)):
        for other in range(len(far)):
            if not before:
                return False
            near[one], far[other] = far[other], near[one]
            if cost_of((tuple(near), tuple(far)), cost) < before:
                return True
            near[one], far[other] = far[other], near[one]
    return False
