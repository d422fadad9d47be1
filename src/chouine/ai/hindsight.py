"""Worlds of more than two seats, the likelier drawn the more often, by what the others' play tells.

What a seat held earlier follows from what it holds now in a world: a card it laid was there before, and the card it
drew may be any of those it held then. Every way back to the deal is as likely, so one is followed in each world; the
world is then as likely as a model says that all was done that was done on that way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.beliefs import Stage, onlooker, public
from chouine.ai.likelihood import TEMPER, Floats, Ints
from chouine.ai.network import Network
from chouine.ai.opponent import TEMPERATURE, share_of
from chouine.ai.worlds import Worlds, worlds
from chouine.fast.bits import advance, chosen, high_half, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.seats import WIDTH, Seats, four_in, load, put_four, seats, store
from chouine.partie.events import Drawn, Exchanged, Played
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.play import start
from chouine.rules.position import NONE, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

LAID, SWAPPED, DREW = 0, 1, 2
NO_DEED = (NONE,) * 5
MORE = 2
"""How many worlds are weighed for each one drawn."""
AT_RANDOM = 0.05 / 3
"""What an act is held to be as likely as at least, so that players unlike the model are not misread."""


class Past(NamedTuple):
    """What the others did, oldest first: a row and a column each."""

    deeds: Ints
    """What; the seat; the card laid, taken or drawn (or NONE); the declaration made with it or the card left for it;
    of a card drawn, those known to have been in hand already."""
    positions: Ints
    """What an onlooker knew before it."""
    played: Ints
    """The cards that each seat had laid before it."""


def past_of(view: View) -> Past:
    """What this view tells of the others."""
    book, known = view.book, onlooker(view)
    turnup = NONE if view.deal.turnup is None else int(view.deal.turnup)
    p = start(book, (0, 0, 0, 0), turnup, view.deal.dealer)
    stage = Stage(book, p, (0, 0, 0, 0), None, (), 0, 0, np.ones(1))
    deeds: list[tuple[int, ...]] = []
    positions = np.zeros((WIDTH, len(known.events)), np.int64)
    played = np.zeros((4, len(known.events)), np.int64)
    for event in known.events:
        p = stage.p
        match event:
            case Played(seat=seat, card=card):
                said = NONE if stage.said is None else int(stage.said)
                deed = (LAID, seat, int(card), said, 0)
            case Exchanged(seat=int(seat), card=card):
                deed = (SWAPPED, seat, int(card), 8 * p.trump, 0)
            case Drawn(seat=seat, card=card):
                deed = (DREW, seat, NONE if card is None else int(card), 0, p.hands[seat])
            case _:
                deed = NO_DEED
        if deed[1] not in (NONE, view.observer):
            store(positions, len(deeds), p)
            put_four(played, 0, len(deeds), stage.played)
            deeds.append(deed)
        stage = public(stage, event)
    return Past(np.array(deeds, np.int64).reshape(-1, 5), positions, played)


def hindsight(view: View, past: Past, network: Network, many: int, seed: int) -> Worlds:
    """So many worlds as likely as the network would have played so in them, if it is half believed."""
    among = worlds(view, many * MORE, seed)
    weights = np.zeros(len(among.hands))
    stream = signed(mixed(seed + 1))
    weigh(view.book, network, *past, stream, among.hands, weights)
    reached = np.cumsum(weights if weights.any() else among.weights)
    rows = np.searchsorted(reached, (np.arange(many) + 0.5) / many * reached[-1])
    return Worlds(among.hands[rows], among.talons[rows], np.full(many, 1 / many))


@compiled
def weigh(
    book: Book,
    network: Network,
    deeds: Ints,
    positions: Any,
    played: Ints,
    stream: int,
    hands: Ints,
    weights: Floats,
) -> None:
    """By world, how likely it is that all was done that was, on one way back to the deal; 0 if it could not be."""
    for row in range(len(hands)):
        held = Seats(hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3])
        weight = 1.0
        for nth in range(len(deeds) - 1, -1, -1):
            what, seat, card, other, cards = (
                deeds[nth, 0], deeds[nth, 1], deeds[nth, 2], deeds[nth, 3], deeds[nth, 4],
            )  # fmt: skip
            hand = held[seat]
            if what == LAID:
                hand |= 1 << card
                q = load(positions, nth)
                own = Position(put(q.hands, seat, hand), *q[1:])
                laid = four_in(played, 0, nth)
                share = share_of(book, network, own, q.hands, seat, laid, card, other, 1 / TEMPERATURE)
                weight *= max(share, AT_RANDOM) ** TEMPER if share > 0 else 0.0
            elif card >= 0:
                weight *= hand >> card & 1
                hand &= ~(1 << card)
                hand |= 1 << other if what == SWAPPED else 0
            else:
                stream = advance(stream)
                free = hand & ~cards
                if free:
                    hand &= ~(1 << chosen(free, high_half(mixed(stream))))
                else:
                    weight = 0.0
            if weight == 0:
                break
            held = seats(put(held, seat, hand))
        weights[row] = weight
