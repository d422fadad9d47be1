"""Improve a network by self-play: PPO (Schulman et al. 2017) with an entropy bonus and a critic that sees all cards.

Needs torch (extra `train`). Restarted with the same command, it continues from its saved state.

python -m chouine.ai.training.ppo classic FOLDER --start src/chouine/ai/weights/classic.npz --minutes 60

With `--against NETWORK.npz` it trains a best response to that network's best acts; its win rate is a lower bound on the
network's exploitability.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from chouine.ai.features import VALUE_SLOT, layout
from chouine.ai.network import from_parts, load_weights, private_copy
from chouine.ai.training.collector import (
    Transitions,
    collect,
    empty_transitions,
    hidden_inputs,
    win_rate,
    workspace_for,
    write_gae,
)
from chouine.ai.training.fit import TorchNetwork, initial_network, input_layer, save, weights_of
from chouine.files import writing
from chouine.rules.options import Rules

TRANSITIONS_PER_UPDATE = 200_000
"""Transitions per update. Playing is far cheaper than learning, so each transition is used once."""
LIKELY, KEPT_SHARE = 0.95, 0.2
"""Keep 20 % of transitions with p > 0.95, reweighted ×5: they carry little information."""
BATCH = 2048
CLIP = 0.2
GAE_LAMBDA = 0.95
"""GAE's lambda (Schulman et al. 2016)."""
INVERSE_TEMPERATURE = 1 / 0.06
"""Shipped outputs are win probabilities; times this they are logits: 0.1 more makes an act five times as likely."""
CRITIC_HIDDEN = 384
CRITIC_WARMUP = 12
"""Updates that train the critic alone."""
PARTIES_PER_RATING = 20_000
"""Parties per measurement against the rival."""


class Observation(NamedTuple):
    """Inputs of some transitions: the seat's knowledge, and the critic's hidden inputs."""

    marks: Any
    numbers: Any
    hidden: Any


