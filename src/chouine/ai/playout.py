"""Parties played out by rules of thumb, two seats' last tricks exactly: what Monte Carlo players look ahead with."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.fast.compiler import kernel
from chouine.fast.openplay import open_margin
from chouine.players.thumb import thumb_card
from chouine.rules.book import Book
from chouine.rules.play import declare, exchange, exchanger, lay, winner
from chouine.rules.position import Position

LOSS, NULLE, WIN = 0.0, 0.5, 1.0
"""What a partie is worth to a seat. A nulle is played again (§12), so it is worth what a partie is before it."""


@kernel
def solved(book: Book, p: Position) -> bool:
    """Whether two seats have come to where both hands are known, between tricks."""
    return book.seats == 2 and p.tricks >= book.drawing and p.table == 0 and p.pending < 0 and p.turn >= 0


@kernel
def outcome(book: Book, p: Position, seat: int) -> float:
    """What a partie that is over is worth to a seat."""
    first = winner(book, p)
    if first < 0:
        return 1.0 / book.seats
    return WIN if first == seat else LOSS


@kernel
def ending(book: Book, p: Position, seat: int, nodes: memoryview) -> float:
    """What `solved` last tricks are worth to a seat, both playing their best; there is no talon."""
    return open_ending(book, nodes, p, seat, nodes)


@kernel
def open_ending(book: Book, talon: Sequence[int], p: Position, seat: int, nodes: memoryview) -> float:
    """What a position is worth to a seat of two that both play their best with all cards open."""
    nodes[0] = 1 << 40
    margin = open_margin(book, talon, p, seat, -1, 1, nodes)
    return WIN if margin > 0 else LOSS if margin < 0 else NULLE


@kernel
def laid_with(book: Book, talon: Sequence[int], p: Position, card: int, declaration: int) -> Position:
    """The position once the seat on turn has laid a card, declaring with it or, NONE, not."""
    if declaration >= 0:
        p = declare(book, p, declaration)
    return lay(book, talon, p, card)


@kernel
def lay_by_thumb(
    book: Book, talon: Sequence[int], p: Position, gone: int, weights: Sequence[float]
) -> tuple[Position, int]:
    """The seat on turn lays a card by rules of thumb, declaring what it can; and the cards gone then."""
    card, declaration = thumb_card(book, weights, p, gone)
    return laid_with(book, talon, p, card, declaration), gone | 1 << card


@kernel
def turn_by_thumb(
    book: Book, talon: Sequence[int], p: Position, gone: int, weights: Sequence[float]
) -> tuple[Position, int]:
    """Whoever can exchanges the seven, and the seat on turn lays a card; and the cards gone then."""
    holder = exchanger(book, p)
    if holder >= 0:
        p = exchange(p, holder)
    return lay_by_thumb(book, talon, p, gone, weights)


@kernel
def play_out(
    book: Book,
    talon: Sequence[int],
    p: Position,
    gone: int,
    seat: int,
    weights: Sequence[float],
    nodes: memoryview,
) -> float:
    """What comes of a position for a seat when all play by rules of thumb, and the last tricks as well as can be."""
    while p.turn >= 0:
        if solved(book, p):
            return ending(book, p, seat, nodes)
        p, gone = turn_by_thumb(book, talon, p, gone, weights)
    return outcome(book, p, seat)
