"""What the network is shown of a seat's knowledge: a few dozen marks out of some hundreds, and a few numbers.

Suits are told in an order of their own, trump first and the others by what is held of them, so that parties that differ
in the names of suits alone are one and the same to the network. Other seats are told in playing order after one's own.
Kernel Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.cards import ALL_CARDS
from chouine.fast.compiler import kernel
from chouine.rules.combinations import CHOUINE, MARIAGE, QUINTE, TRENTE
from chouine.rules.play import total
from chouine.rules.position import Four, Position

MARKS = 160
"""More marks than a seat ever sees at once."""
OUTPUTS = 65
"""An act each: a card laid, a card laid with the best declaration it can be; and what the position is worth."""
SPOKEN, WORTH = 32, 64
HAND, FIGURES = 0, 18


class Layout(NamedTuple):
    """Where each kind of input begins; one's hand comes first. `known`, `table`, `others_said`: one after another."""

    known: int
    """Cards known to be with each other seat."""
    unseen: int
    table: int
    """The card each other seat has laid."""
    turned: int
    own_said: int
    others_said: int
    tricks: int
    trump_set: int
    on_lead: int
    last_to_lay: int
    """Of more than two seats, as are the next two."""
    best: int
    """The card that takes the trick so far."""
    taker: int
    """Who laid it."""
    played: int
    """Cards that each other seat has laid, in this trick or before: what it parts with tells of what it keeps."""
    numbers: int
    inputs: int
    """How many inputs there are."""


@kernel
def layout(seats: int) -> Layout:
    """What a network for so many seats is shown."""
    others = seats - 1
    unseen = 32 * seats
    table = unseen + 32
    turned = table + 32 * others
    own_said = turned + 32
    tricks = own_said + FIGURES * seats
    trump_set = tricks + 16
    best = trump_set + 3
    taker = best + (32 if seats > 2 else 0)
    played = taker + (others if seats > 2 else 0)
    numbers = played + 32 * others
    return Layout(
        32, unseen, table, turned, own_said, own_said + FIGURES, tricks, trump_set, trump_set + 1, trump_set + 2,
        best, taker, played, numbers, numbers + 3 * seats - 1,
    )  # fmt: skip


@kernel
def suit_order(hand: int, known: int, unseen: int, played: int, trump: int) -> int:
    """By suit, its place in the network's order, two bits each. `played`: what the others have laid."""
    order = 0
    for suit in range(4):
        key = suit_key(hand, known, unseen, played, trump, suit)
        place = 0
        for other in range(4):
            other_key = suit_key(hand, known, unseen, played, trump, other)
            if other_key > key or (other_key == key and other < suit):
                place += 1
        order |= place << 2 * suit
    return order


@kernel
def suit_key(hand: int, known: int, unseen: int, played: int, trump: int, suit: int) -> int:
    shift = 8 * suit
    first = 1 << 32 if suit == trump else 0
    own = first | (hand >> shift & 0xFF) << 24 | (known >> shift & 0xFF) << 16
    return own | (unseen >> shift & 0xFF) << 8 | played >> shift & 0xFF


@kernel
def renamed(card: int, order: int) -> int:
    """A card by the network's names of suits."""
    return (order >> 2 * (card >> 3) & 3) << 3 | card & 7


@kernel
def marked_cards(cards: int, order: int, at: int, marks: Any, many: int) -> int:
    for card in range(32):
        if cards >> card & 1:
            marks[many] = at + renamed(card, order)
            many += 1
    return many


@kernel
def marked_figures(said: int, order: int, at: int, marks: Any, many: int) -> int:
    for nth in range(18):
        if said >> MARIAGE + nth & 1:
            place = nth
            if MARIAGE + nth < QUINTE:
                place = nth & ~3 | order >> 2 * (nth & 3) & 3
            elif MARIAGE + nth > TRENTE:
                place = CHOUINE - MARIAGE + (order >> 2 * (MARIAGE + nth - CHOUINE) & 3)
            marks[many] = at + place
            many += 1
    return many


@kernel
def mark_seat(seats: int, p: Position, seat: int, known: Four, played: Four, marks: Any) -> tuple[int, int]:
    """Write the marks of what a seat knows of a position; how many there are, and the order of suits.

    `known`: what all know each seat to hold; `played`: the cards it has laid.
    """
    at, hand = layout(seats), p.hands[seat]
    turned = 1 << p.turnup if p.turnup >= 0 else 0
    shown, gone = 0, 0
    for other in range(seats):
        shown |= known[other] if other != seat else 0
        gone |= played[other]
    unseen = ALL_CARDS & ~(hand | shown | gone | turned)
    order = suit_order(hand, shown, unseen, gone & ~played[seat], p.trump)
    many = marked_cards(hand, order, HAND, marks, 0)
    for nth in range(seats - 1):
        many = marked_cards(known[(seat + 1 + nth) % seats], order, at.known + 32 * nth, marks, many)
    many = marked_cards(unseen, order, at.unseen, marks, many)
    for nth in range(seats - 1):
        laid = p.table >> 6 * ((seat + 1 + nth - p.leader) % seats) & 63
        many = marked_cards(1 << laid >> 1, order, at.table + 32 * nth, marks, many)
    many = marked_cards(turned, order, at.turned, marks, many)
    many = marked_figures(p.said[seat], order, at.own_said, marks, many)
    for nth in range(seats - 1):
        said = p.said[(seat + 1 + nth) % seats]
        many = marked_figures(said, order, at.others_said + FIGURES * nth, marks, many)
        many = marked_cards(played[(seat + 1 + nth) % seats], order, at.played + 32 * nth, marks, many)
    marks[many] = at.tricks + p.tricks
    many += 1
    if p.trump >= 0:
        marks[many] = at.trump_set
        many += 1
    if p.leader == seat:
        marks[many] = at.on_lead
        many += 1
    return marked_trick(seats, p, seat, order, marks, many), order


@kernel
def marked_trick(seats: int, p: Position, seat: int, order: int, marks: Any, many: int) -> int:
    """How the trick on the table stands, where more than one card may lie there."""
    if seats == 2:
        return many
    at = layout(seats)
    if p.leader == (seat + 1) % seats:
        marks[many] = at.last_to_lay
        many += 1
    if p.table:
        marks[many] = at.best + renamed(p.best, order)
        marks[many + 1] = at.taker + (p.taker - seat - 1) % seats
        many += 2
    return many


@kernel
def write_standing(seats: int, p: Position, seat: int, numbers: Any) -> None:
    """Write the numbers: what each has, of tricks and declarations together, and of declarations alone."""
    own, others = total(p, seat), seats - 1
    numbers[0] = own / 100.0
    numbers[1 + 2 * others] = p.declared[seat] / 100.0
    for nth in range(others):
        other = (seat + 1 + nth) % seats
        numbers[1 + nth] = total(p, other) / 100.0
        numbers[1 + others + nth] = (own - total(p, other)) / 50.0
        numbers[2 + 2 * others + nth] = p.declared[other] / 100.0
