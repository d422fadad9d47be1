"""Random parties in plain Python, and import times of the rules."""

from __future__ import annotations

import json
from random import Random
from statistics import median
from time import process_time

from chouine.cli import bench
from chouine.partie import Deal, State
from chouine.partie.deal import drawing_order, four_hands, turnup_number
from chouine.rules import PRESETS, Rules, rule_table_of
from chouine.rules.play import legal, start, step

PARTIES = 1_000
STATES = 300
PROCESSES = 15


def playouts(preset: str) -> float:
    """Parties a second through the kernel functions, with random legal actions."""
    rules, rng = Rules.of_preset(preset), Random(1)
    rule_table = rule_table_of(rules)
    deals = [Deal.random(rules, 0, rng) for _ in range(PARTIES)]
    begun = process_time()
    for deal in deals:
        talon = drawing_order(deal.talon)
        p = start(rule_table, four_hands(deal.hands), turnup_number(deal.turnup), deal.dealer)
        while p.turn >= 0:
            p = step(rule_table, talon, p, bench.one_of(legal(rule_table, p), rng))
    return PARTIES / (process_time() - begun)


def states(preset: str) -> float:
    """Parties a second through `State.play`, with validation, events and sorted lists of legal actions."""
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
    return 1e3 * median(bench.import_time(module) for _ in range(PROCESSES))


def measure() -> dict[str, float]:
    """All figures of this module, by name."""
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
