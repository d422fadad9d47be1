"""What players give away over a whole partie, exactly, with a smaller pack: `python -m benchmarks.reduced`.

Of the pack `PETITE` the whole tree can be walked, by OpenSpiel's own best response: how much likelier one who knew a
player's strategy would win against it, on average of both seats. Beside ours stands what OpenSpiel's CFR+ comes to.
"""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import Policy, UniformRandomPolicy

from chouine.ai.manner import Manner, by_network, by_thumb, card_by, greedily
from chouine.ai.network import loaded, own
from chouine.envs.spiel import PETITE
from chouine.envs.spiel.course import Course
from chouine.fast.compiler import compiled
from chouine.fast.seats import seated, seats
from chouine.fast.seen import Seen
from chouine.players.endgame import Solved, best_action
from chouine.rules import Rules
from chouine.rules.combinations import EXCHANGE

RULES = Rules()
TURNS = 200

card_of = compiled(card_by)


class InManner(Policy):  # type: ignore[misc]  # of OpenSpiel, which is untyped
    """Does what a manner of play says, asked anew once a declaration is made; who can exchanges the seven.

    Once the talon is empty all but the greedy play exactly, as they do with the whole pack.
    """

    def __init__(self, game: Any, manner: Manner) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.manner = manner
        self.solved: Solved = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:  # noqa: ARG002
        actions = state.legal_actions()
        done = self.done(state.course, actions)
        return {action: float(action == done) for action in actions}

    def done(self, course: Course, actions: list[int]) -> int:
        """The action out of these."""
        if EXCHANGE in actions:
            return EXCHANGE
        book, p = course.setting.book, course.p
        if p.tricks >= book.drawing and not self.manner.greedy:
            return best_action(book, p, self.solved)
        sight = Seen(*(seats(part) for part in course.seen))
        card, declaration = card_of(book, self.manner, seated(p), sight)
        return int(declaration if declaration in actions else card)


def given_away(game: Any, policy: Policy) -> float:
    """How much likelier one who knew a policy would win against it, on average of both seats."""
    return float(exploitability.exploitability(game, policy)) / 2


def main() -> None:
    game = pyspiel.load_game("chouine", PETITE)
    manners = {
        "greedy": greedily(RULES),
        "heuristic": by_thumb(RULES),
        "net": by_network(RULES, own(loaded(RULES.preset))),
    }
    policies = {"random": UniformRandomPolicy(game)}
    policies |= {name: InManner(game, manner) for name, manner in manners.items()}
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
