"""Manners of play as models: what each does is foretold, and the manner is told by what was done."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from chouine.ai.manner import Manner, by_thumb, greedily
from chouine.ai.neural import FullPlayer, NetworkPlayer
from chouine.ai.opponent import SEVEN_KEPT, MannerModel
from chouine.cards import PACK
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player
from chouine.players.greedy import GreedyPlayer
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.options import Rules
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
    [(GreedyPlayer, greedily(CLASSIC)), (HeuristicPlayer, by_thumb(CLASSIC))],
    ids=["greedy", "thumb"],
)
def test_what_it_does_is_foretold(player: type[Player], manner: Manner) -> None:
    """And only that: with what it does known for one card, any other card is not."""
    model = MannerModel(manner)
    for seed in range(8):
        for state in while_the_talon_lasts([player(), player()], seed):
            for moment, done, held in acts_of(state, state.turn or 0)[-1:]:
                hand = np.array([held])
                assert model.likelihood(moment, hand) == [1 - SEVEN_KEPT if done == Exchange() else 1]
                if isinstance(done, Play):
                    others = [card for card in PACK if held >> card & 1 and card != done.card]
                    for card in others:
                        assert model.likelihood(moment._replace(act=Play(card)), hand) == [0]


def taken_for(other: Player, seed: int) -> list[float]:
    """How the full player takes another who plays on: as its like, by rules of thumb, greedy."""
    player, seen = FullPlayer(CLASSIC, seed), list[View]()
    for state in while_the_talon_lasts([NetworkPlayer(CLASSIC), other], seed):
        if state.view(0).talon > 4:
            seen.append(state.view(0))
    return [float(share) for share in player.shares(seen[-1])]


def test_the_other_is_known_by_what_it_does() -> None:
    """Not at once, nor always: on the whole. By player (row), as what it is taken on average (column)."""
    others: list[Player] = [NetworkPlayer(CLASSIC), HeuristicPlayer(), GreedyPlayer()]
    shares = np.array([[taken_for(other, seed) for seed in range(24)] for other in others])
    assert np.allclose(shares.sum(axis=2), 1)
    assert list(shares.mean(axis=1).argmax(axis=0)) == [0, 1, 2]
    assert shares.mean(axis=1)[0, 0] > 0.8
    assert shares.mean(axis=1)[2, 2] > 0.5
