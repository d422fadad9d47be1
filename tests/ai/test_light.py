"""The light player's opponent history: the steps that `ai.light` sends to a backend match the partie."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.light import (
    STEP_CARD,
    STEP_DREW,
    STEP_GAINED,
    STEP_KNOWN,
    STEP_LOST,
    STEP_POSITION,
    steps_of,
)
from chouine.partie.deal import Deal
from chouine.partie.events import Drawn
from chouine.partie.state import State
from chouine.players.uniform import RandomPlayer
from chouine.rules.options import Rules
from tests.players.table import ask


@pytest.mark.parametrize("preset", ["classic", "mondoubleau"])
def test_steps_lead_back_to_the_hand_that_was_dealt(preset: str) -> None:
    rules, rng, exchanged = Rules.parse(preset), Random(preset), 0
    for nth in range(20):
        players = [RandomPlayer(rng), RandomPlayer(rng)]
        deal = Deal.random(rules, nth % 2, rng)
        state = State.new(rules, deal)
        while state.result is None and state.view(0).talon:
            seat, action = ask(state, players)
            state = state.play(action, seat)
        for me in (0, 1):
            whole = state.view(1 - me).events
            draws = [event for event in whole if isinstance(event, Drawn) and event.seat != me]
            drawn = [draw.card for draw in draws if draw.card is not None and not draw.turnup]
            hand = state.position.hands[1 - me]
            for step in steps_of(state.view(me), 1 - me):
                assert hand & step[STEP_GAINED] == step[STEP_GAINED]
                hand &= ~step[STEP_GAINED]
                if step[STEP_DREW]:
                    card = drawn.pop()
                    assert hand & ~step[STEP_KNOWN] & 1 << card
                    hand &= ~(1 << card)
                exchanged += step[STEP_CARD] < 0
                hand |= step[STEP_LOST]
                assert step[STEP_POSITION + 1 - me] & ~hand & 0xFFFFFFFF == 0  # known cards are in the hand
            assert hand == deal.hands[1 - me].mask
            assert not drawn
    assert bool(exchanged) == (preset == "classic")  # without a turnup no exchange is possible (§17)
