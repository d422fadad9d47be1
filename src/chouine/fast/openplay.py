"""Play with all cards open, exactly: declarations and exchanges included, from any point, two to four seats.

With the talon empty and two seats this is what both players know. Before that it is double dummy: what would come
of it if everyone saw everything, which is for replays and problems, not for players.
"""

from __future__ import annotations

from collections.abc import Sequence

from chouine.fast.bits import highest
from chouine.fast.cardplay import card_margin, table_of, to_play_for
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import Cells, Seats, load
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGING, figures_of_five
from chouine.rules.play import closed, exchange, exchanger, legal, step, total
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

CHOUINE_MARGIN = 1000
"""More than any difference in points: a chouine wins the partie (§10)."""
FAR = 2 * CHOUINE_MARGIN


@kernel
def only_cards_count(book: Book, p: Position) -> bool:
    """Whether two seats are between tricks, without a talon, with nothing left that either could declare (§9)."""
    if book.seats != 2 or p.tricks < book.drawing or p.table != 0 or p.pending >= 0:
        return False
    a = figures_of_five(p.hands[0]) & ~closed(book, p.said[0])
    b = figures_of_five(p.hands[1]) & ~closed(book, p.said[1])
    return a | b == 0


@kernel
def margin_of_cards(book: Book, p: Position, alpha: int, beta: int) -> int:
    """Seat a's margin where only cards count."""
    so_far = total(p, 0) - total(p, 1)
    table, left = table_of(book, p.trump), to_play_for(p.hands[0] | p.hands[1])
    if p.turn == 0:
        return so_far + card_margin(table, p.hands[0], p.hands[1], left, alpha - so_far, beta - so_far)
    return so_far - card_margin(table, p.hands[1], p.hands[0], left, so_far - beta, so_far - alpha)


@kernel
def lead_of(book: Book, p: Position, seat: int) -> int:
    """By how much a seat is ahead of the best other, a chouine beyond all points (§10)."""
    if p.chouine >= 0:
        return CHOUINE_MARGIN if p.chouine == seat else -CHOUINE_MARGIN
    best = -FAR
    for other in range(book.seats):
        if other != seat:
            best = max(best, total(p, other))
    return total(p, seat) - best


@compiled
def open_margin(
    book: Book,
    talon: Sequence[int],
    p: Position,
    seat: int,
    alpha: int,
    beta: int,
    nodes: memoryview,
) -> int:
    """What a seat ends ahead by if it plays its best and all others play against it; exact between alpha and beta.

    With two seats that is the value of the position; with more it is the paranoid value, what the seat can be sure
    of. `nodes[0]` counts down; at 0 the answer means nothing.
    """
    if p.turn < 0:
        return lead_of(book, p, seat)
    if only_cards_count(book, p):
        if seat == 0:
            return margin_of_cards(book, p, alpha, beta)
        return -margin_of_cards(book, p, -beta, -alpha)
    if nodes[0] <= 0:
        return 0
    nodes[0] -= 1
    actions = legal(book, p)
    declined, exchanged = NONE, 0
    if actions & EXCHANGING and exchanger(book, p) != p.turn:
        declined = exchanger(book, p)
        actions ^= EXCHANGING
        exchanged = open_margin(book, talon, exchange(p, declined), seat, alpha, beta, nodes)
        if declined == seat:
            alpha = max(alpha, exchanged)
        else:
            beta = min(beta, exchanged)
        if alpha >= beta:
            return exchanged
    own = p.turn == seat
    best = -FAR if own else FAR
    while actions and alpha < beta:
        action = highest(actions)
        actions ^= 1 << action
        value = open_margin(book, talon, step(book, talon, p, action), seat, alpha, beta, nodes)
        if own:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
    if declined >= 0:
        return max(best, exchanged) if declined == seat else min(best, exchanged)
    return best


@kernel
def leads(book: Book, p: Position) -> Seats:
    """By how much each seat is ahead of its best other."""
    return Seats(
        lead_of(book, p, 0),
        lead_of(book, p, 1),
        lead_of(book, p, 2) if book.seats > 2 else 0,
        lead_of(book, p, 3) if book.seats > 3 else 0,
    )


@compiled
def max_n(book: Book, talon: Sequence[int], p: Position, nodes: memoryview) -> Seats:
    """What every seat ends ahead by if each plays for itself alone (max-n), of equal actions the highest number.

    With three and four seats no value is "the" right one: this is the one where nobody helps or harms for nothing.
    """
    if p.turn < 0:
        return leads(book, p)
    if nodes[0] <= 0:
        return Seats(0, 0, 0, 0)
    nodes[0] -= 1
    actions = legal(book, p)
    best = Seats(-FAR, -FAR, -FAR, -FAR)
    holder = exchanger(book, p) if actions & EXCHANGING else NONE
    if holder >= 0 and holder != p.turn:
        actions ^= EXCHANGING
    while actions:
        action = highest(actions)
        actions ^= 1 << action
        value = max_n(book, talon, step(book, talon, p, action), nodes)
        if value[p.turn] > best[p.turn]:
            best = value
    if holder >= 0 and holder != p.turn:
        exchanged = max_n(book, talon, exchange(p, holder), nodes)
        if exchanged[holder] > best[holder]:
            best = exchanged
    return best


@compiled
def open_margins(
    book: Book, talon: Sequence[int], cells: Cells, margins: memoryview, nodes: memoryview
) -> None:
    """`open_margin` of many positions (`seats.load`), each for its seat on turn."""
    for nth in range(len(margins)):
        p = load(cells, nth)
        margins[nth] = open_margin(book, talon, p, p.turn, -FAR, FAR, nodes)
