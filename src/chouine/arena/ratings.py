"""Bradley-Terry ratings of a pool: the difference of two ratings predicts how often one player beats the other.

Results of card players are not quite transitive, so ratings summarise a cross-table and do not replace it. The two
pseudo-pairs of `score` are added to each couple, so that a player without a win has a finite rating.
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
    """A player's rating; the mean over the pool is 0."""

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
    pseudo = (won + lost).max(axis=0, initial=0)
    pseudo[pseudo == 0] = 2
    wins, losses = won.sum(axis=0) + pseudo, lost.sum(axis=0) + pseudo
    strengths = fitted(signs, wins, losses)
    first, second = (strengths @ (signs == sign).T for sign in (1, -1))
    chance = first / (first + second)
    # Fisher information, made invertible by fixing the mean at 0
    information = signs.T * (chance * (1 - chance) * (wins + losses)) @ signs + 1 / players
    # squared scores: the results of a deal summed first, each pseudo-pair alone
    score = (won - (won + lost) * chance) @ signs
    alone = pseudo**2 * ((1 - chance) ** 2 + chance**2)
    scatter = score.T @ score + signs.T * alone @ signs
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
    """Maximum-likelihood strengths, geometric mean 1, by minorisation-maximisation (Hunter 2004).

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
