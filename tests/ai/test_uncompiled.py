"""While levels 7 and 8 compile, the network's acts replace theirs."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.search import has_network
from chouine.ai.strongest import NetworkPlayer, uncompiled_act
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.endgame import known_position
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import PRESETS
from chouine.rules.options import Rules
from tests.players.table import ask


class Uncompiled:
    """`uncompiled_act` as a player."""

    act = staticmethod(uncompiled_act)


@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_the_network_until_all_cards_are_known(preset: str) -> None:
    rules, rng = Rules.parse(preset), Random(preset)
    for nth in range(3):
        state = State.new(rules, Deal.random(rules, nth % rules.seats, rng))
        others = NetworkPlayer() if has_network(rules) else HeuristicPlayer()
        while state.result is None:
            for seat in range(rules.seats):
                view = state.view(seat)
                if not view.legal:
                    assert uncompiled_act(view) is None
                elif known_position(view) is None:
                    assert uncompiled_act(view) == others.act(view)
                else:
                    assert uncompiled_act(view) in view.legal
            seat, action = ask(state, [Uncompiled()] * rules.seats)
            state = state.play(action, seat)


def test_a_spectator_has_nothing_to_do() -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    assert uncompiled_act(state.view(None)) is None
