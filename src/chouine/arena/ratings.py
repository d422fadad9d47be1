"""Ratings of a pool by the Bradley-Terry model: A beats B as often as their ratings' difference says.

Results need not be transitive, and among card players are not quite: ratings sum a cross-table up and replace none
of it. To each couple are added the two imagined pairs of `score`, so that who never won has a rating all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chouine.ai.confidence import Z

Couple = tuple[int, int]
Results = Mapping[Couple, Sequence[tuple[int, int]]]
"""For two players by number, the parties the first won and lost in each of their pairs, in order."""
Floats = NDArray[np.float64]

UNIT = 400 / log(10)
"""Elo: 400 points are odds of ten to one."""
NEAR = 1e-9


class Rating(NamedTuple):
    """A player's place in a pool whose mean is 0."""

    elo: float
    error: float
    """Half of its 95 % interval."""


def ratings(players: int, results: Results) -> list[Rating]:
    """Every player's rating, by number.

    Pairs of one number share a deal; the errors are clustered by deal (Huber-White sandwich estimator).

    >>> strong, weak = ratings(2, {(0, 1): [(2, 0)] * 30 + [(1, 1)] * 50 + [(0, 2)] * 20})
    >>> print(f"{strong.elo:+.0f} {weak.elo:+.0f} ± {weak.error:.0f}")
    +17 -17 ± 24
    """
    signs = np.zeros((len(results), players))
    for nth, (one, other) in enumerate(results):
        signs[nth, one], signs[nth, other] = 1, -1
    won, lost = by_deal(list(results.values()))
    imagined = (won + lost).max(axis=0, initial=0)
    imagined[imagined == 0] = 2
    wins, losses = won.sum(axis=0) + imagined, lost.sum(axis=0) + imagined
    strengths = fitted(signs, wins, losses)
    first, second = (strengths @ (signs == sign).T for sign in (1, -1))
    chance = first / (first + second)
    # how sharply the likelihood bends, made invertible by the mean that is held at 0
    information = signs.T * (chance * (1 - chance) * (wins + losses)) @ signs + 1 / players
    # how far the results lie from what the ratings predict: those of a deal together, each imagined pair by itself
    surprise = (won - (won + lost) * chance) @ signs
    by_itself = imagined**2 * ((1 - chance) ** 2 + chance**2)
    scatter = surprise.T @ surprise + signs.T * by_itself @ signs
    bread = np.linalg.inv(information)
    errors = np.sqrt(np.diag(bread @ scatter @ bread))
    return [
        Rating(UNIT * float(elo), UNIT * Z * float(error))
        for elo, error in zip(np.log(strengths), errors, strict=True)
    ]


def by_deal(results: Sequence[Sequence[tuple[int, int]]]) -> tuple[Floats, Floats]:
    """Parties won and lost as `float64[deals, couples]`; 0 where a couple has not played a deal."""
    parties = np.zeros((2, max(map(len, results)), len(results)))
    for nth, pairs in enumerate(results):
        if pairs:
            parties[:, : len(pairs), nth] = np.array(pairs).T
    return parties[0], parties[1]


def fitted(signs: Floats, wins: Floats, losses: Floats) -> Floats:
    """The strengths by which the results are likeliest, of mean logarithm 0 (Hunter's minorising steps).

    `signs: float64[couples, players]` is 1 for a couple's first player, -1 for its second; `wins` and `losses`:
    `float64[couples]`, the first player's.
    """
    first, second = signs == 1, signs == -1
    total = wins @ first + losses @ second
    strengths, step = np.ones(signs.shape[1]), 1.0
    while step > NEAR:
        share = (wins + losses) / (strengths @ (first | second).T)
        better = total / (share @ (first | second))
        better /= np.exp(np.log(better).mean())
        step = float(np.abs(np.log(better / strengths)).max())
        strengths = better
    return strengths
