"""Difficulty ratings of problems, fitted to the share of each level's attempts that solve them.

A player of ability t and steepness a solves a problem of difficulty d with probability 1 / (1 + exp(a (d − t))):
Birnbaum's model, except that the steepness belongs to the player, since a noisy player finds hard acts by chance.
Endings are fitted separately, since the upper levels solve them exactly. The handicapped levels do not, and align
both scales: their mean ability is fixed at 0, their mean steepness at 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats
from chouine.school.problems.problem import AVERAGE, UNIT

ROUNDS = 100
SPREAD = 1.5
"""Prior standard deviation of difficulties."""
RIDGE = 1e-3
"""Ridge penalty: keeps the fit finite for a player that solves everything."""
STEP = 1.0
"""Largest Newton step."""


class Players(NamedTuple):
    """Ability and steepness of each player: one array element each."""

    ability: Floats
    steepness: Floats

    def expected(self, difficulty: Floats) -> Floats:
        """Predicted shares of solved attempts: `float64[problems, players]`."""
        return sigmoid(self.steepness * (self.ability - difficulty[:, None]))


def fitted(shares: Floats, attempts: Floats, wavering: int) -> tuple[Players, Floats]:
    """Fit players and difficulties to `shares: float64[problems, players]` of attempts that solved each problem.

    The first `wavering` players are the handicapped ones that fix the scale.
    """
    difficulty, lines = np.zeros(len(shares)), np.tile((0.0, 1.0), (shares.shape[1], 1))
    for _ in range(ROUNDS):
        lines = np.array(
            [line_of(share, difficulty, line) for share, line in zip(shares.T, lines, strict=True)]
        )
        chance = sigmoid(lines[:, 0] - lines[:, 1] * difficulty[:, None])
        slope = (attempts * lines[:, 1] * (shares - chance)).sum(1) + difficulty / SPREAD**2
        weight = (attempts * lines[:, 1] ** 2 * chance * (1 - chance)).sum(1) + 1 / SPREAD**2
        difficulty -= np.clip(slope / weight, -STEP, STEP)
    ability, steepness = lines[:, 0] / lines[:, 1], lines[:, 1]
    middle, scale = ability[:wavering].mean(), steepness[:wavering].mean()
    return Players(scale * (ability - middle), steepness / scale), scale * (difficulty - middle)


def line_of(share: Floats, difficulty: Floats, line: Floats) -> Floats:
    """One Newton step of a player's logistic regression on difficulty."""
    inputs = np.stack((np.ones_like(difficulty), -difficulty), axis=1)
    chance = sigmoid(inputs @ line)
    slope = inputs.T @ (share - chance) / len(share) - RIDGE * (line - (0.0, 1.0))
    weight = (inputs.T * (chance * (1 - chance))) @ inputs / len(share) + RIDGE * np.eye(2)
    after = line + np.clip(np.linalg.solve(weight, slope), -STEP, STEP)
    return np.array((after[0], max(after[1], RIDGE)))


def sigmoid(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


def ratings(difficulty: Floats) -> Sequence[int]:
    """Difficulties converted to integer ratings."""
    return [int(each) for each in np.rint(AVERAGE + UNIT * difficulty)]
