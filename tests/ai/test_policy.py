"""Policies as opponent models: they predict their players' acts, and acts identify the policy."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from unittest.mock import patch

import numpy as np
import pytest

from chouine.ai.action_model import KEEPS_SEVEN, PolicyModel
from chouine.ai.macro_actions import act_of
from chouine.ai.neural import FullPlayer, NetworkPlayer
from chouine.ai.opponent_model import TypedWorlds
from chouine.ai.playout import open_value, outcome
from chouine.ai.policy import Policy, greedy_policy, heuristic_policy, network_policy
from chouine.ai.rollout import public_knowledge, rollout_values
from chouine.ai.swindle import swindle_value
from chouine.cards import PACK
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player
from chouine.players.greedy import GreedyPlayer
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.options import Rules
from tests.ai.retold import as_it_is
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
    model = PolicyModel(manner)
    for seed in range(8):
        for state in while_the_talon_lasts([player(), player()], seed):
            for moment, done, held in acts_of(state, state.turn or 0)[-1:]:
                hand = np.array([held])
                assert model.likelihood(moment, hand) == [1 - KEEPS_SEVEN if done == Exchange() else 1]
                if isinstance(done, Play):
                    others = [card for card in PACK if held >> card & 1 and card != done.card]
                    for card in others:
                        assert model.likelihood(moment._replace(act=Play(card)), hand) == [0]


def taken_for(other: Player, seed: int) -> list[float]:
    """The full player's posterior of an opponent: network, heuristic, greedy."""
    player, seen = FullPlayer(CLASSIC, seed), list[View]()
    for state in while_the_talon_lasts([NetworkPlayer(CLASSIC), other], seed):
        if state.view(0).talon > 4:
            seen.append(state.view(0))
    return [float(share) for share in player.posterior(seen[-1])[1]]


def test_the_other_is_known_by_what_it_does() -> None:
    """On average the posterior prefers the true policy. Rows are players, columns the mean posterior."""
    others: list[Player] = [NetworkPlayer(CLASSIC), HeuristicPlayer(), GreedyPlayer()]
    shares = np.array([[taken_for(other, seed) for seed in range(24)] for other in others])
    assert np.allclose(shares.sum(axis=2), 1)
    assert list(shares.mean(axis=1).argmax(axis=0)) == [0, 1, 2]
    assert shares.mean(axis=1)[0, 0] > 0.8
    assert shares.mean(axis=1)[2, 2] > 0.5


@pytest.mark.parametrize("shares", [[0.9, 0.1, 0.0], [0.1, 0.1, 0.8]], ids=["its like", "greedy"])
def test_other_types_are_not_played_at_equilibrium(shares: list[float]) -> None:
    """An opponent that is not a network player gets rollouts early, and no equilibrium late."""
    players: list[Player] = [NetworkPlayer(CLASSIC), NetworkPlayer(CLASSIC)]
    views = [state.view(0) for state in while_the_talon_lasts(players, 2) if state.turn == 0]
    player = FullPlayer(CLASSIC, 1, max_worlds=32)
    with (
        patch.object(player, "posterior", return_value={1: np.array(shares)}),
        patch.object(player, "at_equilibrium", return_value=[]) as solved,
        patch.object(player, "race_acts", wraps=player.race_acts) as looked,
    ):
        player.act(views[0])
        assert looked.called is (shares[0] < 0.5)
        player.act(views[-1])
        assert solved.called is (shares[0] > 0.5)
        assert looked.called


@pytest.mark.parametrize(
    "manner", [greedy_policy(CLASSIC), heuristic_policy(CLASSIC)], ids=["greedy", "thumb"]
)
def test_rollouts_follow_the_opponents_policy(manner: Policy) -> None:
    """In the true world a rollout equals the partie between these players, its last tricks by expected value."""
    others: Player = GreedyPlayer() if manner.greedy else HeuristicPlayer()
    network = NetworkPlayer(CLASSIC)
    for seed in range(8):
        states = list(while_the_talon_lasts([network, others], seed))
        start = next(state for state in states[6:] if state.turn == 0)
        view, act = start.view(0), network.act(start.view(0))
        seen = public_knowledge(view)
        own = network_policy(CLASSIC, network.network)
        manners = own, manner, manner  # as many as the full player has, so that one compilation serves both
        imagined = TypedWorlds.of(as_it_is(start), 1, 1)
        found = rollout_values(view, seen, [act_of(act)], imagined, manners)[0, 0]
        state = start.play(act) if act else start
        while state.turn is not None and state.view(0).talon:
            seat, action = ask(state, [network, others])
            state = state.play(action, seat)
        nodes, p = memoryview(array("q", [0])), compiled_position(state.position)
        if state.turn is None:
            assert found == outcome(state.book, p, 0)
        elif manner.greedy:
            assert found == swindle_value(state.book, p, 0, 0.0, nodes)
        else:
            assert found == open_value(state.book, nodes, p, 0, nodes)
