"""The full player with a fixed budget is deterministic: independent of the machine, its load and earlier calls."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.neural import FullPlayer
from chouine.arena.partie import play_partie
from chouine.notation.lines import actions_of
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import HeuristicPlayer
from chouine.players.base import UnknownPlayer
from chouine.registry import player_of
from chouine.rules.options import Rules


@pytest.mark.nightly
def test_it_plays_the_same_partie_again() -> None:
    rules = Rules()
    deal = Deal.random(rules, 0, Random(4))
    one, again = (
        play_partie(
            rules, deal, [player_of("full:24", rules, seed=7), player_of("full:24", rules, seed=8)]
        ).state
        for _ in range(2)
    )
    assert one.events == again.events


def test_what_it_was_asked_before_changes_nothing() -> None:
    rules = Rules()
    played = play_partie(
        rules, Deal.random(rules, 1, Random(2)), [HeuristicPlayer(), HeuristicPlayer()]
    ).state
    views = [state.view(state.turn) for state in steps(played) if state.turn is not None][4:30:6]
    asked = FullPlayer(rules, 5, fixed_worlds=24)
    forward = [asked.act(view) for view in views]
    assert [FullPlayer(rules, 5, fixed_worlds=24).act(view) for view in reversed(views)] == forward[::-1]


def steps(state: State) -> list[State]:
    """The states of a partie, from its start."""
    states = [State.new(state.rules, state.deal)]
    for action in actions_of(state.events):
        states.append(states[-1].play(action))
    return states


@pytest.mark.parametrize("spec", ["full:0", "full:many"])
def test_its_worlds_are_a_number(spec: str) -> None:
    with pytest.raises(UnknownPlayer):
        player_of(spec)
