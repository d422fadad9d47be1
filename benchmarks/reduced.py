"""What players give away over a whole partie, exactly, with a smaller pack: `python -m benchmarks.reduced`.

Of the pack `PETITE` the whole tree can be walked, by OpenSpiel's own best response: how much likelier one who knew a
player's strategy would win against it, on average of both seats. Beside ours stands what OpenSpiel's CFR+ comes to.
"""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import Policy as SpielPolicy
from open_spiel.python.policy import UniformRandomPolicy

from chouine.ai.network import load_shipped, private_copy
from chouine.ai.policy import Policy, greedy_policy, heuristic_policy, network_policy, policy_card
from chouine.envs.spiel import PETITE
from chouine.envs.spiel.course import Course
from chouine.fast.compiler import compiled
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import compiled_position, per_seat
from chouine.players.endgame import MarginTable, best_action
from chouine.rules import Rules
from chouine.rules.combinations import EXCHANGE

RULES = Rules()
TURNS = 200

card_of = compiled(policy_card)


class ByPolicy(SpielPolicy):  # type: ignore[misc]  # of OpenSpiel, which is untyped
    """Does what a manner of play says, asked anew once a declaration is made; who can exchanges the seven.

    Once the talon is empty all but the greedy play exactly, as they do with the whole pack.
    """

    def __init__(self, game: Any, played: Policy) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.played = played
        self.solved: MarginTable = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:  # noqa: ARG002
        actions = state.legal_actions()
        done = self.done(state.course, actions)
        return {action: float(action == done) for action in actions}

    def done(self, course: Course, actions: list[int]) -> int:
        """The action out of these."""
        if EXCHANGE in actions:
            return EXCHANGE
        book, p = course.setting.book, course.p
        if p.tricks >= book.drawing and not self.played.greedy:
            return best_action(book, p, self.solved)
        sight = PublicKnowledge(*(per_seat(part) for part in course.seen))
        card, declaration = card_of(book, self.played, compiled_position(p), sight)
        return int(declaration if declaration in actions else card)


def given_away(game: Any, policy: Policy) -> float:
    """How much likelier one who knew a policy would win against it, on average of both seats."""
    return float(exploitability.exploitability(game, policy)) / 2


def main() -> None:
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
