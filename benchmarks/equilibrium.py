"""Convergence of the equilibrium solver of the last hidden tricks.

`python -m benchmarks.equilibrium [positions] [seconds]`: positions of heuristic players' parties, with public ranges.
Reports processor time, summed over threads, and elapsed time, which depends on other load.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import mean, median
from time import perf_counter, process_time

from benchmarks.arguments import read_arguments
from chouine.ai.beliefs import RangeTracker
from chouine.ai.equilibrium.last_tricks import solve_last
from chouine.ai.likelihood import UNIFORM
from chouine.arena.partie import asking
from chouine.partie import Deal, State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import Rules

KINDS = {  # tricks taken, and whether a card was led
    "talon 4, to lead": (9, False),
    "talon 4, to answer": (9, True),
    "talon 2, to lead": (10, False),
    "talon 2, to answer": (10, True),
}


def moments(kind: str, player: Player) -> Iterator[View]:
    """Views of the seat on turn in positions of this kind, one from each self-play partie."""
    (tricks, answering), seed = KINDS[kind], 0
    while True:
        state = State.new(Rules(), Deal.random(Rules(), seed % 2, Random(seed)))
        seed += 1
        while state.result is None:
            if state.position.tricks == tricks and bool(state.position.table) is answering:
                yield state.view(state.position.turn)
                break
            seat, act = state.next_act(partial(asking([player, player]), state))
            state = state.play(act, seat)  # type: ignore[arg-type]  # it never passes


def measure(kind: str, positions: int, seconds: float) -> str:
    """A row of the table."""
    passed, processor, exploitable, turns, left_out = [], [], [], [], 0
    for view, nth in zip(moments(kind, HeuristicPlayer()), range(positions + 1), strict=False):
        ranges = RangeTracker(UNIFORM).public_ranges(view)
        began, worked = perf_counter(), process_time()
        answer = solve_last(view, *ranges, seconds)
        if answer is None:
            left_out += 1
        elif nth:  # the first one includes compilation
            passed.append(perf_counter() - began)
            processor.append(process_time() - worked)
            exploitable.append(answer.exploitability)
            turns.append(answer.iterations)
    return (
        f"| {kind} | {len(passed)} | {left_out} | {median(turns):.0f} | {mean(exploitable) * 100:.4f} % | "
        f"{max(exploitable) * 100:.4f} % | {mean(processor):.2f} s | {mean(passed):.2f} s | {max(passed):.2f} s |"
    )


def main() -> None:
    positions, seconds = read_arguments(__doc__, positions=20, seconds=1.0)
    print("| | positions | left out | turns | exploitable | worst | processor | time | longest |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        print(measure(kind, positions, seconds), flush=True)


if __name__ == "__main__":
    main()
