"""How difficult problems are: a rating each, fitted to how often every level solves them.

A player of ability t and steepness a solves a problem of difficulty d in a share 1 / (1 + exp(a (d - t))) of attempts:
Birnbaum's model, but the steepness is the player's, as who wavers finds hard acts by chance. Endings are fitted apart,
since the upper levels solve them exactly. The wavering levels do not, and hold both scales together: on average their
ability is 0 and their steepness 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats
from chouine.school.problems.problem import AVERAGE, UNIT

ROUNDS = 100
SPREAD = 1.5
"""Standard deviation of difficulties before anything is known of them."""
RIDGE = 1e-3
"""Keeps a player's line finite who solves all."""
STEP = 1.0
"""The longest step of a round."""


class Players(NamedTuple):
    """What each player solves: an array entry each."""

    ability: Floats
    steepness: Floats

    def expected(self, difficulty: Floats) -> Floats:
        """The share of attempts that solve: (problems, players)."""
        return sigmoid(self.steepness * (self.ability - difficulty[:, None]))


def fitted(shares: Floats, attempts: Floats, wavering: int) -> tuple[Players, Floats]:
    """Players and difficulties, from the share (problems, players) of attempts that solved each problem.

    The first `wavering` players give the scale.
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
    """A step of a player's logistic regression on difficulty: level and steepness."""
    inputs = np.stack((np.ones_like(difficulty), -difficulty), axis=1)
    chance = sigmoid(inputs @ line)
    slope = inputs.T @ (share - chance) / len(share) - RIDGE * (line - (0.0, 1.0))
    weight = (inputs.T * (chance * (1 - chance))) @ inputs / len(share) + RIDGE * np.eye(2)
    after = line + np.clip(np.linalg.solve(weight, slope), -STEP, STEP)
    return np.array((after[0], max(after[1], RIDGE)))


def sigmoid(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


def ratings(difficulty: Floats) -> Sequence[int]:
    """Difficulties as whole ratings."""
    return [int(each) for each in np.rint(AVERAGE + UNIT * difficulty)]
