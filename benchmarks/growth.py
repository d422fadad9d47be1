"""The full player's gain by number of worlds: `python -m benchmarks.growth [positions] [first seed]`.

Positions of network self-play with hidden cards. Every act is tried in `WORLDS` worlds. The full player's choice by
some of these is valued by the others, relative to the network's own choice. A seat has about nine such decisions in a
partie. While more than `LATE` cards are in the talon, the full player runs rollouts only if given time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random
from typing import Any

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai.equilibrium.last_tricks import solvable
from chouine.ai.macro_actions import legal_acts, own_seat
from chouine.ai.racing import Race
from chouine.ai.search import BATCH, PRIOR, PRIOR_LIMIT, SWINDLES, Search
from chouine.ai.strongest import CANDIDATES, LATE, NetworkPlayer, StrongestPlayer
from chouine.arena.partie import asking
from chouine.partie import Deal, State, View
from chouine.rules import Rules

RULES = Rules()
WORLDS = 8192
STAGES = (8, LATE, 14, 22)
TRIED = (128, 256, 512, 1024, 2048, 4096)


def decisions(first: int) -> Iterator[View]:
    """A random view from each partie, before the last hidden tricks that are solved."""
    ask = asking([NetworkPlayer()] * RULES.seats)
    for seed in count(first):
        state, left = State.new(RULES, Deal.random(RULES, seed % 2, Random(seed))), Random(seed).randrange(20)
        while state.result is None:
            seat, action = state.next_act(partial(ask, state))
            view = state.view(seat)
            chooses = seat == view.position.turn and len(legal_acts(view.rule_table, view.position, seat)) > 1
            if left <= 0 and chooses:
                if not solvable(view):
                    yield view
                break
            left -= 1
            state = state.play(action, seat)  # type: ignore[arg-type]  # the network never passes


def choose_by_racing(values: Any, bonus: Any) -> tuple[int, int]:
    """The player's choice by these batches, and the number of acts tried, summed over worlds."""
    race = Race(range(len(values)), dict(enumerate(bonus)))
    for nth in range(values.shape[1]):
        race.add(values[race.alive, nth])
        race.drop()
    return race.best_of(race.alive), BATCH * sum(map(len, race.results.values()))


def gains_by_worlds(view: View) -> Iterator[tuple[int, float, int]]:
    """By maximum number of worlds: the gain over the network alone, and the number of acts tried."""
    player = StrongestPlayer(RULES, seed=1)
    acts = legal_acts(view.rule_table, view.position, own_seat(view))
    batches = WORLDS // BATCH
    found = [player.search_batch(view, acts, Search(nth, 0, CANDIDATES)) for nth in range(batches)]
    values = np.array([batch[: len(acts)] for batch in found]).T
    scores = np.array(found[0][SWINDLES : SWINDLES + len(acts)])
    bonus = np.maximum(-PRIOR_LIMIT, PRIOR * scores)
    alone = len(acts) - 1 - scores[::-1].argmax()  # the seven is always exchanged
    halves = np.split(values, 2, axis=1)
    for half, other in (halves, halves[::-1]):
        truth = other.mean(axis=1)
        for tried in TRIED:
            for at in range(0, batches // 2, tried // BATCH):
                act, work = choose_by_racing(half[:, at : at + tried // BATCH], bonus)
                yield tried, float(truth[act] - truth[alone]), work


def stage(view: View) -> int:
    """The position's class of `STAGES`, by cards left in the talon."""
    return next(most for most in STAGES if view.talon <= most)


def main() -> None:
    many, first = read_arguments(__doc__, positions=250, first_seed=1)
    found: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for _, view in zip(range(many), decisions(first), strict=False):
        for tried, gain, work in gains_by_worlds(view):
            found[stage(view), tried].append((gain, work))
    print("| talon | worlds at most | decisions | acts tried | gained a decision |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for (talon, tried), told in sorted(found.items()):
        gain, work = np.mean(told, axis=0)
        positions = len(told) * tried // WORLDS
        print(f"| up to {talon} | {tried:,} | {positions} | {work:,.0f} | {gain:.4f} |")


if __name__ == "__main__":
    main()
