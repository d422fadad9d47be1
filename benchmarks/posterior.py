"""Whether opponents are recognised: `python -m benchmarks.posterior [parties] [player…]`.

The network plays each named player. With four cards left in the talon, the table gives the mean probability that
the strongest player gives to an opponent like itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai.macro_actions import legal_acts
from chouine.ai.search import LIKENESS, Search
from chouine.ai.strongest import NetworkPlayer, StrongestPlayer
from chouine.arena.partie import asking
from chouine.partie import Deal, State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.registry import player_of
from chouine.rules import Rules

RULES = Rules()
TRICKS = 9
"""Tricks taken when four cards are left in the talon."""


def late_views(opponent: str, parties: int) -> Iterator[View]:
    """Seat a's view after `TRICKS` tricks, in parties of the network against this player."""
    for seed in range(parties):
        players: list[Player] = [NetworkPlayer(), player_of(opponent, RULES, seed, None)]
        state = State.new(RULES, Deal.random(RULES, seed % 2, Random(seed)))
        while state.result is None and state.position.tricks < TRICKS:
            seat, act = state.next_act(partial(asking(players), state))
            state = state.play(act, seat)  # type: ignore[arg-type]  # they never pass
        if state.result is None:
            yield state.view(0)


def likeness(view: View) -> float:
    """The probability that the opponent plays like the strongest player."""
    acts = legal_acts(view.rule_table, view.position, 0)
    return StrongestPlayer(RULES, 1).search_batch(view, acts, Search(1))[LIKENESS]


def main() -> None:
    parties, players = read_arguments(__doc__, parties=60, players=["net", "heuristic", "greedy"])
    print("| opponent | parties | like itself |\n| --- | ---: | ---: |")
    for opponent in players:
        found = [likeness(view) for view in late_views(opponent, parties)]
        print(f"| `{opponent}` | {len(found)} | {np.mean(found):.2f} |", flush=True)


if __name__ == "__main__":
    main()
