"""Observations contain what the seat knows, at the documented places, and no hidden information (§14)."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given

from chouine.cards import CardSet
from chouine.envs.encode import (
    LET_PASS,
    NUMBERS,
    Observation,
    encode,
    highs,
    layout,
    mask_of,
    open_to,
    size_of,
)
from chouine.partie import State, View
from chouine.rules.combinations import DECLARATIONS, EXCHANGE, MARIAGE
from chouine.rules.play import legal_for
from tests.laws.strategies import SEEDS, moments
from tests.laws.worlds import another_world


def parts(observation: Observation, seats: int) -> dict[str, list[list[int]]]:
    """The values of each field, by repetition."""
    return {
        field.name: observation[field.start : field.stop].reshape(field.times, field.size).tolist()
        for field in layout(seats)
    }


def cards(numbers: list[int]) -> CardSet:
    return CardSet(sum(mark << card for card, mark in enumerate(numbers)))


def marks(numbers: list[int]) -> list[int]:
    return [number for number, mark in enumerate(numbers) if mark]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_fields_follow_one_another(seats: int) -> None:
    fields = layout(seats)
    assert [field.start for field in fields] == [0, *(field.stop for field in fields[:-1])]
    assert len(highs(seats)) == size_of(seats) == fields[-1].stop
    assert size_of(seats) == {2: 257, 3: 374, 4: 491}[seats]


@given(moments())
def test_an_observation_contains_what_its_seat_knows(state: State) -> None:
    """§14, §9.5: Every field equals the view's data, seats numbered from the observer."""
    seats = state.rules.seats
    for seat in range(seats):
        view = state.view(seat)
        observation = encode(view)
        assert observation.dtype == np.uint8
        assert observation.shape == (size_of(seats),)
        assert (observation <= highs(seats)).all()
        told = parts(observation, seats)
        round_from_here = [(seat + nth) % seats for nth in range(seats)]
        assert cards(told["hand"][0]) == view.hand
        assert [cards(one) for one in told["known"]] == [
            view.held(other).known for other in round_from_here[1:]
        ]
        table = [CardSet(1 << event.card) for event in view.table]
        fallen = {other: CardSet() for other in round_from_here}
        for trick in view.tricks:
            for nth, card in enumerate(trick.cards):
                fallen[(trick.leader + nth) % seats] |= CardSet(1 << card)
        for event in view.table:
            fallen[event.seat] |= CardSet(1 << event.card)
        if state.result:  # the trick that a chouine ends is neither on the table nor taken (§10)
            table = []
        assert [cards(one) for one in told["table"]] == table + [CardSet()] * (seats - 1 - len(table))
        assert [cards(one) for one in told["played"]] == [fallen[other] for other in round_from_here]
        assert cards(told["turnup"][0]) == CardSet([view.turnup] if view.turnup is not None else [])
        assert marks(told["trump"][0]) == ([view.trump] if view.trump is not None else [])
        assert marks(told["leader"][0]) == [(view.position.leader - seat) % seats]
        assert marks(told["pending"][0]) == []
        said = [
            [event.declaration for event in view.said if event.seat == other] for other in round_from_here
        ]
        assert [[MARIAGE + n for n in marks(one)] for one in told["said"]] == [
            sorted(set(one)) for one in said
        ]
        assert told["tricks"] == [[len(view.tricks)]]
        points = [view.points[other] for other in round_from_here]
        counted = zip(told["points"], told["declared"], strict=True)
        assert [taken[0] + 10 * tens[0] for taken, tens in counted] == points


@given(moments(), SEEDS)
def test_two_worlds_that_look_alike_are_encoded_alike(state: State, seed: int) -> None:
    """§14: Redealing hidden cards changes neither observation nor actions, also after a declaration."""
    rng = Random(seed)
    for seat in range(state.rules.seats):
        view = state.view(seat)
        world = another_world(view, rng)
        assert world is not None
        other = world.view(seat)
        for pending in pendings(state, view):
            assert (encode(view, pending) == encode(other, pending)).all()
            assert open_to(view, pending) == open_to(other, pending)


def pendings(state: State, view: View) -> list[int]:
    """-1, and every declaration that the seat on turn can make now."""
    if view.observer != state.turn:
        return [-1]
    declarations = open_to(view) & DECLARATIONS
    return [-1, *(number for number in range(NUMBERS) if declarations >> number & 1)]


@given(moments())
def test_after_a_declaration_only_its_cards_are_legal(state: State) -> None:
    """§9.1: After a declaration the observation contains it, and the actions are its legal cards."""
    if state.turn is None:
        return
    view = state.view(state.turn)
    for pending in pendings(state, view)[1:]:
        told = parts(encode(view, pending), state.rules.seats)
        assert marks(told["pending"][0]) == [pending - MARIAGE]
        assert pending - MARIAGE in marks(told["said"][0])
        acts = [action for action in view.legal if getattr(action, "declaration", None) == pending]
        assert marks(mask_of(open_to(view, pending)).tolist()) == sorted({action.card for action in acts})  # type: ignore[union-attr]


@given(moments())
def test_only_who_may_act_has_actions(state: State) -> None:
    """§11: Only the seat on turn has actions, except the exchange or pass of another seat at "au sept"."""
    for seat in range(state.rules.seats):
        actions = open_to(state.view(seat))
        truly = 0 if state.result else legal_for(state.rule_table, state.position, seat)
        if seat == state.turn or not truly:
            assert actions == truly
        else:
            assert actions == 1 << EXCHANGE | 1 << LET_PASS


def test_a_spectator_has_no_observation() -> None:
    from chouine.partie import Deal
    from chouine.rules import Rules

    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    with pytest.raises(ValueError, match="spectator"):
        encode(state.view(None))
    assert open_to(state.view(None)) == 0
