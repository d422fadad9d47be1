"""Random parties from a seed, and parties reconstructed from a view and one of its worlds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from chouine.ai.determinization import TALON_PLACES, Worlds
from chouine.cards import Card
from chouine.partie import State, View
from chouine.partie.deal import drawing_order
from chouine.rules import Rules
from tests.laws.strategies import any_deal, choose
from tests.laws.worlds import Seen, dealt, fill, hidden, places, replayed, sightings


def retold(view: View, hands: Sequence[int], talon: Sequence[int]) -> State | None:
    """A partie with this view that leads to these hands and this talon; None if the rules exclude it."""
    rng, room, now = Random(1), places(view), len(view.events)
    seen = [sight for sight in sightings(view, rng) if not view.unseen.mask >> sight.card & 1]
    for seat in range(view.rules.seats):
        seen += [
            Seen(Card(card), seat, now)
            for card in range(32)
            if hands[seat] >> card & view.unseen.mask >> card & 1
        ]
    filling = fill(room, seen, hidden(view), rng)
    if filling is None:
        return None
    for at, place in enumerate(room):
        if place.seat is None and place.talon is not None:
            filling[at] = Card(int(talon[place.talon]))
    return replayed(view, dealt(view, room, filling))


def as_it_is(state: State) -> Worlds:
    """The true world of a state, as the only sample."""
    hands, talons = np.zeros((1, 4), np.int64), np.zeros((1, TALON_PLACES), np.int64)
    hands[0, : len(state.position.hands)] = state.position.hands
    order = drawing_order(state.deal.talon)
    talons[0, : len(order)] = order
    return Worlds(hands, talons)


def line(rules: Rules, seed: int) -> list[State]:
    """The states of a random partie; exchanges and declarations are more frequent than under uniform play."""
    rng = Random(seed)
    states = [State.new(rules, any_deal(rules, rng))]
    while not states[-1].result:
        states.append(states[-1].play(choose(states[-1].legal(), rng, 0.5)))
    return states