class Critic(nn.Module):
    """Each seat's expected share of the partie, given all cards; the acting seat first."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.seats, self.inputs = seats, layout(seats).inputs
        self.layers = nn.Sequential(
            nn.Linear(self.inputs + hidden_inputs(seats), CRITIC_HIDDEN),
            nn.ReLU(),
            nn.Linear(CRITIC_HIDDEN, CRITIC_HIDDEN),
            nn.ReLU(),
            nn.Linear(CRITIC_HIDDEN, seats - 1),
        )

    def forward(self, observation: Observation) -> Any:
        first = self.layers[0]
        marks = torch.where(observation.marks == self.inputs, first.in_features, observation.marks)
        marks = torch.cat((marks, observation.hidden + self.inputs), 1)
        logits = self.layers[1:](input_layer(first, marks, observation.numbers, self.inputs))
        return torch.softmax(functional.pad(2 * logits, (0, 1)), 1)


def observations(steps: Transitions, rows: Any) -> Observation:
    """Transitions as tensors."""
    parts = steps.marks[rows].astype(np.int64), steps.numbers[rows], steps.hidden[rows].astype(np.int64)
    return Observation(*map(torch.from_numpy, parts))


class PpoTrainer:
    """A network, its critic, and the training state."""

    def __init__(
        self,
        rules: Rules,
        network: TorchNetwork,
        folder: Path,
        minutes: float,
        seed: int,
        against: Path | None,
        rivals: float,
    ) -> None:
        self.rules, self.folder, self.minutes, self.seed = rules, folder, minutes, seed
        self.network, self.critic = network, Critic(rules.seats)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), eps=1e-5)
        self.updates, self.spent, self.transitions = 0, 0.0, 0
        self.against, self.rivals = against, 1.0 if against else rivals
        self.workspace = workspace_for(
            rules, private_copy(load_weights(against, rules.seats)) if against else None
        )
        self.buffer = empty_transitions(rules, TRANSITIONS_PER_UPDATE)

    def stateful(self) -> dict[str, Any]:
        """Everything that has a state to save."""
        return {name: getattr(self, name) for name in ("network", "critic", "optimizer", "critic_optimizer")}

    def restore(self, *, fitted: bool) -> None:
        """Continue from the folder's saved state; else start from the network, which may have been fitted."""
        path = self.folder / "state.pt"
        if path.exists():
            state = torch.load(path)
            for name, part in self.stateful().items():
                part.load_state_dict(state[name])
            self.updates, self.spent, self.transitions = state["lessons"], state["spent"], state["choices"]
        elif fitted:
            scale_logits(self.network, INVERSE_TEMPERATURE)

    def save_state(self) -> None:
        """Write the state, and the weights as shipped."""
        state = {name: part.state_dict() for name, part in self.stateful().items()}
        state |= {"lessons": self.updates, "spent": self.spent, "choices": self.transitions}
        with writing(self.folder / "state.pt") as file:
            torch.save(state, file)
        shipped = deepcopy(self.network)
        scale_logits(shipped, 1 / INVERSE_TEMPERATURE)
        save(shipped, self.folder / f"{self.rules.preset}.npz")

    def update(self) -> dict[str, float]:
        """Collect transitions, compute advantages, and train once over them."""
        remaining = max(0.0, 1 - self.spent / self.minutes)
        for optimizer, speed in ((self.optimizer, 3e-4), (self.critic_optimizer, 1e-3)):
            for group in optimizer.param_groups:
                group["lr"] = speed * max(0.03, remaining)
        network = from_parts(weights_of(self.network))
        seed = self.seed * 1_000_003 + self.updates
        steps = collect(self.rules, network, self.workspace, self.rivals, seed, self.buffer)
        count = len(steps.act)
        advantages, returns = np.zeros(count, np.float32), np.zeros_like(steps.outcome)
        values = self.critic_values(steps)
        write_gae(steps, values, GAE_LAMBDA, np.zeros(values.shape[1]), advantages, returns)
        figures = {
            "surprise": float(((returns - values) ** 2).mean()),
            "explained": explained_variance(steps, values),
        }
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        rng = np.random.default_rng(seed)
        entropy_weight = 0.004 + 0.006 * remaining
        weights = sample_weights(steps, rng)
        order = rng.permutation(np.flatnonzero(weights))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            rows = np.sort(order[at : at + BATCH])
            figures |= self.train_step(
                steps, rows, advantages[rows], returns[rows], weights[rows], entropy_weight
            )
        self.updates += 1
        self.transitions += count
        return figures

    def critic_values(self, steps: Transitions) -> Any:
        """The critic's prediction for every transition."""
        values = np.zeros_like(steps.outcome)
        with torch.no_grad():
            for at in range(0, len(values), 8192):
                rows = slice(at, at + 8192)
                values[rows] = in_bfloat16(self.critic, observations(steps, rows)).numpy()
        return values

    def train_step(
        self,
        steps: Transitions,
        rows: Any,
        advantages: Any,
        returns: Any,
        weights: Any,
        entropy_weight: float,
    ) -> dict[str, float]:
        """One step of each optimizer on a minibatch: clipped surrogate, entropy bonus, value losses."""
        observation, weight = observations(steps, rows), torch.from_numpy(weights / weights.sum())
        critic_loss = (
            ((in_bfloat16(self.critic, observation) - torch.from_numpy(returns)) ** 2).mean(1) * weight
        ).sum()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        if self.updates < CRITIC_WARMUP:
            return {}
        observation = in_bfloat16(self.network, observation.marks, observation.numbers)
        mask = torch.from_numpy(steps.mask[rows]).bool()
        log_probs = torch.log_softmax(observation[:, :VALUE_SLOT].masked_fill(~mask, -1e9), 1)
        probs = log_probs.exp()
        act = torch.from_numpy(steps.act[rows])
        log_prob = log_probs.gather(1, act[:, None])[:, 0]
        ratio = (log_prob - torch.from_numpy(steps.log_prob[rows])).exp()
        advantage = torch.from_numpy(advantages)
        surrogate = (
            torch.minimum(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage) * weight
        ).sum()
        entropy = -((probs * log_probs.masked_fill(~mask, 0.0)).sum(1) * weight).sum()
        implied_value = (
            observation[:, VALUE_SLOT]
            + (probs.detach() * observation[:, :VALUE_SLOT].detach()).sum(1) / INVERSE_TEMPERATURE
        )
        value_loss = ((implied_value - torch.from_numpy(steps.outcome[rows, 0])) ** 2 * weight).sum()
        self.optimizer.zero_grad()
        (0.25 * value_loss - surrogate - entropy_weight * entropy).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimizer.step()
        return {"entropy": entropy.item(), "level": value_loss.item()}

    def train(self) -> None:
        """Train until the time is over; every dozen updates save, measure, and write a line of the curve."""
        while self.spent < self.minutes:
            began = time.process_time()
            figures = self.update()
            self.spent += (time.process_time() - began) / 60
            if self.updates % 12 == 0 or self.spent >= self.minutes or self.updates == CRITIC_WARMUP:
                self.save_state()
                network = from_parts(weights_of(self.network))
                figures["rate"] = win_rate(
                    self.rules, network, self.workspace, PARTIES_PER_RATING, self.updates
                )
                if not self.against:
                    figures["greedy"] = win_rate(
                        self.rules, network, self.workspace, PARTIES_PER_RATING, self.updates, rival_number=1
                    )
                figures |= {"minutes": self.spent, "lessons": self.updates, "choices": self.transitions}
                with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as curve:
                    curve.write(json.dumps(figures) + "\n")
                sys.stdout.write(" ".join(f"{name} {value:.4g}" for name, value in figures.items()) + "\n")
                sys.stdout.flush()


def scale_logits(network: TorchNetwork, by: float) -> None:
    """Multiply act outputs: from win probability to logits, or back."""
    with torch.no_grad():
        network.out.weight[:VALUE_SLOT] *= by
        network.out.bias[:VALUE_SLOT] *= by


def in_bfloat16(network: nn.Module, *observation: Any) -> Any:
    """Run a module in bfloat16, which takes a third of the time."""
    with torch.autocast("cpu", torch.bfloat16):
        found = network(*observation)
    return found.float()


def sample_weights(steps: Transitions, rng: np.random.Generator) -> Any:
    """Weight of each transition in the update; 0 if dropped."""
    sure = steps.log_prob > np.log(LIKELY)
    return np.where(sure, (rng.random(len(sure)) < KEPT_SHARE) / KEPT_SHARE, 1.0).astype(np.float32)


def explained_variance(steps: Transitions, values: Any) -> float:
    """Variance of the outcomes explained by the critic."""
    return float(1 - ((steps.outcome - values) ** 2).mean() / steps.outcome.var())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--start", type=Path, help="a network to go on from: .npz as shipped, or .pt")
    parser.add_argument(
        "--units", type=int, default=0, help="of each layer; more than it starts from has are added"
    )
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rivals", type=float, default=0.2, help="share of parties against others")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    network = initial_network(args.rules.seats, args.start, args.units)
    training = PpoTrainer(
        args.rules, network, args.folder, args.minutes, args.seed, args.against, args.rivals
    )
    training.restore(fitted=args.start is not None)
    training.train()


if __name__ == "__main__":
    main()
