"""Policies as opponent models: they predict their players' acts, and acts identify the policy."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random

import pytest

from chouine.ai.likelihood import KEEPS_SEVEN, policy_likelihood, query_of
from chouine.ai.macro_actions import act_of
from chouine.ai.network import load_shipped
from chouine.ai.rollout import (
    Policy,
    greedy_policy,
    heuristic_policy,
    network_policy,
    open_value,
    outcome,
    swindle_value,
)
from chouine.ai.strongest import NetworkPlayer
from chouine.cards import PACK
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.players.simple import GreedyPlayer
from chouine.rules.options import Rules
from tests.ai.retold import as_it_is, result_in
from tests.ai.test_beliefs import acts_of
from tests.players.table import ask

CLASSIC = Rules()


def while_the_talon_lasts(chairs: list[Player], seed: int) -> Iterator[State]:
    state = State.new(CLASSIC, Deal.random(CLASSIC, seed % 2, Random(seed)))
    while state.turn is not None and state.view(0).talon:
        yield state
        seat, action = ask(state, chairs)
        state = state.play(action, seat)


@pytest.mark.parametrize(
    ("player", "manner"),
    [(GreedyPlayer, greedy_policy(CLASSIC)), (HeuristicPlayer, heuristic_policy(CLASSIC))],
    ids=["greedy", "thumb"],
)
def test_policies_predict_their_players(player: type[Player], manner: Policy) -> None:
    """A policy predicts its player's act with certainty, and gives every other card probability 0."""
    for seed in range(8):
        for state in while_the_talon_lasts([player(), player()], seed):
            for moment, done, held in acts_of(state, state.turn or 0)[-1:]:
                sure = 1 - KEEPS_SEVEN if done == Exchange() else 1
                assert policy_likelihood(query_of(moment), held, manner) == sure
                if isinstance(done, Play):
                    others = [card for card in PACK if held >> card & 1 and card != done.card]
                    for card in others:
                        other = query_of(moment._replace(act=Play(card)))
                        assert policy_likelihood(other, held, manner) == 0


@pytest.mark.parametrize(
    "manner", [greedy_policy(CLASSIC), heuristic_policy(CLASSIC)], ids=["greedy", "thumb"]
)
def test_rollouts_follow_the_opponents_policy(manner: Policy) -> None:
    """In the true world a rollout equals the partie between these players, its last tricks by expected value."""
    others: Player = GreedyPlayer() if manner.greedy else HeuristicPlayer()
    network = NetworkPlayer()
    for seed in range(8):
        states = list(while_the_talon_lasts([network, others], seed))
        start = next(state for state in states[6:] if state.turn == 0)
        view, act = start.view(0), network.act(start.view(0))
        own = network_policy(CLASSIC, load_shipped(CLASSIC.preset))
        manners = own, manner, manner  # three: compiled once for all
        found = result_in(as_it_is(start), view, act_of(act), manners, [0, 1, 0, 0])
        state = start.play(act) if act else start
        while state.turn is not None and state.view(0).talon:
            seat, action = ask(state, [network, others])
            state = state.play(action, seat)
        nodes, p = memoryview(array("q", [0])), compiled_position(state.position)
        if state.turn is None:
            assert found == outcome(state.rule_table, p, 0)
        elif manner.greedy:
            assert found == swindle_value(state.rule_table, p, 0, 0.0, nodes)
        else:
            assert found == open_value(state.rule_table, nodes, p, 0, nodes)
