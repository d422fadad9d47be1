"""Calibration of win probabilities: `python -m benchmarks.calibration [parties] [worlds a decision] [first seed]`.

In self-play of the full player, its estimate of every fourth act, unless it knows every card, is compared with the
result; a nulle counts half. Errors are computed over parties, since decisions of one partie are correlated.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai.racing import Limit, exact_values
from chouine.ai.strongest import StrongestPlayer
from chouine.arena.partie import play_partie
from chouine.partie import Action, Deal, View
from chouine.rules import Rules

BINS = 10
APART = 4
"""Number of decisions from one recorded estimate to the next."""
RULES = Rules()


class Telling:
    """The full player; records its estimates of its own acts."""

    def __init__(self, seed: int, many: int) -> None:
        self.player, self.max_worlds, self.outputs = StrongestPlayer(RULES, seed), many, list[float]()
        self.decisions = seed

    def act(self, view: View) -> Action | None:
        self.decisions += len(view.legal) > 1
        if len(view.legal) < 2 or self.decisions % APART:
            return self.player.act(view)
        first = self.player.evaluate(view, Limit(worlds=self.max_worlds))[0]
        if exact_values(view) is None:
            self.outputs.append(first.win)
        return first.action


def told_and_won(parties: int, many: int, first: int) -> Iterator[tuple[int, float, float]]:
    """For each decision: the partie, the estimated win probability, and the outcome."""
    for nth in range(first, first + parties):
        players = [Telling(2 * nth + seat, many) for seat in range(2)]
        state = play_partie(RULES, Deal.random(RULES, nth % 2, Random(nth)), players).state
        if state.result is None:
            raise RuntimeError(f"partie {nth} has no end")
        for seat, player in enumerate(players):
            winner = state.result.winner
            won = 0.5 if winner is None else float(winner == seat)
            yield from ((nth, told, won) for told in player.outputs)


def main() -> None:
    parties, many, first = read_arguments(__doc__, parties=1_000, worlds=256, first_seed=0)
    rows = np.array(list(told_and_won(parties, many, first)))
    partie, told, won = rows.T
    place = np.minimum((told * BINS).astype(int), BINS - 1)
    print(f"{parties:,} parties, {len(rows):,} decisions, {many:,} worlds a decision\n")
    print("| told | decisions | told, mean | won | standard error |\n| --- | ---: | ---: | ---: | ---: |")
    gaps, errors = list[float](), list[float]()
    for nth in sorted(set(place)):
        here = place == nth
        beside = np.bincount(partie[here].astype(int), (won - told)[here])
        error = np.sqrt((beside**2).sum()) / here.sum()
        gaps.append(abs((won - told)[here].mean()) * here.mean())
        errors.append(error * here.mean())
        print(f"| {nth / BINS:.1f}-{(nth + 1) / BINS:.1f} | {here.sum():,} | {told[here].mean():.3f} "
              f"| {won[here].mean():.3f} | {error:.3f} |")  # fmt: skip
    by_chance = np.sqrt(2 / np.pi) * sum(errors)  # the expectation for perfect calibration
    print(f"\nExpected calibration error: {sum(gaps):.3%}; by chance alone {by_chance:.3%}")


if __name__ == "__main__":
    main()
