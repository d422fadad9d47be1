"""Deep Monte Carlo (Zha and others 2021) with NumPy alone: from whole parties, what each act is worth.

python examples/learn.py --rounds 300
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from chouine.envs.encode import NUMBERS, highs
from chouine.envs.vector import ChouineVectorEnv

PARTIES, STEPS, HIDDEN, EXPLORING, RATE = 256, 48, 64, 0.1, 0.001
Array = np.ndarray[Any, np.dtype[Any]]


class Worth:
    """A network with one hidden layer, from an observation to the value of each act; trained by Adam."""

    def __init__(self, inputs: int, rng: np.random.Generator) -> None:
        first = rng.normal(0, (2 / inputs) ** 0.5, (inputs, HIDDEN)).astype(np.float32)
        self.weights: list[Array] = [first, np.zeros((HIDDEN, NUMBERS), np.float32)]
        self.means, self.squares = ([np.zeros_like(each) for each in self.weights] for _ in range(2))
        self.steps = 0

    def __call__(self, seen: Array) -> Array:
        self.hidden = np.maximum(seen @ self.weights[0], 0)
        return self.hidden @ self.weights[1]  # type: ignore[no-any-return]

    def learn(self, seen: Array, acts: Array, gained: Array) -> None:
        """Reduce the squared error between the values of these acts and their returns."""
        error = np.zeros((len(acts), NUMBERS), np.float32)
        rows = np.arange(len(acts))
        error[rows, acts] = (self(seen)[rows, acts] - gained) / len(acts)
        slopes = seen.T @ (error @ self.weights[1].T * (self.hidden > 0)), self.hidden.T @ error
        self.steps += 1
        for nth, slope in enumerate(slopes):
            self.means[nth] += 0.1 * (slope - self.means[nth])
            self.squares[nth] += 0.001 * (slope**2 - self.squares[nth])
            scale = (self.squares[nth] / (1 - 0.999**self.steps)) ** 0.5 + 1e-8
            self.weights[nth] -= RATE * self.means[nth] / (1 - 0.9**self.steps) / scale


def best(worth: Array, masks: Array) -> Array:
    return np.asarray(np.where(masks > 0, worth, -np.inf).argmax(axis=1))


def win_rate(worth: Worth, env: ChouineVectorEnv, high: Array) -> float:
    """The learner's share of decided parties with its best acts."""
    (seen, _), won, lost = env.reset(seed=0), 0, 0
    for _ in range(STEPS):
        seen, rewards, _, _, _ = env.step(best(worth(seen["observation"] / high), seen["action_mask"]))
        won, lost = won + (rewards > 0).sum(), lost + (rewards < 0).sum()
    return float(won / (won + lost))


def train(rules: str, opponent: str, rounds: int) -> list[float]:
    """Train; return the win rates before, at intervals, and after."""
    rng, env = np.random.default_rng(1), ChouineVectorEnv(PARTIES, rules, opponent)
    high = highs(env.rules.seats).astype(np.float32)
    worth, rates = Worth(len(high), rng), list[float]()
    for done in range(rounds + 1):
        if done % 25 == 0 or done == rounds:
            rates.append(win_rate(worth, env, high))
            print(f"round {done}: wins {rates[-1]:.1%}", flush=True)
        told, (seen, _) = [], env.reset(seed=done + 1)
        for _ in range(STEPS):
            inputs, masks = seen["observation"] / high, seen["action_mask"]
            exploring = rng.random((PARTIES, 1)) < EXPLORING
            acts = best(np.where(exploring, rng.random(masks.shape), worth(inputs)), masks)
            seen, rewards, over, _, _ = env.step(acts)
            told.append((inputs, acts, rewards, over))
        gained, known = np.zeros(PARTIES), np.zeros(PARTIES, bool)
        for inputs, acts, rewards, over in reversed(told):  # an act's return is the result of its partie
            gained, known = np.where(over, rewards, gained), known | over
            worth.learn(inputs[known], acts[known], gained[known])
    return rates


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--rounds", type=int, default=100)
    asked = parser.parse_args()
    train(asked.rules, asked.opponent, asked.rounds)
