"""Random play, by agent with PettingZoo, then in a batch with Gymnasium.

python examples/random_parties.py --parties 200 --rules four
"""

from __future__ import annotations

import argparse
from collections import Counter
from time import perf_counter

import numpy as np

from chouine.envs import chouine_v0
from chouine.envs.vector import ChouineVectorEnv


def one_by_one(rules: str, parties: int) -> Counter[str]:
    """The number of wins by agent; a nulle counts for nobody."""
    env, wins = chouine_v0.env(rules), Counter[str]()
    for seed in range(parties):
        env.reset(seed=seed)
        rewards: dict[str, float] = {}
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            rewards[agent] = reward
            env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
        wins[max(rewards, key=rewards.__getitem__) if any(rewards.values()) else "nobody"] += 1
    return wins


def side_by_side(rules: str, parties: int, steps: int) -> tuple[float, float]:
    """A learner's mean reward in a partie, and steps a second."""
    env, rng = ChouineVectorEnv(parties, rules), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    gained, ended, began = 0.0, 0, perf_counter()
    for _ in range(steps):
        chances = 1 - rng.random(seen["action_mask"].shape)
        seen, rewards, over, _, _ = env.step((chances * seen["action_mask"]).argmax(axis=1))
        gained, ended = gained + rewards.sum(), ended + over.sum()
    return gained / max(ended, 1), parties * steps / (perf_counter() - began)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--parties", type=int, default=100)
    asked = parser.parse_args()
    for seat, wins in sorted(one_by_one(asked.rules, asked.parties).items()):
        print(f"{seat}: {wins} of {asked.parties}")
    mean, speed = side_by_side(asked.rules, asked.parties, steps=100)
    print(f"in a batch: {mean:+.3f} a partie, {speed:,.0f} steps a second")
