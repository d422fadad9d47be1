"""Why one act is better than another, in what can be counted: both are played on in the same worlds, and compared."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.acts import NO_CARD, act_of, own_seat
from chouine.ai.foresight import carried_on, entered, in_world, seated_sight
from chouine.ai.manner import Manner, by_network
from chouine.ai.network import Network
from chouine.ai.worlds import Worlds
from chouine.cards import BRISQUES, SUIT_CARDS
from chouine.fast.bits import how_many
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import seated
from chouine.fast.seen import Seen
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.position import Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

TRAITS = ("tricks", "declared", "others-declared", "trumps", "brisques", "chouine", "others-chouine")
"""What is counted when the talon is empty: points taken beyond the best other's, points declared and declared by the
best other, trumps and brisques kept for the last tricks; and parties that a chouine has ended by then (§10)."""
COUNTED = 5
"""So many of them are counted only in parties that no chouine has ended."""
TURNUP = "turnup"
"""What speaks for an exchange whatever is counted: by how many ranks the turnup is above the seven (§11)."""
NOTABLE = (1.5, 1.5, 1.5, 0.12, 0.12, 0.02, 0.02)
"""Smaller differences are not worth a word."""
NOT_COUNTED = float("nan")


class Reason(NamedTuple):
    """What an act brings more of than another, on average."""

    trait: str
    difference: float


@kernel
def count(book: Book, p: Position, seat: int, found: Any) -> None:
    """Write the traits of a position. A chouine makes points, trumps and brisques decide nothing (§10)."""
    if p.turn < 0 and p.chouine >= 0:
        found[:COUNTED] = NOT_COUNTED
        found[5] = 1 if p.chouine == seat else 0
        found[6] = 0 if p.chouine == seat else -1
        return
    taken, declared = 0, 0
    for other in range(book.seats):
        if other != seat:
            taken = max(taken, p.points[other])
            declared = max(declared, p.declared[other])
    found[0] = p.points[seat] - taken
    found[1] = p.declared[seat]
    found[2] = -declared
    found[3] = how_many(p.hands[seat] & SUIT_CARDS[p.trump]) if p.trump >= 0 else 0
    found[4] = how_many(p.hands[seat] & BRISQUES)


@compiled
def count_traits(
    book: Book,
    p: Position,
    seen: Seen,
    seat: int,
    act: int,
    hands: Any,
    talons: Any,
    manner: Manner,
    found: Any,
) -> None:
    """Play an act on in each world (row) until the talon is empty, as `card_by` would, and write the traits there."""
    for world in range(len(hands)):
        talon = talons[world]
        here, before = in_world(p, seen, hands[world])
        q, told = entered(book, talon, here, before, seat, act)
        passed = act == NO_CARD
        while q.turn >= 0 and (q.tricks < book.drawing or q.table != 0):
            q, told, _ = carried_on(book, talon, q, told, manner, passed)
            passed = False
        count(book, q, seat, found[world])


def traits(view: View, act: int, among: Worlds, network: Network) -> Any:
    """The traits that an act leads to in each world: (worlds, traits)."""
    found = np.zeros((len(among.hands), len(TRAITS)))
    count_traits(
        view.book,
        seated(view.position),
        seated_sight(view),
        own_seat(view),
        act,
        among.hands,
        among.talons,
        by_network(view.rules, network),
        found,
    )
    return found


def reasons(
    view: View, better: Action | None, worse: Action | None, among: Worlds, network: Network
) -> list[Reason]:
    """At most two things that speak for one act beside another, the weightiest first; none where all is known.

    Both are played on by a network, or by rules of thumb where it has no units, as the chances told beside them are.
    An exchange is spoken for by the card it brings, and by one more.
    """
    if view.position.tricks >= view.book.drawing:
        return []
    ahead = traits(view, act_of(better), among, network) - traits(view, act_of(worse), among, network)
    gained = np.nan_to_num(ahead).mean(axis=0) / np.array(NOTABLE)
    told = [Reason(TURNUP, view.turnup.rank)] if isinstance(better, Exchange) and view.turnup else []
    weighty = [nth for nth in np.argsort(-gained) if gained[nth] >= 1][: 2 - len(told)]
    return told + [Reason(TRAITS[nth], float(gained[nth] * NOTABLE[nth])) for nth in weighty]
