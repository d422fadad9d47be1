"""Network inputs: a seat's knowledge as a few dozen active binary inputs ("marks") and a few scalars.

Suits are permuted into a canonical order, trump first, so that positions equal up to suit names have equal inputs.
Other seats are numbered in playing order after one's own. Kernel Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.cards import ALL_CARDS
from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.rules.combinations import CHOUINE, MARIAGE, QUINTE, TRENTE
from chouine.rules.play import total
from chouine.rules.position import Four, Position

MAX_MARKS = 160
"""Upper bound on active inputs."""
OUTPUTS = 65
"""Network outputs: 32 for each card laid, 32 for each laid with its best declaration, 1 for the position's value."""
MARKS_KEPT = 64
"""Active inputs stored per decision."""
DECLARED_SLOTS, VALUE_SLOT = 32, 64
HAND_INPUTS, FIGURE_INPUTS = 0, 18


class Layout(NamedTuple):
    """Offset of each group of inputs; the own hand comes first.

    `known`, `table`, `others_said` repeat for each other seat.
    """

    known: int
    """Cards known to be in each other hand."""
    unseen: int
    table: int
    """The card each other seat has laid in this trick."""
    turned: int
    own_said: int
    others_said: int
    tricks: int
    trump_set: int
    on_lead: int
    last_to_lay: int
    """This and the next two only with more than two seats."""
    best: int
    """The card that takes the trick so far."""
    taker: int
    """The seat that laid it."""
    played: int
    """Cards each other seat has laid: what a hand discards says what it keeps."""
    numbers: int
    inputs: int
    """The number of inputs."""


@kernel
def layout(seats: int) -> Layout:
    """The input layout for this number of seats."""
    others = seats - 1
    unseen = 32 * seats
    table = unseen + 32
    turned = table + 32 * others
    own_said = turned + 32
    tricks = own_said + FIGURE_INPUTS * seats
    trump_set = tricks + 16
    best = trump_set + 3
    taker = best + (32 if seats > 2 else 0)
    played = taker + (others if seats > 2 else 0)
    numbers = played + 32 * others
    return Layout(
        32, unseen, table, turned, own_said, own_said + FIGURE_INPUTS, tricks, trump_set, trump_set + 1, trump_set + 2,
        best, taker, played, numbers, numbers + 3 * seats - 1,
    )  # fmt: skip


@kernel
def suit_order(hand: int, known: int, unseen: int, played: int, trump: int) -> int:
    """Canonical position of each suit, two bits per suit. `played`: cards laid by the others."""
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
def canonical_card(card: int, order: int) -> int:
    """The card with its suit renamed canonically."""
    return (order >> 2 * (card >> 3) & 3) << 3 | card & 7


@kernel
def mark_cards(cards: int, order: int, at: int, marks: Any, count: int) -> int:
    for card in range(32):
        if cards >> card & 1:
            marks[count] = at + canonical_card(card, order)
            count += 1
    return count


@kernel
def mark_figures(said: int, order: int, at: int, marks: Any, count: int) -> int:
    for nth in range(18):
        if said >> MARIAGE + nth & 1:
            place = nth
            if MARIAGE + nth < QUINTE:
                place = nth & ~3 | order >> 2 * (nth & 3) & 3
            elif MARIAGE + nth > TRENTE:
                place = CHOUINE - MARIAGE + (order >> 2 * (MARIAGE + nth - CHOUINE) & 3)
            marks[count] = at + place
            count += 1
    return count


@kernel
def mark_seat(seats: int, p: Position, seat: int, known: Four, played: Four, marks: Any) -> tuple[int, int]:
    """Write the active inputs of a seat's knowledge to `marks: int64[MAX_MARKS]`.

    Returns their number and the suit order.

    `known`: public cards in each hand; `played`: cards each seat has laid, as sets by seat.
    """
    at, hand = layout(seats), p.hands[seat]
    turned = 1 << p.turnup if p.turnup >= 0 else 0
    known_elsewhere, fallen = 0, 0
    for other in range(seats):
        known_elsewhere |= known[other] if other != seat else 0
        fallen |= played[other]
    unseen = ALL_CARDS & ~(hand | known_elsewhere | fallen | turned)
    order = suit_order(hand, known_elsewhere, unseen, fallen & ~played[seat], p.trump)
    count = mark_cards(hand, order, HAND_INPUTS, marks, 0)
    for nth in range(seats - 1):
        count = mark_cards(known[(seat + 1 + nth) % seats], order, at.known + 32 * nth, marks, count)
    count = mark_cards(unseen, order, at.unseen, marks, count)
    for nth in range(seats - 1):
        laid = p.table >> 6 * ((seat + 1 + nth - p.leader) % seats) & 63
        count = mark_cards(1 << laid >> 1, order, at.table + 32 * nth, marks, count)
    count = mark_cards(turned, order, at.turned, marks, count)
    count = mark_figures(p.said[seat], order, at.own_said, marks, count)
    for nth in range(seats - 1):
        said = p.said[(seat + 1 + nth) % seats]
        count = mark_figures(said, order, at.others_said + FIGURE_INPUTS * nth, marks, count)
        count = mark_cards(played[(seat + 1 + nth) % seats], order, at.played + 32 * nth, marks, count)
    marks[count] = at.tricks + p.tricks
    count += 1
    if p.trump >= 0:
        marks[count] = at.trump_set
        count += 1
    if p.leader == seat:
        marks[count] = at.on_lead
        count += 1
    return mark_trick(seats, p, seat, order, marks, count), order


@kernel
def mark_trick(seats: int, p: Position, seat: int, order: int, marks: Any, count: int) -> int:
    """Mark the state of the current trick, where it can hold more than one card."""
    if seats == 2:
        return count
    at = layout(seats)
    if p.leader == (seat + 1) % seats:
        marks[count] = at.last_to_lay
        count += 1
    if p.table:
        marks[count] = at.best + canonical_card(p.best, order)
        marks[count + 1] = at.taker + (p.taker - seat - 1) % seats
        count += 2
    return count


@kernel
def write_scalars(seats: int, p: Position, seat: int, numbers: Any) -> None:
    """Write the scalar inputs: each seat's points, and declaration points alone."""
    own, others = total(p, seat), seats - 1
    numbers[0] = own / 100.0
    numbers[1 + 2 * others] = p.declared[seat] / 100.0
    for nth in range(others):
        other = (seat + 1 + nth) % seats
        numbers[1 + nth] = total(p, other) / 100.0
        numbers[1 + others + nth] = (own - total(p, other)) / 50.0
        numbers[2 + 2 * others + nth] = p.declared[other] / 100.0


@kernel
def write_observation(
    seats: int, p: Position, public: PublicKnowledge, marks: Any, numbers: Any, scratch: Any
) -> int:
    """Write the inputs of the seat on turn; returns the suit order."""
    count, order = mark_seat(seats, p, p.turn, public.known, public.played, scratch)
    for nth in range(len(marks)):
        marks[nth] = scratch[nth] if nth < count else layout(seats).inputs
    write_scalars(seats, p, p.turn, numbers)
    return order
