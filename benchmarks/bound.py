"""What a perfect player could gain against `full`: `python -m benchmarks.bound RULES [positions] [first seed]`.

By the performance difference lemma (Kakade and Langford 2002) a player gains against a fixed opponent at most the sum,
over its decisions, of what the best act gains there over `full`'s act if `full`'s policy follows. Estimated at one
random decision of each partie of network self-play, with the model of players exactly like the network. Two
estimates enclose the truth: the best act by half of the worlds valued by the other half, which is too low, and the
best act by all worlds valued by the same, which is too high. The last tricks that `full` solves count as 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai.equilibrium.last_tricks import solvable
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.racing import Z, exact_values
from chouine.ai.search import BATCH, MOST_CANDIDATES, NETWORK, Search
from chouine.ai.strongest import NetworkPlayer, StrongestPlayer
from chouine.arena.partie import play_on
from chouine.partie import Action, Deal, State, View
from chouine.rules import Rules

WORLDS = 8192
STAGES = (0, 4, 10, 32)
"""Classes of positions, by cards left in the talon."""


def decisions(rules: Rules, first: int) -> Iterator[tuple[int, View]]:
    """From each partie of network self-play: a seat's mean number of decisions, and the view at a random one."""
    for seed in count(first):
        rng, views = Random(seed), list[View]()

        def decide(state: State, seat: int, views: list[View] = views) -> Action | None:
            view = state.view(seat)
            if seat == view.position.turn and len(legal_acts(view.rule_table, view.position, seat)) > 1:
                views.append(view)
            return NetworkPlayer().act(view)

        play_on(State.new(rules, Deal.random(rules, seed % rules.seats, rng)), decide)
        if views:
            yield len(views), rng.choice(views)


def gains(view: View, seed: int) -> tuple[float, float]:
    """The best act's gain in win probability over `full`'s act: too low, too high."""
    if solvable(view) or exact_values(view) is not None:
        return 0.0, 0.0
    player, acts = (
        StrongestPlayer(view.rules, seed),
        legal_acts(view.rule_table, view.position, own_seat(view)),
    )
    own = player.act(view)
    searches = (Search(nth, 0, MOST_CANDIDATES, NETWORK) for nth in range(WORLDS // BATCH))
    parts = [player.search_batch(view, acts, search)[: len(acts)] for search in searches]
    halves = [np.array(parts[at::2]).mean(axis=0) for at in range(2)]
    same = [nth for nth, act in enumerate(acts) if action_of(act) == own]
    whole = (halves[0] + halves[1]) / 2
    low = [
        other[int(half.argmax())] - other[max(same, key=half.__getitem__)]
        for half, other in (halves, halves[::-1])
    ]
    return float(np.mean(low)), float(whole.max() - whole[same].max())


def main() -> None:
    rules, positions, first = read_arguments(__doc__, rules=Rules.parse, positions=250, first_seed=1)
    found = list[tuple[int, float, float]]()
    for (decided, view), seed in zip(decisions(rules, first), range(positions), strict=False):
        stage = next(most for most in STAGES if view.talon <= most)
        low, high = (decided / rules.seats * gain for gain in gains(view, first + seed))
        found.append((stage, low, high))
        if len(found) % 100 == 0 or len(found) == positions:
            show(found)


def show(found: list[tuple[int, float, float]]) -> None:
    """Print the gains of a whole partie, by stage and in all."""
    print(f"\n{len(found)} decisions\n\n| talon | gain of a partie, low | high |\n| --- | ---: | ---: |")
    for stage in (*STAGES, None):
        shares = np.array(
            [(low, high) if at == stage or stage is None else (0, 0) for at, low, high in found]
        )
        means, errors = shares.mean(axis=0), Z * shares.std(axis=0) / len(shares) ** 0.5
        cells = (f"{mean:.2%} ± {error:.2%}" for mean, error in zip(means, errors, strict=True))
        print(f"| {'all' if stage is None else f'up to {stage}'} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
