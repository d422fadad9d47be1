"""PPO (Schulman et al. 2017) in NumPy against the `greedy` of `chouine duel`: `python examples/ppo.py [MINUTES]`."""

import sys
from itertools import pairwise
from time import monotonic
from typing import Any

import gymnasium
import numpy as np

import chouine
from chouine.envs.opponents import PolicyPlayer

PARTIES, STEPS, UNITS, BATCH, CLIP, LAMBDA = 512, 64, 256, 2048, 0.2, 0.95


class Network:  # two hidden layers; outputs log-probabilities of the actions, and the value
    def __init__(self, high: Any, actions: int) -> None:
        rng, self.high, self.updates = np.random.default_rng(1), high.astype(np.float32), 0
        sizes = pairwise((len(high), UNITS, UNITS, actions + 1))
        self.parts = [rng.normal(0, (2 / a) ** 0.5, (a, b)).astype(np.float32) for a, b in sizes]
        self.parts[2] *= 0.1
        self.moments = [(0 * part, 0 * part) for part in self.parts]

    def __call__(self, seen: Any, masks: Any) -> tuple[Any, Any]:
        self.layers = [seen / self.high]
        for part in self.parts[:2]:
            self.layers.append(np.maximum(self.layers[-1] @ part, 0))
        out = self.layers[2] @ self.parts[2]
        logits = np.where(masks > 0, out[:, :-1] - out[:, :-1].max(axis=1, keepdims=True), -1e9)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), out[:, -1]

    def learn(self, slope: Any, rate: float) -> None:  # Adam (Kingma and Ba 2015)
        self.updates += 1
        rate *= (1 - 0.999**self.updates) ** 0.5 / (1 - 0.9**self.updates)
        for nth in (2, 1, 0):
            layer, part, (mean, square) = self.layers[nth], self.parts[nth], self.moments[nth]
            own, slope = layer.T @ slope, slope @ part.T * (layer > 0)
            np.add(0.9 * mean, 0.1 * own, out=mean)
            np.add(0.999 * square, 0.001 * own**2, out=square)
            np.subtract(part, rate * mean / (square**0.5 + 1e-8), out=part)


def train(minutes: float) -> Network:
    env: Any = gymnasium.make_vec("chouine.envs:chouine/Chouine-v0", PARTIES, opponent="greedy")
    net = Network(env.single_observation_space["observation"].high, actions := env.single_action_space.n)
    (seen, _), rng, tally, began = env.reset(seed=1), np.random.default_rng(1), np.zeros(2), monotonic()
    while (spent := (monotonic() - began) / 60) < minutes:
        steps: list[Any] = []
        for _ in range(STEPS):
            logs, values = net(*seen.values())
            acts = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
            told = *seen.values(), acts, logs[np.arange(PARTIES), acts], values
            seen, rewards, over, _, _ = env.step(acts)
            steps.append((*told, rewards, over))
            tally += (rewards > 0).sum(), (rewards < 0).sum()
        rows, masks, acts, old, values, rewards, over = map(np.array, zip(*steps, strict=True))
        gains, ahead, value = np.zeros_like(values), np.zeros(PARTIES), net(*seen.values())[1]
        for t in reversed(range(STEPS)):  # generalised advantage estimation
            gains[t] = ahead = rewards[t] + ~over[t] * (value + LAMBDA * ahead) - values[t]
            value = values[t]
        aims, gains = (gains + values).ravel(), ((gains - gains.mean()) / gains.std()).ravel()
        for some in rng.permutation(acts.size).reshape(-1, BATCH):
            logs, value = net(rows.reshape(acts.size, -1)[some], masks.reshape(acts.size, -1)[some])
            chances, done, gain = np.exp(logs), np.eye(actions)[acts.ravel()[some]], gains[some]
            ratio = np.exp((logs * done).sum(axis=1) - old.ravel()[some])
            pull = np.where(np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP), ratio * gain, 0)[:, None]
            spread = 0.01 * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))  # entropy bonus
            slope = np.column_stack((pull * (chances - done) + spread, 0.5 * (value - aims[some]))) / BATCH
            net.learn(slope.astype(np.float32), 1e-3 * max(0.05, 1 - spent / minutes))
        if net.updates % 320 == 0:
            print(f"{net.updates * BATCH} {spent:.2f} {tally[0] / tally.sum():.3f}", flush=True)
            tally *= 0
    return net


if __name__ == "__main__":
    net = train(float(sys.argv[1]) if sys.argv[1:] else 3.0)
    score = chouine.duel(lambda: PolicyPlayer(lambda *given: net(*given)[0].argmax(1)), "greedy", pairs=500)
    print(f"{score.rate:.1%} against greedy over {score.pairs} pairs, 95 % from {score.interval}")
