"""Fit a network to what a Monte Carlo player thought of the acts it had: needs torch (extra `train`).

python -m chouine.ai.training.fit classic FOLDER… weights.npz --minutes 15
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from chouine.ai.features import OUTPUTS, WORTH, layout
from chouine.ai.training.shown import Shown
from chouine.rules.options import Rules

BATCH, RATE = 1024, 1.2e-3
UNITS = {2: 256, 3: 192, 4: 192}
"""In each of two layers, by seats."""


class Network(nn.Module):
    """Marks and numbers in, what each act is worth above or below the position out; two layers of so many units."""

    def __init__(self, seats: int, units: int) -> None:
        super().__init__()
        self.inputs, self.units = layout(seats).inputs, units
        self.first = nn.Linear(self.inputs, units)
        self.second = nn.Linear(units, units)
        self.out = nn.Linear(units, OUTPUTS)

    def forward(self, marks: Any, numbers: Any) -> Any:
        first = entered(self.first, marks, numbers, self.inputs)
        return self.out(torch.relu(self.second(torch.relu(first))))


def entered(layer: nn.Linear, marks: Any, numbers: Any, inputs: int) -> Any:
    """What a layer makes of marks and numbers, the last of so many inputs; what is marked beyond its own is nothing."""
    rows = torch.zeros(len(marks), layer.in_features + 1)
    rows.scatter_(1, marks, 1.0)
    rows[:, inputs - numbers.shape[1] : inputs] = numbers
    return layer(rows[:, :-1])


def started(seats: int, start: Path | None, units: int) -> Network:
    """The network that was kept there, made as wide as is asked or left as wide as it is; or one that knows nothing.

    Units that are added count nothing at first, and see what is random, so that each can become something else. Another
    number of inputs, or fewer units than were kept, do not fit.
    """
    if start is None:
        return Network(seats, units or UNITS[seats])
    kept = torch.load(start)
    had = len(kept["first.bias"])
    network = Network(seats, units or had)
    with torch.no_grad():
        network.first.weight[:had] = kept["first.weight"]
        network.first.bias[:had] = kept["first.bias"]
        network.second.weight[:had] = functional.pad(kept["second.weight"], (0, network.units - had))
        network.second.bias[:had] = kept["second.bias"]
        network.out.weight[:] = functional.pad(kept["out.weight"], (0, network.units - had))
        network.out.bias[:] = kept["out.bias"]
    return network


def loss_of(told: Any, target: Any, open_acts: Any) -> tuple[Any, Any]:
    """How far what is told of each act is from what was found: altogether, and beside the position's other acts."""
    worth, acts = told[:, WORTH:], told[:, :WORTH]
    many = open_acts.sum(1, keepdim=True)
    centre = (acts * open_acts).sum(1, keepdim=True) / many
    found = (target * open_acts).sum(1, keepdim=True) / many
    beside = (((acts - centre - target + found) ** 2) * open_acts).sum(1) / many[:, 0]
    level = (worth[:, 0] + centre[:, 0] - found[:, 0]) ** 2
    return beside.mean(), level.mean()


def batch(data: Shown, rows: Any) -> tuple[Any, Any, Any, Any]:
    """Marks, numbers, what acts were worth, and which were open, of some decisions."""
    parts = data.marks[rows].astype(np.int64), data.numbers[rows], data.target[rows]
    marks, numbers, target = map(torch.from_numpy, parts)
    return marks, numbers, target, torch.from_numpy(data.is_open[rows].astype(np.float32))


def held_out(network: Network, data: Shown, rows: Any) -> tuple[float, float, float]:
    """Losses on decisions not learned from, and how much is lost by doing what the network values most."""
    with torch.no_grad():
        marks, numbers, target, open_acts = batch(data, rows)
        told = network(marks, numbers)
        beside, level = loss_of(told, target, open_acts)
        closed = 1e3 * (1 - open_acts)
        best = (told[:, :WORTH] - closed).argmax(1, keepdim=True)
        regret = (target - closed).max(1).values - target.gather(1, best)[:, 0]
    return float(beside), float(level), float(regret.mean())


def fit(network: Network, data: Shown, minutes: float, seed: int, save: Callable[[], None]) -> None:
    """Learn until the time is over, ever more slowly; a line of the curve and a save each time through."""
    many = len(data.marks)
    kept = many - many // 20
    rng, began = np.random.default_rng(seed), time.monotonic()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    spent = 0.0
    while spent < 1:
        order = rng.permutation(kept)
        for at in range(0, max(1, kept - BATCH), BATCH):
            spent = (time.monotonic() - began) / 60 / minutes
            for group in optimizer.param_groups:
                group["lr"] = RATE * max(0.01, 1 - spent)
            marks, numbers, target, open_acts = batch(data, order[at : at + BATCH])
            beside, level = loss_of(network(marks, numbers), target, open_acts)
            optimizer.zero_grad()
            (4 * beside + level).backward()
            optimizer.step()
        save()
        sys.stdout.write(
            "{:.0f} s: beside {:.5f}, level {:.5f}, regret {:.4f}\n".format(
                time.monotonic() - began, *held_out(network, data, np.arange(kept, many))
            )
        )
        sys.stdout.flush()


def main() -> None:
    """Read the harvest, learn, and write weights as they are shipped, and as they can be gone on from (`.pt`)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument("harvest", type=Path, nargs="+")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path)
    parser.add_argument(
        "--units", type=int, default=0, help="of each layer; more than it starts from has are added"
    )
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    parts = [Shown(**np.load(path)) for folder in args.harvest for path in sorted(folder.glob("*.npz"))]
    data = Shown(*map(np.concatenate, zip(*parts, strict=True)))
    sys.stdout.write(f"{len(data.marks)} decisions\n")
    network = started(args.rules.seats, args.start, args.units)
    fit(network, data, args.minutes, args.seed, lambda: save(network, args.weights))


def save(network: Network, path: Path) -> None:
    """In halves."""
    torch.save(network.state_dict(), path.with_suffix(".pt"))
    np.savez(path, **{name: part.astype(np.float16) for name, part in weights_of(network).items()})


def weights_of(network: Network) -> dict[str, Any]:
    """The weights by input, as `ai.network` has them."""
    return {
        name.replace(".", "_"): (value.T if value.ndim == 2 else value).contiguous().numpy().copy()
        for name, value in network.state_dict().items()
    }


if __name__ == "__main__":
    main()
