"""Perfect-information Monte Carlo: each act tried in sampled worlds that are then played with open cards.

A world takes too long to solve from the first decision. So the heuristic plays until one trick with hidden cards is
left; from there alpha-beta solves the open position. This is a reference opponent: PIMC assumes that players know what
they cannot know (strategy fusion).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.ai.determinization import Worlds, uniform_worlds
from chouine.ai.macro_actions import legal_acts, own_seat
from chouine.ai.montecarlo import HeuristicRoot, apply_first_act, rank_by_mean, rollout_values
from chouine.ai.playout import heuristic_turn, settled_value
from chouine.ai.racing import Estimate, exact_values, need_compiler
from chouine.fast.compiler import compiled
from chouine.fast.driver import driver
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import PerSeat
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

OPEN_TRICKS = 1
"""Tricks with hidden cards still to come when the cards are opened."""


@kernel
def opens_cards(rule_table: RuleTable, p: Position) -> bool:
    """Whether the cards are opened here."""
    return p.tricks >= rule_table.drawing - OPEN_TRICKS and p.pending < 0


play_hidden = driver(heuristic_turn, opens_cards)


@compiled
def rollout_acts_open(
    root: HeuristicRoot, acts: Sequence[int], worlds: Worlds, nodes: memoryview, values: Any
) -> None:
    """Write each act's result in each world to `values: float32[acts, worlds]`."""
    rule_table, seat, hands = root.rule_table, root.seat, worlds.hands
    for world in range(len(hands)):
        talon = worlds.talons[world]
        here = Position(PerSeat(hands[world, 0], hands[world, 1], 0, 0), *root.p[1:])
        for nth in range(len(acts)):
            q, carried = apply_first_act(root, talon, here, acts[nth])
            q, _ = play_hidden(rule_table, talon, q, carried, root.weights)
            values[nth, world] = settled_value(rule_table, talon, q, seat, nodes)


class PimcPlayer:
    """Two seats: play the act that wins most often in `worlds` open worlds. Raises `NoCompiler` without numba."""

    def __init__(self, worlds: int, seed: int) -> None:
        need_compiler()
        self.worlds, self.seed = worlds, seed

    def act(self, view: View) -> Action | None:
        return self.evaluate(view)[0].action if view.legal else None

    def evaluate(self, view: View) -> list[Estimate]:
        """Estimated win probability of each act with open cards, best first."""
        exact = exact_values(view)
        if exact is not None:
            return exact
        self.seed += 1
        acts, sampled = (
            legal_acts(view.rule_table, view.position, own_seat(view)),
            uniform_worlds(view, self.worlds, self.seed),
        )
        return rank_by_mean(acts, rollout_values(view, acts, sampled, rollout_acts_open))
