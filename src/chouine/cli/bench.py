"""Benchmark this machine: playouts, solved endings, batch steps, start-up time."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from gettext import gettext as _
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from chouine.phrases import N_
from chouine.rules import Rules, rule_table_of
from chouine.rules.play import legal, start, step

REPEATS = 5
SECONDS = 0.3
"""Each figure is the median of `REPEATS` measurements, each at least `SECONDS` long."""
IMPORT = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
MEANINGS = {
    "plain_parties_s": N_("parties a second in plain Python, random legal actions"),
    "compiled_parties_s": N_("the same compiled, one partie at a time"),
    "compiled_eager_parties_s": N_("the same compiled, exchanging and declaring whenever possible"),
    "solves_s": N_("last five tricks solved a second, by card points"),
    "outcome_solves_s": N_("the same, only who wins"),
    "declaring_solves_s": N_("last five tricks solved a second, with declarations"),
    "batch_steps_s": N_("actions a second in a batch of 4,096 parties, drawn and checked"),
    "vector_steps_s": N_(
        "environment steps a second, 100,000 parties, two threads, by wall clock, arrays reused"
    ),
    "ismcts_sims_s": N_("tree search simulations a second, at a first decision"),
    "import_s": N_("seconds to import chouine"),
    "fast_import_s": N_("seconds to import chouine.fast"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Measure how fast this machine plays: parties played out, endings solved, steps in batches, start-up."
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object of names and figures"))


def run(args: argparse.Namespace) -> int:
    figures = {name: round_figure(median(measured)) for name, measured in measurements().items()}
    if args.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{figure:>14,}  {_(MEANINGS[name])}")
    return 0


def round_figure(figure: float) -> float:
    return round(figure) if figure >= 100 else round(figure, 4)


def measurements() -> dict[str, list[float]]:
    """All figures, each measured several times in rotation, so that a busy moment affects all alike."""
    meters = plain_meters() | fast_meters()
    measured: dict[str, list[float]] = {name: [] for name in meters}
    for _turn in range(REPEATS):
        for name, meter in meters.items():
            measured[name].append(meter())
    return measured


def plain_meters() -> dict[str, Callable[[], float]]:
    return {
        "plain_parties_s": lambda: rate(plain_parties, 200),
        "import_s": lambda: import_time("chouine"),
        "fast_import_s": lambda: import_time("chouine.fast"),
    }


def fast_meters() -> dict[str, Callable[[], float]]:
    """Measurements that need numba and NumPy; none without them."""
    from chouine.fast import AVAILABLE

    if not AVAILABLE:
        return {}
    from chouine.fast import playouts
    from chouine.fast.warm import parts_for

    rules = Rules()
    for part in parts_for(rules):
        part()
    playouts(rules, 1, seed=0, policy="eager")
    margin, outcome, declaring = ending_solvers()
    return {
        "compiled_parties_s": lambda: rate(lambda n: playouts(rules, n, seed=1), 100_000),
        "compiled_eager_parties_s": lambda: rate(lambda n: playouts(rules, n, 1, "eager"), 100_000),
        "solves_s": lambda: rate(margin, 50_000),
        "outcome_solves_s": lambda: rate(outcome, 100_000),
        "declaring_solves_s": lambda: rate(declaring, 20_000),
        "batch_steps_s": batch_steps,
        "ismcts_sims_s": decision_timer(),
    } | environment_meters()


def rate(work: Callable[[int], object], many: int, clock: Callable[[], float] = process_time) -> float:
    """Repetitions per second of `work`, repeated for at least `SECONDS`."""
    began, done = clock(), 0
    while clock() - began < SECONDS:
        work(many)
        done += many
    return done / (clock() - began)


def plain_parties(many: int) -> None:
    """Play random parties with the rules' plain functions."""
    rule_table, rng, pack = rule_table_of(Rules()), Random(1), list(range(32))
    for _turn in range(many):
        rng.shuffle(pack)
        hands = (sum(1 << card for card in pack[:5]), sum(1 << card for card in pack[5:10]), 0, 0)
        talon = pack[10:31]
        p = start(rule_table, hands, pack[31], 1)
        while p.turn >= 0:
            p = step(rule_table, talon, p, one_of(legal(rule_table, p), rng))


