"""Better a network by parties against itself: PPO with entropy, and a critic that sees all hands and the talon.

Needs torch (extra `train`). Stopped, it goes on from where it was by the same command.

python -m chouine.ai.training.ppo classic FOLDER --start fitted.pt --minutes 60

With `--against NETWORK.npz` it learns to beat that network's best acts and nothing else: a best response, whose gain
is a lower bound of what that network gives away.
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

from chouine.ai.features import WORTH, layout
from chouine.ai.network import network_of, own, read
from chouine.ai.training.fit import Network, entered, save, started, weights_of
from chouine.ai.training.rollout import (
    Steps,
    advantages,
    hidden_inputs,
    rate,
    rolled_out,
    room_for,
    stage_for,
)
from chouine.rules.options import Rules

CHOICES = 200_000
"""Choices played between two lessons; playing costs far less than learning, so each is learned from once."""
SURE, HEARD = 0.95, 0.2
"""A choice as likely as that teaches little: so many are learned from, and count for the others."""
BATCH = 2048
CLIP = 0.2
TRUST = 0.95
"""GAE's lambda."""
SHARPNESS = 1 / 0.06
"""What is shipped tells acts in shares of a win; a tenth more makes an act about five times as likely."""
CRITIC_HIDDEN = 384
CRITIC_ALONE = 12
"""Lessons before the network itself learns."""
PARTIES = 20_000
"""Played against its rival each time it is measured."""


class Told(NamedTuple):
    """Some choices: what the seats knew, and what the critic sees besides."""

    marks: Any
    numbers: Any
    hidden: Any


class Critic(nn.Module):
    """Each seat's share of what the partie will come to, told everything; who chooses comes first."""

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

    def forward(self, told: Told) -> Any:
        first = self.layers[0]
        marks = torch.where(told.marks == self.inputs, first.in_features, told.marks)
        marks = torch.cat((marks, told.hidden + self.inputs), 1)
        beside_the_last = self.layers[1:](entered(first, marks, told.numbers, self.inputs))
        return torch.softmax(functional.pad(2 * beside_the_last, (0, 1)), 1)


def told_of(steps: Steps, rows: Any) -> Told:
    """Choices as torch takes them."""
    parts = steps.marks[rows].astype(np.int64), steps.numbers[rows], steps.hidden[rows].astype(np.int64)
    return Told(*map(torch.from_numpy, parts))


