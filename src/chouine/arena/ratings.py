"""Ratings of a pool by the Bradley-Terry model: A beats B as often as their ratings' difference says.

Results need not be transitive, and among card players are not quite: ratings sum a cross-table up and replace none
of it. To each couple are added the two imagined pairs of `score`, so that who never won has a rating all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from chouine.arena.score import Z

Couple = tuple[int, int]
Results = Mapping[Couple, Sequence[tuple[int, int]]]
"""For two players by number, the parties the first won and lost in each of their pairs, in order."""
Matrix = list[list[float]]

UNIT = 400 / log(10)
"""Elo: 400 points are odds of ten to one."""
NEAR = 1e-9
IMAGINED = 2
"""Pairs added to each couple's, after its own."""


class Rating(NamedTuple):
    """A player's rating in a pool whose mean is 0."""

    elo: float
    error: float
    """Half the width of the 95 % confidence interval."""


def ratings(players: int, results: Results) -> list[Rating]:
    """Every player's rating.

    Pairs with one number share a deal, so errors are clustered by deal: a Huber–White sandwich estimator.
    """
    results = {couple: with_imagined(pairs) for couple, pairs in results.items()}
    strengths = fitted(players, results)
    bread = inverse(information(strengths, results))
    meat = scatter(strengths, results)
    spread = product(product(bread, meat), bread)
    return [Rating(UNIT * log(strengths[n]), UNIT * Z * sqrt(spread[n][n])) for n in range(players)]


def with_imagined(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    each = max((won + lost for won, lost in pairs), default=2)
    return [*pairs, (each, 0), (0, each)]


def fitted(players: int, results: Results) -> list[float]:
    """The strengths by which the results are likeliest, of mean logarithm 0 (Hunter's minorising steps)."""
    wins = [0.0] * players
    for (one, other), pairs in results.items():
        wins[one] += sum(won for won, _ in pairs)
        wins[other] += sum(lost for _, lost in pairs)
    decided = {couple: sum(won + lost for won, lost in pairs) for couple, pairs in results.items()}
    strengths, step = [1.0] * players, 1.0
    while step > NEAR:
        met = [0.0] * players
        for (one, other), parties in decided.items():
            share = parties / (strengths[one] + strengths[other])
            met[one] += share
            met[other] += share
        better = scaled([won / against for won, against in zip(wins, met, strict=True)])
        step = max(abs(log(new / old)) for new, old in zip(better, strengths, strict=True))
        strengths = better
    return strengths


def scaled(strengths: Sequence[float]) -> list[float]:
    mean = sum(map(log, strengths)) / len(strengths)
    return [strength / exp(mean) for strength in strengths]


def information(strengths: Sequence[float], results: Results) -> Matrix:
    """How sharply the likelihood bends, made invertible by the mean that is held at 0."""
    size = len(strengths)
    matrix = [[1 / size] * size for _ in range(size)]
    for (one, other), pairs in results.items():
        chance = strengths[one] / (strengths[one] + strengths[other])
        bend = chance * (1 - chance) * sum(won + lost for won, lost in pairs)
        for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            matrix[row][column] += sign * bend
    return matrix


def scatter(strengths: Sequence[float], results: Results) -> Matrix:
    """How far the deals' results lie from what the ratings foretell."""
    size = len(strengths)
    matrix = [[0.0] * size for _ in range(size)]
    for group in on_one_deal(results):
        off = [0.0] * size
        for (one, other), (won, lost) in group:
            surprise = won - (won + lost) * strengths[one] / (strengths[one] + strengths[other])
            off[one] += surprise
            off[other] -= surprise
        for row in range(size):
            for column in range(size):
                matrix[row][column] += off[row] * off[column]
    return matrix


def on_one_deal(results: Results) -> Iterator[list[tuple[Couple, tuple[int, int]]]]:
    """The pairs that one deal brought, deal by deal; then those imagined, each by itself."""
    for deal in range(max(map(len, results.values())) - IMAGINED):
        yield [(couple, pairs[deal]) for couple, pairs in results.items() if deal < len(pairs) - IMAGINED]
    for couple, pairs in results.items():
        yield from ([(couple, pair)] for pair in pairs[-IMAGINED:])


def product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def inverse(matrix: Matrix) -> Matrix:
    """By elimination; the matrix is symmetric and positive, so that no row need change places."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        rows[n] = [value / rows[n][n] for value in rows[n]]
        for m in range(size):
            if m != n:
                factor = rows[m][n]
                rows[m] = [value - factor * own for value, own in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
