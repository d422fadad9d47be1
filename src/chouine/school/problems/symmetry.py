"""Find positions that differ only by the names of suits."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations

from chouine.cards import PACK, Card, CardSet
from chouine.notation.setup import Setup

ORDERS = tuple(permutations(range(4)))


def shape(setup: Setup) -> str:
    """A canonical text of what a problem shows, seats counted from the one on turn: equal up to renaming of suits.

    Tricks taken and declarations are left out, so that problems that differ only in those count as equal.
    """
    return min(renamed(setup, order) for order in ORDERS)


def named(setup: Setup) -> str:
    """The id of a problem: ten hexadecimal digits of its shape's digest."""
    return sha256(shape(setup).encode()).hexdigest()[:10]


def renamed(setup: Setup, order: tuple[int, ...]) -> str:
    """The rules, hands, table, and turnup or trump as text, with suits renamed by `order`."""
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
    """The card with its suit renamed."""
    return PACK[8 * order[card.suit] + card.rank]
