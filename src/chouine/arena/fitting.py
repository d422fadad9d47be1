"""Fit the value model to parties of the heuristic with itself: `python -m chouine.arena.fitting [PARTIES]`.

Logistic regression of who won on the positions between tricks. It takes minutes and writes `value.json` anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from chouine.arena.luck import FEATURES, features, features_by_suit
from chouine.arena.partie import play_partie
from chouine.files import write_whole
from chouine.notation.lines import actions_of
from chouine.partie.actions import Action
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.simple import RandomPlayer
from chouine.rules.options import PRESETS, Rules
from chouine.rules.position import Position
from chouine.rules.rule_table import rule_table_of

Floats = NDArray[np.float64]

RESTLESS = 0.1
"""Probability of a random card, so that the fit sees more than one style of play."""
RIDGE = 0.3
"""Ridge penalty of the weights."""


class Restless:
    """The heuristic, with occasional random acts."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.players: tuple[Player, Player] = HeuristicPlayer(), RandomPlayer(rng)

    def act(self, view: View) -> Action | None:
        return self.players[self.rng.random() < RESTLESS].act(view)


def positions(state: State) -> Iterator[Position]:
    """Yield the position after the deal and after every draw."""
    here = State.new(state.rules, state.deal)
    yield here.position
    for action in actions_of(state.events):
        tricks, here = here.position.tricks, here.play(action)
        if tricks < min(here.position.tricks, here.rule_table.drawing):
            yield here.position


def samples(rules: Rules, parties: int) -> tuple[Floats, NDArray[np.int64]]:
    """Features of positions, seat by seat, and the winners."""
    rng, rule_table = Random(f"value {rules}"), rule_table_of(rules)
    suits, inputs, winners = features_by_suit(rule_table), [], []
    for number in range(parties):
        deal = Deal.random(rules, number % rules.seats, rng)
        state = play_partie(rules, deal, [Restless(rng) for _ in range(rules.seats)]).state
        if state.result is None or state.result.winner is None:
            continue
        for p in positions(state):
            done = p.tricks / rule_table.drawing
            seats = np.zeros((rules.seats, FEATURES))
            for seat in range(rules.seats):
                for place, value in features(suits, p, seat):
                    seats[seat, place] += value
            inputs.append(np.concatenate([(1 - done) * seats, done * seats], axis=1))
            winners.append(state.result.winner)
    return np.array(inputs), np.array(winners)


def fit_weights(inputs: Floats, winners: NDArray[np.int64]) -> Floats:
    """Maximum-likelihood weights with a ridge. `told`: float64[positions, seats, features]."""
    from scipy.optimize import minimize
    from scipy.special import logsumexp, softmax

    won = inputs[np.arange(len(inputs)), winners]

    def loss(weights: Floats) -> tuple[float, Floats]:
        strengths = inputs @ weights
        expected = np.einsum("ps,psf->f", softmax(strengths, axis=1), inputs)
        likely = (won @ weights - logsumexp(strengths, axis=1)).sum()
        return RIDGE / 2 * weights @ weights - likely, RIDGE * weights - (won.sum(axis=0) - expected)

    found: Floats = minimize(loss, np.zeros(inputs.shape[2]), jac=True).x
    return found


def main(parties: int) -> None:
    """Fit every preset and write the weights."""
    lines = []
    for preset in PRESETS:
        weights = fit_weights(*samples(Rules.of_preset(preset), parties))
        first, last = ([round(weight, 3) for weight in half] for half in weights.reshape(2, -1).tolist())
        lines.append(f'"{preset}": [\n {first},\n {last}]')
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    write_whole(Path(__file__).with_name("value.json"), text)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)
