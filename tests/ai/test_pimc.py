"""Perfect information Monte Carlo."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.montecarlo import PimcPlayer
from chouine.ai.racing import exact_values
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import Player, RandomPlayer, UnknownPlayer
from chouine.registry import player_of
from chouine.rules.options import Rules
from tests.players.table import play_out

CLASSIC = Rules()


def test_where_one_world_is_left_it_is_exact() -> None:
    """Values are exact from the moment that a single world is left, in the last trick with a hidden card."""
    chairs: list[Player] = [RandomPlayer(Random(1)), RandomPlayer(Random(2))]
    state = State.new(CLASSIC, Deal.random(CLASSIC, 0, Random(3)))
    while exact_values(view := state.view(state.turn)) is None:
        told = PimcPlayer(20, seed=1).evaluate(view)
        assert {act.action for act in told} <= set(view.legal)
        assert all(0 <= act.win <= 1 for act in told)
        action = chairs[view.observer or 0].act(view)
        assert action is not None
        state = state.play(action)
    assert PimcPlayer(20, seed=1).evaluate(view) == exact_values(view)


def test_it_plays_better_than_by_chance() -> None:
    won = 0
    for number in range(6):
        chairs: list[Player] = [PimcPlayer(20, number), RandomPlayer(Random(number))]
        result = play_out(CLASSIC, Deal.random(CLASSIC, 0, Random(number)), chairs).result
        won += result is not None and result.winner == 0
    assert won >= 4


def test_it_plays_with_two_seats() -> None:
    with pytest.raises(UnknownPlayer):
        player_of("pimc:10", Rules.parse("four"), 1)
