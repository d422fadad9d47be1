"""Positions that are alike but for the names of suits."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations

from chouine.cards import PACK, Card, CardSet
from chouine.notation.setup import Setup

ORDERS = tuple(permutations(range(4)))


def shape(setup: Setup) -> str:
    """What a problem shows, seats counted from the one to act: the same for all that differ by suits' names alone.

    Tricks taken and declarations are left out, so that two problems that differ in nothing else count as alike.
    """
    return min(renamed(setup, order) for order in ORDERS)


def named(setup: Setup) -> str:
    """A name for a shape: ten hexadecimal digits."""
    return sha256(shape(setup).encode()).hexdigest()[:10]


def renamed(setup: Setup, order: tuple[int, ...]) -> str:
    """The rules, the hands from the seat to act on, the table, and the turnup or the trump suit."""
    seats = setup.rules.seats
    hands = (setup.hands[(setup.to_act + nth) % seats] for nth in range(seats))
    fields = [
        str(setup.rules),
        "|".join(f"{CardSet([other(card, order) for card in hand.known])}+{hand.unknown}" for hand in hands),
        "".join(str(other(card, order)) for card in setup.table),
        "-" if setup.turnup is None else str(other(setup.turnup, order)),
        "-" if setup.trump is None else str(order[setup.trump]),
    ]
    return " ".join(fields)


def other(card: Card, order: tuple[int, ...]) -> Card:
    """A card in the suit that its own is renamed to."""
    return PACK[8 * order[card.suit] + card.rank]
