"""What the mistakes of each level cost by the review, the scale of the measure of play: `python -m benchmarks.play`.

`python -m benchmarks.play [parties] [minutes]` lets each level play itself by the classic rules, judges every decision
as the review of a server does, and writes mean and standard error of the cost of a seat's mistakes in a partie to
`src/chouine/school/review/levels.json`. It goes on where it stopped: `benchmarks/play.jsonl` has a line a partie.
Parties are reproducible by level and number. Level 8 is nearly the player that judges, so its own mistakes cost next to
nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean, stdev
from time import monotonic

from benchmarks.arguments import read_arguments
from chouine.ai.levels import LEVELS, level
from chouine.arena.partie import play_partie
from chouine.partie import Deal
from chouine.rules.options import Rules
from chouine.school.review import all_decisions, judge

COSTS = Path(__file__).with_name("play.jsonl")
SCALE = Path(__file__).parents[1] / "src" / "chouine" / "school" / "review" / "levels.json"
RULES = Rules()


def costs_of(number: int, nth: int) -> tuple[int, int, list[float]]:
    """The cost of each seat's mistakes in a partie of a level with itself."""
    players = [level(number, RULES, 2 * nth + seat) for seat in range(2)]
    finished = play_partie(RULES, Deal.random(RULES, nth % 2, Random(f"play {nth}")), players).state
    costs = [0.0, 0.0]
    for decision in all_decisions(finished):
        found = judge(decision)
        costs[found.seat] += found.cost
    return number, nth, costs


def costs_so_far() -> dict[tuple[int, int], list[float]]:
    """The costs measured so far, by level and number of the partie."""
    lines = COSTS.read_text().splitlines() if COSTS.exists() else []
    return {(row["level"], row["partie"]): row["costs"] for row in map(json.loads, lines)}


def parties_to_measure(parties: int) -> Iterator[tuple[int, int]]:
    """What is left to measure: level and number, all levels in turn."""
    done = costs_so_far()
    yield from ((number, nth) for nth in range(parties) for number in LEVELS if (number, nth) not in done)


def write_scale() -> None:
    """Write mean and standard error for each level, and print them."""
    of_level = defaultdict(list)
    for (number, _), costs in costs_so_far().items():
        of_level[number].append(mean(costs))
    scale = {
        str(number): {
            "cost": round(mean(costs), 4),
            "error": round(stdev(costs) / len(costs) ** 0.5, 4),
            "parties": len(costs),
        }
        for number, costs in sorted(of_level.items())
    }
    SCALE.write_text(json.dumps(scale, indent=1) + "\n")
    print("| level | cost of a seat's mistakes in a partie | parties |\n| --- | ---: | ---: |")
    for named, row in scale.items():
        print(f"| {named} | {row['cost']:.3f} ± {row['error']:.3f} | {row['parties']} |")


def main() -> None:
    parties, minutes = read_arguments(__doc__, parties=40, minutes=600)
    end = monotonic() + 60 * minutes
    with ProcessPoolExecutor(2, get_context("spawn")) as pool, COSTS.open("a") as file:
        begun = [pool.submit(costs_of, *each) for each in parties_to_measure(parties)]
        for future in as_completed(begun):
            number, nth, costs = future.result()
            file.write(json.dumps({"level": number, "partie": nth, "costs": costs}) + "\n")
            file.flush()
            if monotonic() > end:
                pool.shutdown(cancel_futures=True)
                break
    write_scale()


if __name__ == "__main__":
    main()
