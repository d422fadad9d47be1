"""Random parties from a seed, and parties reconstructed from a view and one of its worlds."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

import numpy as np

from chouine.ai.determinization import TALON_PLACES, Worlds
from chouine.ai.macro_actions import NO_CARD, own_seat
from chouine.ai.rollout import Policy, apply_act_publicly, enter_world, public_knowledge, rollout
from chouine.cards import Card
from chouine.fast.compiler import compiled
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import compiled_position, per_seat
from chouine.partie import State, View
from chouine.partie.deal import drawing_order
from chouine.rules import Rules
from tests.laws.strategies import any_deal, choose
from tests.laws.worlds import SeenCard, fill, fill_deal, hidden_cards, places, replay, sightings


def retold(view: View, hands: Sequence[int], talon: Sequence[int]) -> State | None:
    """A partie with this view that leads to these hands and this talon; None if the rules exclude it."""
    rng, room, now = Random(1), places(view), len(view.events)
    seen = [sight for sight in sightings(view, rng) if not view.unseen.mask >> sight.card & 1]
    for seat in range(view.rules.seats):
        seen += [
            SeenCard(Card(card), seat, now)
            for card in range(32)
            if hands[seat] >> card & view.unseen.mask >> card & 1
        ]
    filling = fill(room, seen, hidden_cards(view), rng)
    if filling is None:
        return None
    for at, place in enumerate(room):
        if place.seat is None and place.talon is not None:
            filling[at] = Card(int(talon[place.talon]))
    return replay(view, fill_deal(view, room, filling))


def as_it_is(state: State) -> Worlds:
    """The true world of a state, as the only sample."""
    hands, talons = np.zeros((1, 4), np.int64), np.zeros((1, TALON_PLACES), np.int64)
    hands[0, : len(state.position.hands)] = state.position.hands
    order = drawing_order(state.deal.talon)
    talons[0, : len(order)] = order
    return Worlds(hands, talons)


compiled_rollout = compiled(rollout)


def result_in(
    world: Worlds, view: View, act: int, policies: tuple[Policy, ...], types: Sequence[int]
) -> float:
    """The result of an act in this world: the search kernels' rollout, each seat playing its type's policy."""
    seat, talon = own_seat(view), world.talons[0]
    here, public = enter_world(
        compiled_position(view.position), public_knowledge(view), world.hands[0].tolist()
    )
    p, after = apply_act_publicly(view.rule_table, talon.tolist(), here, public, seat, act)
    carried = PublicKnowledge(*map(per_seat, after)), int(act == NO_CARD)
    seating, nodes = (policies, np.array(types, np.int64)), memoryview(array("q", [0]))
    return float(
        compiled_rollout(view.rule_table, talon, compiled_position(p), carried, seat, seating, nodes)
    )


def line(rules: Rules, seed: int) -> list[State]:
    """The states of a random partie; exchanges and declarations are more frequent than under uniform play."""
    rng = Random(seed)
    states = [State.new(rules, any_deal(rules, rng))]
    while not states[-1].result:
        states.append(states[-1].play(choose(states[-1].legal(), rng, 0.5)))
    return states
