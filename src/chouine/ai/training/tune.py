"""How the weights of the rules of thumb are found: by evolution strategies, tables of weights playing each other.

python -m chouine.ai.training.tune classic weights.json --minutes 10

Each step, pairs of tables a little off the present one in opposite ways play each other; the present one goes where
the better of them lay. Now and then it is held against the best so far, in fresh parties, and kept if it wins.
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

from chouine.ai.playout import ending, outcome, solved, turn_by_thumb
from chouine.fast.bits import mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.playout import dealt_hands, dealt_turnup, shuffle
from chouine.fast.seats import seated
from chouine.players.thumb import WEIGHTS, table_of
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import start

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

TRIED = 24
"""Pairs of tables a step."""
DEALS, DEALS_TO_KEEP = 5_000, 30_000
"""Deals that two tables play, each from every seat."""
OFF, STEP, INERTIA = 0.35, 0.25, 0.7
"""How far off tables are tried, in units of a weight; how far a step goes; and how much of the last one it keeps."""
STEPS_BETWEEN = 6
"""Steps from one trial against the best so far to the next."""


@compiled
def thumbs_duel(book: Book, pack: Any, deals: int, stream: int, one: Any, others: Any, nodes: Any) -> float:
    """One's share of the parties, a table of weights against others that all have another, from every seat."""
    won, talon = 0.0, pack[book.seats * book.hand :]
    for _ in range(deals):
        stream = shuffle(pack, stream)
        hands, turnup = dealt_hands(book, pack), dealt_turnup(book, pack)
        for seat in range(book.seats):
            p, gone = seated(start(book, hands, turnup, 0)), 0
            while p.turn >= 0 and not solved(book, p):
                p, gone = turn_by_thumb(book, talon, p, gone, one if p.turn == seat else others)
            won += ending(book, p, seat, nodes) if p.turn >= 0 else outcome(book, p, seat)
    return won / deals / book.seats


def share(book: Book, one: Any, others: Any, deals: int, seed: int) -> float:
    """What one table of weights wins against another; 1 / seats between equals."""
    first, second = (memoryview(array("d", table_of(list(weights), book))) for weights in (one, others))
    pack, nodes = np.arange(32, dtype=np.int64), memoryview(array("q", [0]))
    return float(thumbs_duel(book, pack, deals, signed(mixed(seed)), first, second, nodes))


def step(book: Book, weights: Any, units: Any, rng: Any, seed: int) -> Any:
    """Where better tables lie, in units."""
    slope = np.zeros(len(weights))
    for nth in range(TRIED):
        off = rng.normal(size=len(weights)) * (units > 0)
        ahead = share(book, weights + OFF * off * units, weights - OFF * off * units, DEALS, seed + nth)
        slope += (ahead - 1 / book.seats) * off / TRIED
    return slope


def tune(rules: Rules, weights: Any, minutes: float, seed: int) -> Any:
    """The best weights found in the time, beginning from these."""
    book, rng, until = book_of(rules), np.random.default_rng(seed), monotonic() + 60 * minutes
    units = np.where(weights == 0, 0.0, np.maximum(0.1, 0.3 * np.abs(weights)))
    best, momentum, steps = weights.copy(), np.zeros(len(weights)), 0
    while monotonic() < until:
        momentum = INERTIA * momentum + (1 - INERTIA) * step(book, weights, units, rng, seed + 100 * steps)
        weights = weights + STEP * units * momentum / (np.abs(momentum).max() + 1e-9)
        steps += 1
        if steps % STEPS_BETWEEN == 0:
            found = share(book, weights, best, DEALS_TO_KEEP, seed + 100 * steps - 1)
            sys.stdout.write(f"step {steps}: {found:.4f} against the best so far\n")
            sys.stdout.flush()
            if found > 1 / book.seats + 0.001:
                best = weights.copy()
    return best


def main() -> None:
    """Tune one preset's weights, and write them among those of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument(
        "weights", type=Path, help="written; read first where it exists, else those shipped are"
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    kept = json.loads((args.weights if args.weights.exists() else WEIGHTS).read_text())
    start_from = np.array(kept[args.rules.preset], float)
    kept[args.rules.preset] = [
        round(w, 4) for w in tune(args.rules, start_from, args.minutes, args.seed).tolist()
    ]
    lines = ",\n".join(f"  {json.dumps(preset)}: {json.dumps(weights)}" for preset, weights in kept.items())
    args.weights.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