def one_of(actions: int, rng: Random) -> int:
    for _turn in range(int(rng.random() * actions.bit_count())):
        actions &= actions - 1
    return (actions & -actions).bit_length() - 1


def ending_solvers() -> tuple[Callable[[int], object], Callable[[int], object], Callable[[int], object]]:
    """Functions that solve this many random endings: card margins, card outcomes, outcomes with declarations."""
    import numpy as np

    from chouine.fast.batch import PartieBatch
    from chouine.fast.double_dummy import card_margins, open_margins, table_offset

    rule_table, rng = rule_table_of(Rules()), np.random.default_rng(1)
    packs = np.argsort(rng.random((100_000, 32)), axis=1)
    hands = [ints((1 << packs[:, cards : cards + 5]).sum(axis=1)) for cards in (0, 5)]
    tables = ints(np.array([table_offset(rule_table, trump) for trump in (packs[:, 31] >> 3).tolist()]))
    solved = ints(np.zeros(100_000, np.int64))
    endings = PartieBatch.random(Rules(), 20_000, seed=1)
    endings["tricks"][:] = rule_table.drawing
    endings["turnup"][:] = -1
    margins = ints(np.zeros(20_000, np.int64))
    empty, nodes = ints(np.zeros(0, np.int64)), ints(np.array([1 << 62]))

    def cards(many: int, bound: int) -> None:
        some = slice(0, many)
        card_margins(tables[some], hands[0][some], hands[1][some], -bound, bound, solved[some])

    return (
        lambda many: cards(many, 1000),
        lambda many: cards(many, 1),
        lambda _: open_margins(rule_table, empty, endings.cells, margins, nodes),
    )


def ints(numbers: Any) -> memoryview:
    """An array as a memoryview, as kernels take it."""
    return memoryview(numbers)


def batch_steps(many: int = 4096) -> float:
    """Actions per second in a batch of parties, played to the end with random legal actions."""
    from chouine.fast import PartieBatch

    parties = PartieBatch.random(Rules(), many, seed=1)
    began, done, turn = process_time(), 0, 0
    while parties.active.any():
        actions = parties.sample(turn)
        parties.step(actions)
        done += int((actions >= 0).sum())
        turn += 1
    return done / (process_time() - began)


def environment_meters() -> dict[str, Callable[[], float]]:
    """Measurements of the vector environment; none without Gymnasium."""
    from chouine.envs import MissingPackage

    try:
        return {"vector_steps_s": vector_meter(100_000, threads=2, copy=False, clock=perf_counter)}
    except MissingPackage:
        return {}


def vector_meter(
    many: int, threads: int = 1, *, copy: bool = True, clock: Callable[[], float] = process_time
) -> Callable[[], float]:
    """Environment steps per second: the learner's action, the others' after it, the observation, and resets."""
    import numpy as np

    from chouine.envs.vector import ChouineVectorEnv

    environment, rng = ChouineVectorEnv(many, threads=threads, copy=copy), np.random.default_rng(1)
    masks = environment.reset(seed=1)[0]["action_mask"]

    def draw() -> Any:
        chances = 1 - rng.random(masks.shape, np.float32)  # never 0
        return (chances * masks).argmax(axis=1)

    def step(actions: Any) -> None:
        nonlocal masks
        masks = environment.step(actions)[0]["action_mask"]

    return lambda: steps_a_second(draw, step, many, clock)


def steps_a_second(
    draw: Callable[[], Any], step: Callable[[Any], None], many: int, clock: Callable[[], float]
) -> float:
    """Steps per second in a batch; drawing the actions is not counted."""
    spent, done = 0.0, 0
    while spent < SECONDS:
        actions = draw()
        began = clock()
        step(actions)
        spent += clock() - began
        done += many
    return done / spent


def decision_timer() -> Callable[[], float]:
    from chouine.ai.ismcts import run_search
    from chouine.cli.warm import first_decision

    view = first_decision(Rules())
    run_search(view, simulations=1, seed=1)
    return lambda: rate(lambda many: run_search(view, many, seed=1), 5_000)


def import_time(module: str) -> float:
    output = subprocess.check_output([sys.executable, "-c", IMPORT.format(module)], encoding="utf-8")  # noqa: S603
    return float(output)
