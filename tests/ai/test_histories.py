"""Worlds weighed by the others' acts: for two seats what the exact ranges say, for more never what could not be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from chouine.ai.beliefs import Ranges
from chouine.ai.histories import acts_of, arrivals, holdings, weighed
from chouine.ai.likelihood import UNIFORM, Floats, Ints, Moment
from chouine.ai.worlds import hidden, worlds
from chouine.partie import State
from chouine.rules import Rules
from tests.ai.retold import line
from tests.ai.test_beliefs import Never, Whim
from tests.laws.strategies import SEEDS, moments


@given(moments(), SEEDS)
def test_whatever_the_others_did_they_may_have_done(state: State, seed: int) -> None:
    """§5-§11, §14: in every world, with the hand held at that time; and the hands now are those of the world."""
    seat = seed % state.rules.seats
    view = state.view(seat)
    made = worlds(view, 3, seed)
    kept, held, acts = made.hands & hidden(view).cards, holdings(view), acts_of(view)
    for other in {*range(state.rules.seats)} - {seat}:
        came = arrivals(held[other], kept[:, other].copy(), seed)
        assert came.hands(len(view.events)).tolist() == made.hands[:, other].tolist()
        for who, moment, at in acts:
            if who == other:
                assert (UNIFORM.likelihood(moment, came.hands(at)) > 0).all()


@pytest.mark.parametrize("preset", ["classic", "mondoubleau"])
def test_with_two_seats_weights_are_what_ranges_say(preset: str) -> None:
    """§14: sampled against exact."""
    model, many = Whim(0.4), 20_000
    state = next(state for state in line(Rules.of_preset(preset), 5) if state.position.tricks == 9)
    view = state.view(0)
    made, told = weighed(view, model, many, 4), Ranges(model).of(view, 1)
    assert made.weights.sum() == pytest.approx(1)
    for hand, weight in zip(told.hands.tolist(), told.weights.tolist(), strict=True):
        met = made.weights[made.hands[:, 1] == hand]
        assert abs(met.sum() - weight) < 5 * float(np.sqrt((met**2).sum())) + 1e-9


class Hoarder:
    """A player who lays a brisque only where nothing else may be laid."""

    def likelihood(self, moment: Moment, hands: Ints) -> Floats:
        at_random = UNIFORM.likelihood(moment, hands)
        brisques = hands & 0xC0C0C0C0 > 0
        return np.where(brisques & (str(moment.act)[:1] not in "AT"), at_random * 50, at_random)


@pytest.mark.parametrize("preset", ["three", "four", "mondoubleau-three"])
def test_with_more_seats_what_they_lay_tells_of_what_they_hold(preset: str) -> None:
    """§14: who hoards brisques and lays none has more of them than chance gives."""
    lines = (line(Rules.of_preset(preset), seed) for seed in range(99))
    view = next(states[16].view(0) for states in lines if len(states) > 20)
    made = weighed(view, Hoarder(), 4_000, 1)
    laid = [str(moment.act)[:1] for seat, moment, _ in acts_of(view) if seat == 1]
    held = np.array([(hand & 0xC0C0C0C0).bit_count() for hand in made.hands[:, 1].tolist()])
    assert made.weights.std() > 0
    if not set(laid) & {"A", "T"}:
        assert (held * made.weights).sum() > held.mean()
    assert 1 / (made.weights**2).sum() < len(made.weights)


def test_a_model_that_holds_all_for_impossible_tells_nothing() -> None:
    view = line(Rules.of_preset("three"), 3)[8].view(0)
    made = weighed(view, Never(), 50, 1)
    assert made.weights == pytest.approx(1 / 50)
