"""Connects levels 7 and 8 in the browser to their WebAssembly kernels, which a script runs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from chouine.ai.search import use, weights_of
from chouine.players.heuristic import weight_table
from chouine.rules.options import Rules


def lend(kernels: Any) -> None:
    """Have levels 7 and 8 use a script's `kernels` (`static/js/offline/kernels.js`), whose arrays are buffers."""
    taught = set[str]()

    def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
        if preset not in taught:
            kernels.teach(preset, *weights_of(preset), weight_table(Rules.parse(preset)))
            taught.add(preset)
        values: list[float] = kernels.compute(task, preset, words).to_py().tolist()
        return values

    use(compute)