class Training:
    """A network, its critic, and how far they have come."""

    def __init__(
        self,
        rules: Rules,
        network: Network,
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
        self.lessons, self.spent, self.choices = 0, 0.0, 0
        self.against, self.rivals = against, 1.0 if against else rivals
        self.stage = stage_for(rules, own(read(against, rules.seats)) if against else None)
        self.room = room_for(rules, CHOICES)

    def parts(self) -> dict[str, Any]:
        """Everything that has a state."""
        return {name: getattr(self, name) for name in ("network", "critic", "optimizer", "critic_optimizer")}

    def begin(self, *, fitted: bool) -> None:
        """Go on from the folder's last state, or from the network, which may have been fitted."""
        path = self.folder / "state.pt"
        if path.exists():
            state = torch.load(path)
            for name, part in self.parts().items():
                part.load_state_dict(state[name])
            self.lessons, self.spent, self.choices = state["lessons"], state["spent"], state["choices"]
        elif fitted:
            scale(self.network, SHARPNESS)

    def keep(self) -> None:
        """Write the state, and the weights as they are shipped."""
        state = {name: part.state_dict() for name, part in self.parts().items()}
        state |= {"lessons": self.lessons, "spent": self.spent, "choices": self.choices}
        path = self.folder / "state.pt"
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)
        shipped = deepcopy(self.network)
        scale(shipped, 1 / SHARPNESS)
        save(shipped, self.folder / f"{self.rules.preset}.npz")

    def lesson(self) -> dict[str, float]:
        """Play, see what turned out better or worse than expected, and learn it."""
        left = max(0.0, 1 - self.spent / self.minutes)
        for optimizer, speed in ((self.optimizer, 3e-4), (self.critic_optimizer, 1e-3)):
            for group in optimizer.param_groups:
                group["lr"] = speed * max(0.03, left)
        network = network_of(weights_of(self.network))
        seed = self.seed * 1_000_003 + self.lessons
        steps = rolled_out(self.rules, network, self.stage, self.rivals, seed, self.room)
        many = len(steps.act)
        gained, aims = np.zeros(many, np.float32), np.zeros_like(steps.won)
        values = self.expected(steps)
        advantages(steps, values, TRUST, gained, aims)
        figures = {"surprise": float(((aims - values) ** 2).mean()), "explained": explained(steps, values)}
        gained = (gained - gained.mean()) / (gained.std() + 1e-6)
        rng = np.random.default_rng(seed)
        entropy = 0.004 + 0.006 * left
        weights = heard(steps, rng)
        order = rng.permutation(np.flatnonzero(weights))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            rows = np.sort(order[at : at + BATCH])
            figures |= self.learn(steps, rows, gained[rows], aims[rows], weights[rows], entropy)
        self.lessons += 1
        self.choices += many
        return figures

    def expected(self, steps: Steps) -> Any:
        """What the critic expects of every choice."""
        values = np.zeros_like(steps.won)
        with torch.no_grad():
            for at in range(0, len(values), 8192):
                rows = slice(at, at + 8192)
                values[rows] = quickly(self.critic, told_of(steps, rows)).numpy()
        return values

    def learn(
        self, steps: Steps, rows: Any, gained: Any, aims: Any, weights: Any, entropy: float
    ) -> dict[str, float]:
        """A step of each optimizer."""
        x, each = told_of(steps, rows), torch.from_numpy(weights / weights.sum())
        error = (((quickly(self.critic, x) - torch.from_numpy(aims)) ** 2).mean(1) * each).sum()
        self.critic_optimizer.zero_grad()
        error.backward()
        self.critic_optimizer.step()
        if self.lessons < CRITIC_ALONE:
            return {}
        told = quickly(self.network, x.marks, x.numbers)
        is_open = torch.from_numpy(steps.is_open[rows]).bool()
        chances = torch.log_softmax(told[:, :WORTH].masked_fill(~is_open, -1e9), 1)
        shares = chances.exp()
        act = torch.from_numpy(steps.act[rows])
        done = chances.gather(1, act[:, None])[:, 0]
        ratio = (done - torch.from_numpy(steps.chance[rows])).exp()
        gain = torch.from_numpy(gained)
        bettered = (torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain) * each).sum()
        spread = -((shares * chances.masked_fill(~is_open, 0.0)).sum(1) * each).sum()
        expected = told[:, WORTH] + (shares.detach() * told[:, :WORTH].detach()).sum(1) / SHARPNESS
        level = ((expected - torch.from_numpy(steps.won[rows, 0])) ** 2 * each).sum()
        self.optimizer.zero_grad()
        (0.25 * level - bettered - entropy * spread).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimizer.step()
        return {"entropy": spread.item(), "level": level.item()}

    def run(self) -> None:
        """Learn until the time is over; a line of the curve, and a save, every dozen lessons."""
        while self.spent < self.minutes:
            began = time.process_time()
            figures = self.lesson()
            self.spent += (time.process_time() - began) / 60
            if self.lessons % 12 == 0 or self.spent >= self.minutes or self.lessons == CRITIC_ALONE:
                self.keep()
                network = network_of(weights_of(self.network))
                figures["rate"] = rate(self.rules, network, self.stage, PARTIES, self.lessons)
                if not self.against:
                    figures["greedy"] = rate(self.rules, network, self.stage, PARTIES, self.lessons, which=1)
                figures |= {"minutes": self.spent, "lessons": self.lessons, "choices": self.choices}
                with (self.folder / "curve.jsonl").open("a") as curve:
                    curve.write(json.dumps(figures) + "\n")
                sys.stdout.write(" ".join(f"{name} {value:.4g}" for name, value in figures.items()) + "\n")
                sys.stdout.flush()


def scale(network: Network, by: float) -> None:
    """Have it tell of acts so many times as much: of a share of a win, the logarithm of how likely it is; or back."""
    with torch.no_grad():
        network.out.weight[:WORTH] *= by
        network.out.bias[:WORTH] *= by


def quickly(network: nn.Module, *told: Any) -> Any:
    """What a network makes of something, its products in half precision, which takes a third of the time."""
    with torch.autocast("cpu", torch.bfloat16):
        found = network(*told)
    return found.float()


def heard(steps: Steps, rng: np.random.Generator) -> Any:
    """How much each choice counts in a lesson; 0 if it is passed over."""
    sure = steps.chance > np.log(SURE)
    return np.where(sure, (rng.random(len(sure)) < HEARD) / HEARD, 1.0).astype(np.float32)


def explained(steps: Steps, values: Any) -> float:
    """How much of how parties ended the critic foresaw."""
    return float(1 - ((steps.won - values) ** 2).mean() / steps.won.var())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--start", type=Path)
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
    network = started(args.rules.seats, args.start, args.units)
    training = Training(args.rules, network, args.folder, args.minutes, args.seed, args.against, args.rivals)
    training.begin(fitted=args.start is not None)
    training.run()


if __name__ == "__main__":
    main()
