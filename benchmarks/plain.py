"""Random parties played in plain Python, and how long the rules take to import."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from statistics import median
from time import process_time

from chouine.partie import Deal, State
from chouine.partie.deal import drawing_order, four_hands, turned
from chouine.rules import PRESETS, Rules, book_of
from chouine.rules.play import legal, start, step

PARTIES = 1_000
STATES = 300
PROCESSES = 15
IMPORT = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def playouts(preset: str) -> float:
    """Parties a second through the kernel functions, each action chosen at random among the legal ones."""
    rules, rng = Rules.of_preset(preset), Random(1)
    book = book_of(rules)
    deals = [Deal.random(rules, 0, rng) for _ in range(PARTIES)]
    begun = process_time()
    for deal in deals:
        talon = drawing_order(deal.talon)
        p = start(book, four_hands(deal.hands), turned(deal.turnup), deal.dealer)
        while p.turn >= 0:
            p = step(book, talon, p, one_of(legal(book, p), rng))
    return PARTIES / (process_time() - begun)


def one_of(actions: int, rng: Random) -> int:
    """An action of a set."""
    for _ in range(int(rng.random() * actions.bit_count())):
        actions &= actions - 1
    return (actions & -actions).bit_length() - 1


def states(preset: str) -> float:
    """Parties a second through `State.play`, everything checked and told, actions listed as text-sorted values."""
    rules, rng = Rules.of_preset(preset), Random(1)
    deals = [Deal.random(rules, 0, rng) for _ in range(STATES)]
    begun = process_time()
    for deal in deals:
        state = State.new(rules, deal)
        while not state.result:
            state = state.play(rng.choice(state.legal()))
    return STATES / (process_time() - begun)


def import_time(module: str) -> float:
    """Milliseconds to import a module in a fresh process: the median of several."""
    command = [sys.executable, "-c", IMPORT.format(module)]
    times = [subprocess.check_output(command, text=True) for _ in range(PROCESSES)]  # noqa: S603
    return 1e3 * median(map(float, times))


def measure() -> dict[str, float]:
    """Everything here, by name."""
    figures = {f"plain playouts/s, {preset}": playouts(preset) for preset in PRESETS}
    figures |= {f"State parties/s, {preset}": states(preset) for preset in PRESETS}
    figures |= {
        f"import {module}, ms": import_time(module)
        for module in ("chouine", "chouine.rules", "chouine.partie")
    }
    return {name: round(figure, 1) for name, figure in figures.items()}


def main() -> None:
    print(json.dumps(measure(), indent=2))


if __name__ == "__main__":
    main()
