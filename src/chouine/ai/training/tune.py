"""Tune the heuristic's weights by evolution strategies (antithetic sampling): weight tables play each other.

python -m chouine.ai.training.tune classic weights.json --minutes 10

Each step perturbs the current weights in opposite directions, lets the two play, and moves towards the better ones.
Periodically the result plays the best so far on fresh deals, and replaces it if it wins.
"""

from __future__ import annotations

import argparse
import json
import sys
from array import array
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from chouine.ai.playout import endgame_value, is_solvable, outcome, play_heuristic_turn
from chouine.fast.bits import as_int64, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE
from chouine.fast.playout import dealt_hands, dealt_turnup, shuffle
from chouine.fast.soa_layout import compiled_position
from chouine.players.evaluation import WEIGHTS, expand_weights
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import start

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

PAIRS_PER_STEP = 24
"""Perturbation pairs per step."""
DEALS_PER_MATCH, DEALS_TO_ACCEPT = 5_000, 30_000
"""Deals that two tables play, each from every seat."""
PERTURBATION, STEP_SIZE, MOMENTUM = 0.35, 0.25, 0.7
"""Standard deviation of perturbations and the step size, in units of a weight; and momentum."""
STEPS_PER_TRIAL = 6
"""Steps between trials against the best so far."""


@compiled
def play_match(book: Book, pack: Any, deals: int, stream: int, one: Any, others: Any, nodes: Any) -> float:
    """The share of parties won by one weight table against others that all use another, from every seat."""
    won, talon = 0.0, pack[book.seats * book.hand :]
    for _ in range(deals):
        stream = shuffle(pack, stream)
        hands, turnup = dealt_hands(book, pack), dealt_turnup(book, pack)
        for seat in range(book.seats):
            p, gone = compiled_position(start(book, hands, turnup, 0)), 0
            while p.turn >= 0 and not is_solvable(book, p):
                p, gone = play_heuristic_turn(book, talon, p, gone, one if p.turn == seat else others)
            won += endgame_value(book, p, seat, nodes) if p.turn >= 0 else outcome(book, p, seat)
    return won / deals / book.seats


def win_share(book: Book, one: Any, others: Any, deals: int, seed: int) -> float:
    """`play_match` on lists of weights: the share of parties that `one` wins; 1 / seats between equals."""
    first, second = (memoryview(array("d", expand_weights(list(weights), book))) for weights in (one, others))
    pack, nodes = np.arange(32, dtype=np.int64), memoryview(array("q", [0]))
    return float(play_match(book, pack, deals, as_int64(splitmix64(seed)), first, second, nodes))


def gradient(book: Book, weights: Any, scales: Any, rng: Any, seed: int) -> Any:
    """Estimated gradient of the win share, in units of a weight."""
    estimate = np.zeros(len(weights))
    for nth in range(PAIRS_PER_STEP):
        noise = rng.normal(size=len(weights)) * (scales > 0)
        share = win_share(
            book,
            weights + PERTURBATION * noise * scales,
            weights - PERTURBATION * noise * scales,
            DEALS_PER_MATCH,
            seed + nth,
        )
        estimate += (share - 1 / book.seats) * noise / PAIRS_PER_STEP
    return estimate


def tune(rules: Rules, weights: Any, minutes: float, seed: int) -> Any:
    """The best weights found in the time, starting from these."""
    book, rng, until = book_of(rules), np.random.default_rng(seed), monotonic() + 60 * minutes
    scales = np.where(weights == 0, 0.0, np.maximum(0.1, 0.3 * np.abs(weights)))
    best, momentum, steps = weights.copy(), np.zeros(len(weights)), 0
    while monotonic() < until:
        momentum = MOMENTUM * momentum + (1 - MOMENTUM) * gradient(
            book, weights, scales, rng, seed + 100 * steps
        )
        weights = weights + STEP_SIZE * scales * momentum / (np.abs(momentum).max() + 1e-9)
        steps += 1
        if steps % STEPS_PER_TRIAL == 0:
            share = win_share(book, weights, best, DEALS_TO_ACCEPT, seed + 100 * steps - 1)
            sys.stdout.write(f"step {steps}: {share:.4f} against the best so far\n")
            sys.stdout.flush()
            if share > 1 / book.seats + 0.001:
                best = weights.copy()
    return best


def main() -> None:
    """Tune one preset's weights and write them next to those of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument(
        "weights", type=Path, help="written; read first where it exists, else those shipped are"
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tables = json.loads((args.weights if args.weights.exists() else WEIGHTS).read_text())
    start_from = np.array(tables[args.rules.preset], float)
    tables[args.rules.preset] = [
        round(w, 4) for w in tune(args.rules, start_from, args.minutes, args.seed).tolist()
    ]
    lines = ",\n".join(f"  {json.dumps(preset)}: {json.dumps(weights)}" for preset, weights in tables.items())
    args.weights.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
