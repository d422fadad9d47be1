"""Whose decision it is, one action at a time; and what has been seen by all of the cards that seats hold.

Kernel Python, as in `rules`. A learner's step is one of the 51 actions of `rules.combinations`, or `LET_PASS`: at
"au sept" (§11) the seat that holds the seven is asked before the lead, and nobody is told that it was.
"""

from __future__ import annotations

from typing import NamedTuple

from chouine.cards import BRISQUES
from chouine.fast.compiler import kernel
from chouine.fast.seats import Seats, seats
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, BRISQUE_FIGURES, EXCHANGE, MARIAGE
from chouine.rules.play import au_sept, exchanger, legal_for
from chouine.rules.position import Four, Position, put

LET_PASS = ACTIONS
"""At "au sept", keep the seven (§11)."""
NUMBERS = ACTIONS + 1
"""How many actions are numbered."""
OTHERS_SEVEN = 1 << EXCHANGE | 1 << LET_PASS
"""What a seat that is not on turn may do at "au sept"."""


class Seen(NamedTuple):
    """What everybody has seen of the cards that seats hold and held, as sets of cards by seat."""

    known: Four
    """Cards in hand that the others know of: shown (§9.5), taken for the seven (§11), or drawn as the turnup (§5)."""
    showing: Four
    """Cards to be laid open when the trick is complete: until then those of a quinte or trente are hidden (§9.5)."""
    played: Four


@kernel
def actor(book: Book, p: Position, let_pass: int) -> int:
    """The seat whose decision it is, or NONE. `let_pass`: the seven's holder has let "au sept" pass."""
    if p.turn >= 0 and not let_pass and au_sept(book, p):
        holder = exchanger(book, p)
        if holder >= 0:
            return holder
    return p.turn


@kernel
def choices(book: Book, p: Position, seat: int) -> int:
    """The actions open to the seat whose decision it is, as a set of numbers."""
    return legal_for(book, p, seat) if seat == p.turn else OTHERS_SEVEN


@kernel
def seen_after(book: Book, before: Position, after: Position, seat: int, action: int, seen: Seen) -> Seen:
    """What has been seen once a seat has done this."""
    known, showing, played = seen
    if action == EXCHANGE:
        return Seen(put(known, seat, known[seat] | 1 << before.turnup), showing, played)
    if action > EXCHANGE:
        cards = book.figure_cards[action - MARIAGE]
        if 1 << action & BRISQUE_FIGURES:
            cards = before.hands[seat] & BRISQUES
        return Seen(known, put(showing, seat, cards), played)
    played = put(played, seat, played[seat] | 1 << action)
    known = put(known, seat, known[seat] & ~(1 << action))
    if after.table != 0:
        return Seen(known, showing, played)
    drawn = 1 << before.turnup if before.turnup >= 0 and after.turnup < 0 else 0
    return Seen(laid_open(after.hands, showing, known, drawn), seats((0, 0, 0, 0)), played)


@kernel
def laid_open(hands: Four, showing: Four, known: Four, drawn: int) -> Four:
    """The trick is complete: declared cards are shown, and who drew the turnup holds it."""
    return Seats(
        known[0] | hands[0] & (showing[0] | drawn),
        known[1] | hands[1] & (showing[1] | drawn),
        known[2] | hands[2] & (showing[2] | drawn),
        known[3] | hands[3] & (showing[3] | drawn),
    )


def rewards_of(seats: int, winner: int | None) -> list[float]:
    """What each seat is rewarded when the partie is over."""
    if winner is None:
        return [0.0] * seats
    return [1.0 if seat == winner else -1.0 / (seats - 1) for seat in range(seats)]
