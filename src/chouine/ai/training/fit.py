"""Fit a network to a Monte Carlo player's estimates (supervised). Needs torch (extra `train`).

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

from chouine.ai.features import OUTPUTS, VALUE_SLOT, layout
from chouine.ai.network import parameters
from chouine.ai.training.selfplay import Decisions
from chouine.files import writing
from chouine.rules.options import Rules

BATCH, LEARNING_RATE = 1024, 1.2e-3
HIDDEN_UNITS = {2: 256, 3: 192, 4: 192}
"""Units in each of two hidden layers, by number of seats."""


class TorchNetwork(nn.Module):
    """Two hidden ReLU layers; outputs act values relative to the position's value."""

    def __init__(self, seats: int, units: int) -> None:
        super().__init__()
        self.inputs, self.units = layout(seats).inputs, units
        self.first = nn.Linear(self.inputs, units)
        self.second = nn.Linear(units, units)
        self.out = nn.Linear(units, OUTPUTS)

    def forward(self, marks: Any, numbers: Any) -> Any:
        first = input_layer(self.first, marks, numbers, self.inputs)
        return self.out(torch.relu(self.second(torch.relu(first))))


def input_layer(layer: nn.Linear, marks: Any, numbers: Any, inputs: int) -> Any:
    """Apply a layer to active inputs and scalars; padding beyond its inputs is ignored."""
    rows = torch.zeros(len(marks), layer.in_features + 1)
    rows.scatter_(1, marks, 1.0)
    rows[:, inputs - numbers.shape[1] : inputs] = numbers
    return layer(rows[:, :-1])


def initial_network(seats: int, start: Path | None, units: int) -> TorchNetwork:
    """A network loaded from `start`, `.npz` as shipped or `.pt`, widened to `units` if larger; or a new one.

    Added units start with outgoing weights of 0 and random incoming weights, so that the function is unchanged. Raises
    `RuntimeError` if the number of inputs differs or the saved network is wider.
    """
    if start is None:
        return TorchNetwork(seats, units or HIDDEN_UNITS[seats])
    if start.suffix == ".npz":
        saved = {name: torch.from_numpy(part) for name, part in parameters(start, seats).items()}
    else:
        saved = torch.load(start)
    saved_units = len(saved["first.bias"])
    network = TorchNetwork(seats, units or saved_units)
    with torch.no_grad():
        network.first.weight[:saved_units] = saved["first.weight"]
        network.first.bias[:saved_units] = saved["first.bias"]
        network.second.weight[:saved_units] = functional.pad(
            saved["second.weight"], (0, network.units - saved_units)
        )
        network.second.bias[:saved_units] = saved["second.bias"]
        network.out.weight[:] = functional.pad(saved["out.weight"], (0, network.units - saved_units))
        network.out.bias[:] = saved["out.bias"]
    return network


def losses(outputs: Any, target: Any, mask: Any) -> tuple[Any, Any]:
    """Mean squared errors: of act values relative to the mean act, and of the position's value."""
    worth, acts = outputs[:, VALUE_SLOT:], outputs[:, :VALUE_SLOT]
    count = mask.sum(1, keepdim=True)
    mean_output = (acts * mask).sum(1, keepdim=True) / count
    mean_target = (target * mask).sum(1, keepdim=True) / count
    relative = (((acts - mean_output - target + mean_target) ** 2) * mask).sum(1) / count[:, 0]
    level = (worth[:, 0] + mean_output[:, 0] - mean_target[:, 0]) ** 2
    return relative.mean(), level.mean()


def batch(data: Decisions, rows: Any) -> tuple[Any, Any, Any, Any]:
    """Marks, scalars, targets and legal mask of some decisions, as tensors."""
    parts = data.marks[rows].astype(np.int64), data.numbers[rows], data.target[rows]
    marks, numbers, target = map(torch.from_numpy, parts)
    return marks, numbers, target, torch.from_numpy(data.is_open[rows].astype(np.float32))


def validation(network: TorchNetwork, data: Decisions, rows: Any) -> tuple[float, float, float]:
    """Losses on held-out decisions, and the mean regret of the network's best act."""
    with torch.no_grad():
        marks, numbers, target, mask = batch(data, rows)
        outputs = network(marks, numbers)
        relative, level = losses(outputs, target, mask)
        penalty = 1e3 * (1 - mask)
        best = (outputs[:, :VALUE_SLOT] - penalty).argmax(1, keepdim=True)
        regret = (target - penalty).max(1).values - target.gather(1, best)[:, 0]
    return float(relative), float(level), float(regret.mean())


def fit(network: TorchNetwork, data: Decisions, minutes: float, seed: int, save: Callable[[], None]) -> None:
    """Train with AdamW until the time is over, decaying the learning rate linearly.

    Save and print a line every epoch.
    """
    count = len(data.marks)
    saved = count - count // 20
    rng, began = np.random.default_rng(seed), time.monotonic()
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=1e-3)
    progress = 0.0
    while progress < 1:
        order = rng.permutation(saved)
        for at in range(0, max(1, saved - BATCH), BATCH):
            progress = (time.monotonic() - began) / 60 / minutes
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE * max(0.01, 1 - progress)
            marks, numbers, target, mask = batch(data, order[at : at + BATCH])
            relative, level = losses(network(marks, numbers), target, mask)
            optimizer.zero_grad()
            (4 * relative + level).backward()
            optimizer.step()
        save()
        sys.stdout.write(
            "{:.0f} s: beside {:.5f}, level {:.5f}, regret {:.4f}\n".format(
                time.monotonic() - began, *validation(network, data, np.arange(saved, count))
            )
        )
        sys.stdout.flush()


def main() -> None:
    """Read decisions, train, and write weights as shipped (`.npz`) and for further training (`.pt`)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument("harvest", type=Path, nargs="+")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a network to go on from: .npz as shipped, or .pt")
    parser.add_argument(
        "--units", type=int, default=0, help="of each layer; more than it starts from has are added"
    )
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    parts = [Decisions(**np.load(path)) for folder in args.harvest for path in sorted(folder.glob("*.npz"))]
    data = Decisions(*map(np.concatenate, zip(*parts, strict=True)))
    sys.stdout.write(f"{len(data.marks)} decisions\n")
    network = initial_network(args.rules.seats, args.start, args.units)
    fit(network, data, args.minutes, args.seed, lambda: save(network, args.weights))


def save(network: TorchNetwork, path: Path) -> None:
    """Save weights in half precision."""
    with writing(path.with_suffix(".pt")) as file:
        torch.save(network.state_dict(), file)
    with writing(path.with_suffix(".npz")) as file:
        np.savez(file, **{name: part.astype(np.float16) for name, part in weights_of(network).items()})


def weights_of(network: TorchNetwork) -> dict[str, Any]:
    """The weights, input-major, as `ai.network` loads them."""
    return {
        name.replace(".", "_"): (value.T if value.ndim == 2 else value).contiguous().numpy().copy()
        for name, value in network.state_dict().items()
    }


if __name__ == "__main__":
    main()
