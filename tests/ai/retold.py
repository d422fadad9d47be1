"""Whole parties: by chance from a seed, and from a world, by the acts of a view, a deal that comes to it."""

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
    """The partie in which these hands and this talon are left now; None where a rule says it cannot have been."""
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
    """The one world that is."""
    hands, talons = np.zeros((1, 4), np.int64), np.zeros((1, TALON_PLACES), np.int64)
    hands[0, : len(state.position.hands)] = state.position.hands
    order = drawing_order(state.deal.talon)
    talons[0, : len(order)] = order
    return Worlds(hands, talons)


def line(rules: Rules, seed: int) -> list[State]:
    """A partie's states to its end, what is rare more often than by chance."""
    rng = Random(seed)
    states = [State.new(rules, any_deal(rules, rng))]
    while not states[-1].result:
        states.append(states[-1].play(choose(states[-1].legal(), rng, 0.5)))
    return states
