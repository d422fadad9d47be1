"""Rollouts by the heuristic with exactly solved endings, as Monte Carlo players use them. Kernel Python."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.fast.double_dummy import open_margin_between
from chouine.fast.kernels import kernel
from chouine.players.evaluation import heuristic_card
from chouine.rules.book import Book
from chouine.rules.play import declare, exchange, exchanger, lay, winner
from chouine.rules.position import Position

LOSS, NULLE, WIN = 0.0, 0.5, 1.0
"""Value of a partie to a seat. A nulle is replayed (§12), so it is worth as much as a new partie."""


@kernel
def is_solvable(book: Book, p: Position) -> bool:
    """Two seats between tricks with an empty talon: both hands are known."""
    return book.seats == 2 and p.tricks >= book.drawing and p.table == 0 and p.pending < 0 and p.turn >= 0


@kernel
def outcome(book: Book, p: Position, seat: int) -> float:
    """Value of a finished partie to a seat, 0 to 1."""
    first = winner(book, p)
    if first < 0:
        return 1.0 / book.seats
    return WIN if first == seat else LOSS


@kernel
def endgame_value(book: Book, p: Position, seat: int, nodes: memoryview) -> float:
    """Value of a solvable position to a seat under optimal play."""
    return open_value(book, nodes, p, seat, nodes)


@kernel
def open_value(book: Book, talon: Sequence[int], p: Position, seat: int, nodes: memoryview) -> float:
    """Value of a position to a seat of two under optimal play with open cards."""
    nodes[0] = 1 << 40
    margin = open_margin_between(book, talon, p, -1, 1, nodes)
    if margin == 0:
        return NULLE
    return WIN if (margin > 0) == (seat == 0) else LOSS


@kernel
def play_with(book: Book, talon: Sequence[int], p: Position, card: int, declaration: int) -> Position:
    """The position after the seat on turn lays a card, with a declaration or NONE."""
    if declaration >= 0:
        p = declare(book, p, declaration)
    return lay(book, talon, p, card)


@kernel
def play_heuristic_card(
    book: Book, talon: Sequence[int], p: Position, gone: int, weights: Sequence[float]
) -> tuple[Position, int]:
    """The seat on turn lays the heuristic's card; returns the position and the cards played by then."""
    card, declaration = heuristic_card(book, weights, p, gone)
    return play_with(book, talon, p, card, declaration), gone | 1 << card


@kernel
def play_heuristic_turn(
    book: Book, talon: Sequence[int], p: Position, gone: int, weights: Sequence[float]
) -> tuple[Position, int]:
    """Exchange if anyone can, then the heuristic's card; returns the position and the cards played by then."""
    holder = exchanger(book, p)
    if holder >= 0:
        p = exchange(p, holder)
    return play_heuristic_card(book, talon, p, gone, weights)


@kernel
def rollout(
    book: Book,
    talon: Sequence[int],
    p: Position,
    gone: int,
    seat: int,
    weights: Sequence[float],
    nodes: memoryview,
) -> float:
    """Value of a position to a seat when all play the heuristic and the last tricks optimally."""
    while p.turn >= 0:
        if is_solvable(book, p):
            return endgame_value(book, p, seat, nodes)
        p, gone = play_heuristic_turn(book, talon, p, gone, weights)
    return outcome(book, p, seat)
