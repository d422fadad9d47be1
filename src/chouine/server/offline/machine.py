"""What the strongest levels compute with in a browser: kernels compiled to WebAssembly, which a script runs."""

from __future__ import annotations

import ast
import struct
import zipfile
from array import array
from collections.abc import Sequence
from typing import Any

from chouine.ai import light
from chouine.players.evaluation import weight_table
from chouine.rules.options import Rules

PARTS = ("first_weight", "first_bias", "second_weight", "second_bias", "out_weight", "out_bias")
"""A network's parts in the order in which kernels are given them."""


def weights_of(preset: str) -> tuple[int, int, array[float]]:
    """A shipped network: how many inputs, how many hidden units, and its parts, one after the other.

    What `ai.network` reads with numpy is read here without: `.npy` files of halves, uncompressed, in an archive.
    """
    numbers, shape = array("f"), (0, 0)
    with zipfile.ZipFile(light.WEIGHTS / f"{preset}.npz") as archive:
        for part in PARTS:
            raw = archive.read(f"{part}.npy")
            body = 10 + int.from_bytes(raw[8:10], "little")
            told = ast.literal_eval(raw[10:body].decode())
            if told["descr"] != "<f2" or told["fortran_order"]:
                raise ValueError(f"{preset}: {part} is not kept as halves in rows")
            shape = shape if numbers else told["shape"]
            numbers.extend(struct.unpack(f"<{(len(raw) - body) // 2}e", raw[body:]))
    return *shape, numbers


def lend(kernels: Any) -> None:
    """Let levels 7 and 8 compute by a script's `kernels`: `static/js/offline/kernels.js`, its arrays as buffers."""
    taught = set[str]()

    def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
        if preset not in taught:
            kernels.teach(preset, *weights_of(preset), weight_table(Rules.parse(preset)))
            taught.add(preset)
        values: list[float] = kernels.compute(task, preset, words).to_py().tolist()
        return values

    light.use(compute)
