"""What everybody has seen of the cards that seats hold and held. Kernel Python."""

from __future__ import annotations

from typing import NamedTuple

from chouine.cards import BRISQUES
from chouine.fast.compiler import kernel
from chouine.fast.seats import Seats, seats
from chouine.rules.book import Book
from chouine.rules.combinations import BRISQUE_FIGURES, EXCHANGE, MARIAGE
from chouine.rules.position import Four, Position, put


class Seen(NamedTuple):
    """Sets of cards by seat."""

    known: Four
    """Cards in hand that the others know of: shown (§9.5), taken for the seven (§11), or drawn as the turnup (§5)."""
    showing: Four
    """Cards to be laid open when the trick is complete: until then those of a quinte or trente are hidden (§9.5)."""
    played: Four


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
def all_played(seen: Seen) -> int:
    """The cards fallen or laid."""
    return seen.played[0] | seen.played[1] | seen.played[2] | seen.played[3]


@kernel
def laid_open(hands: Four, showing: Four, known: Four, drawn: int) -> Four:
    """The trick is complete: declared cards are shown, and who drew the turnup holds it."""
    return Seats(
        known[0] | hands[0] & (showing[0] | drawn),
        known[1] | hands[1] & (showing[1] | drawn),
        known[2] | hands[2] & (showing[2] | drawn),
        known[3] | hands[3] & (showing[3] | drawn),
    )
