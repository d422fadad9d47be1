"""The last tricks of two seats, solved: once the talon is empty the cards not seen are the other's hand."""

from __future__ import annotations

from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.play import legal, step, total
from chouine.rules.position import Four, Position, put

CHOUINE_MARGIN = 1000
"""More than any difference in points: a chouine wins the partie (§10)."""
_NOTHING: Four = (0, 0, 0, 0)

Solved = dict[Position, int]
"""By how much seat a gains on seat b from positions between tricks, with nothing scored before."""


def known(view: View) -> Position | None:
    """The whole position, where a seat can know it: two seats, the talon empty (§8)."""
    p, seat = view.position, view.observer
    if seat is None or view.rules.seats != 2 or view.talon:
        return None
    other = 1 - seat
    return p._replace(hands=put(p.hands, other, p.hands[other] | view.unseen.mask))


def best_action(book: Book, p: Position, solved: Solved) -> int:
    """The action that ends best for the seat to play, in points, if both play their best."""
    sign = 1 if p.turn == 0 else -1
    return max(actions_of(book, p), key=lambda action: sign * margin(book, step(book, (), p, action), solved))


def margin(book: Book, p: Position, solved: Solved) -> int:
    """Seat a's points less seat b's at the end, both playing their best."""
    if p.turn < 0:
        if p.chouine >= 0:
            return CHOUINE_MARGIN if p.chouine == 0 else -CHOUINE_MARGIN
        return total(p, 0) - total(p, 1)
    if p.table or p.pending >= 0:
        return best_margin(book, p, solved)
    so_far = total(p, 0) - total(p, 1)
    afresh = p._replace(points=_NOTHING, declared=_NOTHING, before=_NOTHING)
    gain = solved.get(afresh)
    if gain is None:
        gain = solved[afresh] = best_margin(book, afresh, solved)
    return gain if abs(gain) == CHOUINE_MARGIN else so_far + gain


def best_margin(book: Book, p: Position, solved: Solved) -> int:
    margins = [margin(book, step(book, (), p, action), solved) for action in actions_of(book, p)]
    return max(margins) if p.turn == 0 else min(margins)


def actions_of(book: Book, p: Position) -> list[int]:
    """The legal actions as numbers."""
    actions = legal(book, p)
    numbers = []
    while actions:
        low = actions & -actions
        actions ^= low
        numbers.append(low.bit_length() - 1)
    return numbers
