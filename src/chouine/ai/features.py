"""What two seats' network is shown of a seat's knowledge: a few dozen marks out of some two hundred, and five numbers.

Suits are told in an order of their own, trump first and the others by what is held of them, so that parties that differ
in the names of suits alone are one and the same to the network. Kernel Python.
"""

from __future__ import annotations

from typing import Any

from chouine.cards import ALL_CARDS
from chouine.fast.compiler import kernel
from chouine.rules.combinations import CHOUINE, MARIAGE, QUINTE, TRENTE
from chouine.rules.position import Position

HAND, KNOWN, UNSEEN, TABLE, TURNED, OWN_SAID, OTHERS_SAID, TRICKS = 0, 32, 64, 96, 128, 160, 178, 196
"""Where each kind of mark begins: cards held, known with the other, unseen, laid, turned up; what was said; tricks."""
TRUMP_SET, ON_LEAD, NUMBERS = 212, 213, 215
INPUTS = 220
MARKS = 160
"""More marks than a seat ever sees at once."""
OUTPUTS = 65
"""An act each: a card laid, a card laid with the best declaration it can be; and what the position is worth."""
SPOKEN, WORTH = 32, 64


@kernel
def suit_order(hand: int, known: int, unseen: int, trump: int) -> int:
    """By suit, its place in the network's order, two bits each."""
    order = 0
    for suit in range(4):
        key = suit_key(hand, known, unseen, trump, suit)
        place = 0
        for other in range(4):
            other_key = suit_key(hand, known, unseen, trump, other)
            if other_key > key or (other_key == key and other < suit):
                place += 1
        order |= place << 2 * suit
    return order


@kernel
def suit_key(hand: int, known: int, unseen: int, trump: int, suit: int) -> int:
    shift = 8 * suit
    first = 1 << 24 if suit == trump else 0
    return first | (hand >> shift & 0xFF) << 16 | (known >> shift & 0xFF) << 8 | unseen >> shift & 0xFF


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
def mark(
    hand: int,
    known: int,
    gone: int,
    laid: int,
    turnup: int,
    trump: int,
    own_said: int,
    others_said: int,
    tricks: int,
    on_lead: int,
    marks: Any,
) -> tuple[int, int]:
    """Write the marks of a seat's knowledge; how many there are, and the order of suits."""
    turned = 1 << turnup if turnup >= 0 else 0
    unseen = ALL_CARDS & ~(hand | known | gone | turned)
    order = suit_order(hand, known, unseen, trump)
    many = marked_cards(hand, order, HAND, marks, 0)
    many = marked_cards(known, order, KNOWN, marks, many)
    many = marked_cards(unseen, order, UNSEEN, marks, many)
    many = marked_cards(1 << laid >> 1, order, TABLE, marks, many)
    many = marked_cards(turned, order, TURNED, marks, many)
    many = marked_figures(own_said, order, OWN_SAID, marks, many)
    many = marked_figures(others_said, order, OTHERS_SAID, marks, many)
    marks[many] = TRICKS + tricks
    many += 1
    if trump >= 0:
        marks[many] = TRUMP_SET
        many += 1
    if on_lead:
        marks[many] = ON_LEAD
        many += 1
    return many, order


@kernel
def mark_seat(p: Position, seat: int, hand: int, known: int, gone: int, marks: Any) -> tuple[int, int]:
    """Write the marks of what a seat knows of a position; how many there are, and the order of suits."""
    laid, on_lead = p.table & 63, int(p.leader == seat)
    own_said, others_said = p.said[seat], p.said[1 - seat]
    return mark(hand, known, gone, laid, p.turnup, p.trump, own_said, others_said, p.tricks, on_lead, marks)


@kernel
def standing(own: int, others: int, own_declared: int, others_declared: int) -> tuple[float, ...]:
    """The numbers: what each has, of tricks and declarations together, and of those declarations alone."""
    return own / 100.0, others / 100.0, (own - others) / 50.0, own_declared / 100.0, others_declared / 100.0


@kernel
def standing_of(p: Position, seat: int) -> tuple[float, ...]:
    """The numbers for a seat of a position."""
    other = 1 - seat
    own, others = p.points[seat] + p.declared[seat], p.points[other] + p.declared[other]
    return standing(own, others, p.declared[seat], p.declared[other])
