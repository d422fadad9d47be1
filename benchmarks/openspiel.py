"""A player against OpenSpiel's ISMCTS: `python -m benchmarks.openspiel [player] [simulations] [pairs]`.

OpenSpiel's own bot with random rollouts, on the game registered by `chouine.envs.spiel`. Two seats, classic; pairs as
in the arena: both players have each deal from both sides, with the same draws for a seat in either partie.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import mean
from time import perf_counter

import pyspiel
from numpy.random import RandomState
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import chouine.envs.spiel  # noqa: F401  # registers the game
from benchmarks.arguments import read_arguments
from chouine.arena.pairs import LOST, NULLE, WON, Pair
from chouine.arena.score import PairScore
from chouine.cards import PACK
from chouine.envs.encode import LET_PASS
from chouine.partie import Action, Deal, Declaration, Exchange, Play, State
from chouine.partie.state import arrange_draw
from chouine.players.base import Player
from chouine.registry import player_of
from chouine.rules import Rules
from chouine.rules.combinations import ACTIONS, EXCHANGE, MARIAGE

RULES, GAME = Rules(), "chouine(preset=classic)"
DEALER = 1
"""OpenSpiel's first player leads."""


class Search:
    """OpenSpiel's bot, and the times of its decisions."""

    def __init__(self, game: pyspiel.Game, simulations: int, seed: int) -> None:
        evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=RandomState(seed))
        chance = RandomState(seed)
        self.bot = ISMCTSBot(game, evaluator, uct_c=1.0, max_simulations=simulations, random_state=chance)
        self.micros = list[int]()

    def step(self, table: pyspiel.State) -> int:
        began = perf_counter()
        number = int(self.bot.step(table))
        self.micros.append(round(1e6 * (perf_counter() - began)))
        return number


def numbers(action: Action | None) -> Iterator[int]:
    """An action as OpenSpiel's action numbers."""
    match action:
        case Play(card=card, declaration=declaration):
            if declaration is not None:
                yield int(declaration)
            yield int(card)
        case Exchange():
            yield EXCHANGE
        case _:
            yield LET_PASS


def action_of(steps: list[int]) -> Action | None:
    """An action from OpenSpiel's action numbers."""
    if steps[-1] == LET_PASS:
        return None
    if steps[-1] == EXCHANGE:
        return Exchange()
    return Play(PACK[steps[-1]], Declaration(steps[0]) if steps[1:] else None)


def outcome(game: pyspiel.Game, deal: Deal, seat: int, player: Player, search: Search) -> int:
    """The result for our player at `seat` of a partie played in both engines: `WON`, `NULLE` or `LOST`."""
    state, table = State.new(RULES, deal), game.new_initial_state()
    for hand in deal.hands:
        for card in sorted(hand):
            table.apply_action(int(card))
    if deal.turnup is not None:
        table.apply_action(int(deal.turnup))
    while not table.is_terminal():
        turn = table.current_player()
        steps = list[int]()
        if turn == seat:
            action = player.act(state.view(seat))
            steps.extend(numbers(action))
            for step in steps:
                table.apply_action(step)
        else:
            while not steps or MARIAGE <= steps[-1] < ACTIONS:
                steps.append(search.step(table))
                table.apply_action(steps[-1])
            action = action_of(steps)
        if action is not None:
            state = arrange_draw(state, action).play(action, turn)
        while table.is_chance_node():
            table.apply_action(int(state.deal.talon[len(table.partie.drawn)]))
    gain = int(table.returns()[seat])
    if state.result is None or (state.result.winner == seat) != (gain > 0):
        raise RuntimeError("the two do not agree about who has won")
    return (LOST, NULLE, WON)[gain + 1]


def play_pair(name: str, simulations: int, number: int) -> Pair:
    """Play one pair."""
    game = pyspiel.load_game(GAME)
    deal = Deal.random(RULES, DEALER, Random(f"openspiel:{number}"))
    search, outcomes = Search(game, simulations, number), list[int]()
    for seat in range(2):
        player = player_of(name, RULES, 2 * number + seat, None)
        outcomes.append(outcome(game, deal, seat, player, search))
    return Pair(number, tuple(outcomes), ((), tuple(search.micros)))


def main() -> None:
    name, simulations, pairs = read_arguments(__doc__, player="full", simulations=100, pairs=20)
    told = [play_pair(name, simulations, number) for number in range(pairs)]
    score, spent = PairScore.of(told), mean(micros for pair in told for micros in pair.micros[1])
    low, high = score.interval
    print(f"{name} against OpenSpiel's ISMCTS, {simulations} simulations in {spent / 1e3:.0f} ms a decision: "
          f"{score.rate:.1%} ({low:.1%}-{high:.1%}), {pairs} pairs")  # fmt: skip


if __name__ == "__main__":
    main()
