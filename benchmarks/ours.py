"""Figures that `chouine bench` does not include: each preset in plain Python, `State`, batch sizes, decisions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import mean, median
from time import process_time

from benchmarks import singly
from chouine.cli import bench
from chouine.envs import spiel  # noqa: F401  # registers the game
from chouine.fast import AVAILABLE
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
    """Figures that are measured once, by name."""
    figures = {f"plain playouts/s, {preset}": playouts(preset) for preset in PRESETS}
    figures |= {f"State parties/s, {preset}": states(preset) for preset in PRESETS}
    figures |= {
        f"import {module}, ms": import_time(module)
        for module in ("chouine", "chouine.rules", "chouine.partie")
    }
    return {name: round(figure, 1) for name, figure in figures.items()}


Meter = Callable[[], float]
BATCHES = (1_000, 10_000, 100_000)
BOTH_CORES = frozenset({"vector_steps_s"})
"""Measured by elapsed time on all cores."""


def meters() -> dict[str, Meter]:
    """All our figures that are measured in each round."""
    ours = (
        bench.plain_meters()
        | bench.fast_meters()
        | {
            "state_parties_s": partial(states, "classic"),
            "pettingzoo_decisions_s": singly.pettingzoo_meter(),
            "spiel_decisions_s": singly.openspiel_meter("chouine"),
        }
    )
    if AVAILABLE:
        ours |= {f"batch_{many}_steps_s": partial(batch_steps, many) for many in BATCHES}
        ours |= {f"vector_{many}_steps_s": bench.vector_meter(many) for many in BATCHES}
    return ours


def batch_steps(many: int) -> float:
    """Actions a second in a batch of `many` parties: the median over batches with 100,000 parties in total."""
    return median(bench.batch_steps(many) for _ in range(100_000 // many))


def decisions() -> dict[str, float]:
    """Mean decisions in a random partie; a declaration and its card are two decisions, in `State` one."""
    deals = [Deal.random(Rules(), 0, Random(seed)) for seed in range(200)]
    atomic = mean(atomic_actions(deal, Random(seed)) for seed, deal in enumerate(deals))
    whole = mean(whole_actions(deal, Random(seed)) for seed, deal in enumerate(deals))
    return {"compiled_parties_s": atomic, "plain_parties_s": atomic, "state_parties_s": whole}


def atomic_actions(deal: Deal, rng: Random) -> int:
    rule_table, talon, done = rule_table_of(Rules()), drawing_order(deal.talon), 0
    p = start(rule_table, four_hands(deal.hands), turnup_number(deal.turnup), deal.dealer)
    while p.turn >= 0:
        p = step(rule_table, talon, p, bench.one_of(legal(rule_table, p), rng))
        done += 1
    return done


def whole_actions(deal: Deal, rng: Random) -> int:
    state, done = State.new(Rules(), deal), 0
    while not state.result:
        state = state.play(rng.choice(state.legal()))
        done += 1
    return done
