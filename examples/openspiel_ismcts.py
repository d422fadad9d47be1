"""OpenSpiel's information set Monte Carlo tree search against random play, in each seat in turn.

python examples/openspiel_ismcts.py --parties 20 --simulations 200
"""

from __future__ import annotations

import argparse
from random import Random

import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import chouine.envs.spiel  # noqa: F401  # registers the game


def partie(text: str, simulations: int, seat: int, rng: Random) -> float:
    """The return of the searching seat."""
    game = pyspiel.load_game(text)
    bot = ISMCTSBot(
        game=game,
        evaluator=RandomRolloutEvaluator(n_rollouts=1),
        uct_c=1.0,
        max_simulations=simulations,
        random_state=None,
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        searching = not state.is_chance_node() and state.current_player() == seat
        state.apply_action(int(bot.step(state)) if searching else rng.choice(state.legal_actions()))
    return float(state.returns()[seat])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="chouine(preset=classic)")
    parser.add_argument("--parties", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=50)
    asked = parser.parse_args()
    rng = Random(1)
    gains = [partie(asked.game, asked.simulations, nth % 2, rng) for nth in range(asked.parties)]
    print(f"{sum(gains) / len(gains):+.2f} a partie over {len(gains)}")
