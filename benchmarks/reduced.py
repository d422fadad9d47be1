"""Exact exploitability of players over a whole partie, with a small pack: `python -m benchmarks.reduced`.

The tree of the pack `PETITE` is small enough for OpenSpiel's best response. A player's exploitability is the gain in
win probability of an opponent who knows its strategy, averaged over both seats. OpenSpiel's CFR+ is shown beside ours.
"""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import Policy as SpielPolicy
from open_spiel.python.policy import UniformRandomPolicy

from benchmarks.arguments import read_arguments
from chouine.ai.network import load_shipped, private_copy
from chouine.ai.rollout import Policy, greedy_policy, heuristic_policy, network_policy, policy_card
from chouine.envs.spiel import PETITE
from chouine.envs.spiel_partie import Partie
from chouine.fast.compiler import compiled
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import compiled_position, per_seat
from chouine.players.endgame import MarginTable, best_action
from chouine.rules import Rules
from chouine.rules.combinations import EXCHANGE

RULES = Rules()
TURNS = 200

card_of = compiled(policy_card)


class ByPolicy(SpielPolicy):  # type: ignore[misc]  # OpenSpiel is untyped
    """A policy as OpenSpiel's, evaluated again after a declaration; it always exchanges the seven.

    With an empty talon all policies but the greedy one play exactly, as with the full pack.
    """

    def __init__(self, game: Any, played: Policy) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.played = played
        self.solved: MarginTable = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:  # noqa: ARG002
        actions = state.legal_actions()
        done = self.choose(state.partie, actions)
        return {action: float(action == done) for action in actions}

    def choose(self, partie: Partie, actions: list[int]) -> int:
        """The policy's choice among these actions."""
        if EXCHANGE in actions:
            return EXCHANGE
        rule_table, p = partie.setting.rule_table, partie.p
        if p.tricks >= rule_table.drawing and not self.played.greedy:
            return best_action(rule_table, p, self.solved)
        sight = PublicKnowledge(*(per_seat(part) for part in partie.seen))
        card, declaration = card_of(rule_table, self.played, compiled_position(p), sight)
        return int(declaration if declaration in actions else card)


def given_away(game: Any, policy: Policy) -> float:
    """Exploitability: the gain of a best response in win probability, averaged over both seats."""
    return float(exploitability.exploitability(game, policy)) / 2


def main() -> None:
    read_arguments(__doc__)
    game = pyspiel.load_game("chouine", PETITE)
    ours = {
        "greedy": greedy_policy(RULES),
        "heuristic": heuristic_policy(RULES),
        "net": network_policy(RULES, private_copy(load_shipped(RULES.preset))),
    }
    policies = {"random": UniformRandomPolicy(game)}
    policies |= {name: ByPolicy(game, played) for name, played in ours.items()}
    print("| player | exploitable |")
    print("| --- | ---: |")
    for name, policy in policies.items():
        print(f"| `{name}` | {given_away(game, policy):.2%} |", flush=True)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(TURNS):
        solver.evaluate_and_update_policy()
    print(f"| CFR+, {TURNS} turns | {given_away(game, solver.average_policy()):.4%} |")


if __name__ == "__main__":
    main()
