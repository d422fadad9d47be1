"""Play the book's parties in parts, each kept in a file, so that whoever is interrupted goes on where they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from chouine.book.kernel import play
from chouine.book.tallies import Tallies, added, tallies_of

PART = 50_000
"""Parties in a part."""
TRIALS_IN = 4
"""One pair of parties in so many is tried again with something changed."""


def part_file(folder: Path, player: str, seed: int, nth: int) -> Path:
    """Where a part is kept."""
    return folder / f"{player.replace(':', '-')}-{seed}-{nth:05}.npz"


def play_part(folder: Path, player: str, seed: int, nth: int) -> None:
    """Play one part and keep its tallies, all or nothing."""
    path = part_file(folder, player, seed, nth)
    fresh = path.with_suffix(".partial")
    with fresh.open("wb") as file:
        np.savez_compressed(file, **tallies_of(*play(player, PART, seed * 1_000_000 + nth, TRIALS_IN)))
    fresh.replace(path)


def wanting(folder: Path, player: str, seed: int, parties: int) -> Iterator[int]:
    """The parts that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for nth in range(-(-parties // PART)):
        if not part_file(folder, player, seed, nth).exists():
            yield nth


def gathered(folder: Path, player: str, seed: int) -> tuple[int, Tallies]:
    """How many parties there are of a player and seed, and their tallies; 0 and nothing if none."""
    parts = []
    for path in sorted(folder.glob(f"{player.replace(':', '-')}-{seed}-*.npz")):
        with np.load(path) as kept:
            parts.append({name: kept[name] for name in kept.files})
    return (PART * len(parts), added(parts)) if parts else (0, {})
