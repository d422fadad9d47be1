"""Play the book's parties in parts, each stored in a file, so that an interrupted run continues."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chouine.book.estimates import Source, TableFigure, count_disagreements, figures_of, write_csv
from chouine.book.kernel import play
from chouine.book.pages import PICTURES, RANKS, BookVariables, fill_page, picture
from chouine.book.tallies import Tallies, add_tallies, tallies_of
from chouine.files import write_whole, writing

STRONG = "net"
"""The player whose parties the book describes."""
SEEDS = (1, 2)
LEVELS = tuple(f"level:{number}" for number in range(1, 7))
"""Players compared with it, with the first seed only."""
PART = 50_000
"""Parties per part."""
TRIALS_IN = 4
"""One of so many pairs of parties is replayed with changes."""


def part_file(folder: Path, player: str, seed: int, nth: int) -> Path:
    """The file of a part."""
    return folder / f"{player.replace(':', '-')}-{seed}-{nth:05}.npz"


class BookPart(NamedTuple):
    """A part of a player's parties from a seed."""

    player: str
    seed: int
    nth: int

    def __str__(self) -> str:
        return part_file(Path(), *self).stem


def play_part(folder: Path, parties: int, part: BookPart) -> None:
    """Play one part of so many parties and store its tallies atomically."""
    player, seed, nth = part
    path = part_file(folder, *part)
    with writing(path) as file:
        np.savez_compressed(file, **tallies_of(*play(player, parties, seed * 1_000_000 + nth, TRIALS_IN)))


def missing_parts(folder: Path, player: str, seed: int, parties: int) -> Iterator[BookPart]:
    """The parts still to play."""
    folder.mkdir(parents=True, exist_ok=True)
    for nth in range(-(-parties // PART)):
        if not part_file(folder, player, seed, nth).exists():
            yield BookPart(player, seed, nth)


def gather_tallies(folder: Path, player: str, seed: int) -> tuple[int, Tallies]:
    """The number of stored parties of a player and seed, and their summed tallies; 0 and {} if none."""
    parts = []
    for path in sorted(folder.glob(f"{player.replace(':', '-')}-{seed}-*.npz")):
        with np.load(path) as kept:
            parts.append({name: kept[name] for name in kept.files})
    return (PART * len(parts), add_tallies(parts)) if parts else (0, {})


def write_book(parts: Path, folder: Path, commit: str) -> None:
    """Write the CSV files, the plots and both pages from the stored parts."""
    by_source: dict[Source, list[TableFigure]] = {}
    strong: list[tuple[int, Tallies]] = []
    for player, seed in [(STRONG, seed) for seed in SEEDS] + [(level, SEEDS[0]) for level in LEVELS]:
        parties, tallies = gather_tallies(parts, player, seed)
        if parties:
            by_source[Source(player, str(seed), parties, commit)] = figures_of(tallies)
            if player == STRONG:
                strong.append((parties, tallies))
    agreement = count_disagreements(*(by_source[source] for source in by_source if source.player == STRONG))
    both = Source(STRONG, "+".join(map(str, SEEDS)), sum(parties for parties, _ in strong), commit)
    together = figures_of(add_tallies([tallies for _, tallies in strong]))
    write_csv(folder / "data", {**by_source, both: together})
    by_player = {source.player: by_key(figures) for source, figures in by_source.items()}
    for language in RANKS:
        book = BookVariables(
            language, by_key(together), {**by_player, STRONG: by_key(together)}, list(by_source), agreement
        )
        write_whole(folder / f"{language}.md", fill_page(book))
        for name in PICTURES:
            write_whole(folder / f"{name}-{language}.svg", picture(book, name))


def by_key(figures: list[TableFigure]) -> dict[tuple[str, str, str], TableFigure]:
    """Figures by table, what and where."""
    return {each[:3]: each for each in figures}
