"""The last tricks of two seats when nothing can be declared any more: only cards count, and both hands are known.

What must be laid (§8) and what takes a trick (§6) are read from tables, which the rules' own functions fill here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.cards import ALL_CARDS, POINTS
from chouine.fast.bits import highest, how_many, lowest
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import DIX_DE_DER, beats, bound, start
from chouine.rules.position import NONE, Position

TRUMPS = (NONE, 0, 1, 2, 3)
MORE_THAN_ALL = 1000
"""More than any difference in points."""


def tabled(numbers: Sequence[int]) -> Any:
    """A table as compiled code keeps it, within itself."""
    if not AVAILABLE:
        return tuple(numbers)
    import numpy as np

    return np.array(numbers, np.int64)


def after_lead(book: Book, trump: int, card: int) -> Position:
    """The second seat to answer a card, the talon empty."""
    p = start(book, (0, 0, 0, 0), NONE, 1)
    return p._replace(trump=trump, turn=1, table=card + 1, best=card, taker=0, tricks=book.drawing)


def answers_in_order(p: Position, book: Book) -> list[int]:
    """§8 as four sets of cards: the answer must be of the first that one holds some of."""
    sets, rest = [], ALL_CARDS
    while rest:
        sets.append(bound(book, p, rest))
        rest &= ~sets[-1]
    return [*sets, 0, 0, 0][:4]


BOOKS = tuple(book_of(Rules(head=head)) for head in ("trumps", "always"))
MUST = tabled(
    [
        cards
        for book in BOOKS
        for trump in TRUMPS
        for card in range(32)
        for cards in answers_in_order(after_lead(book, trump, card), book)
    ]
)
TAKING = tabled(
    [
        sum(1 << answer for answer in range(32) if beats(answer, card, trump))
        for _ in BOOKS
        for trump in TRUMPS
        for card in range(32)
    ]
)
"""The cards that take the trick from a lead."""
WORTH = tabled(POINTS * 4)


@kernel
def table_of(book: Book, trump: int) -> int:
    """Where the tables of these rules and this trump begin."""
    return (book.head_always * 5 + trump + 1) * 32


@kernel
def answers(table: int, card: int, hand: int) -> int:
    """Cards of a hand that may answer a lead (§8)."""
    at = 4 * (table + card)
    first, second, third = hand & MUST[at], hand & MUST[at + 1], hand & MUST[at + 2]
    return first or (second or (third or hand))


@kernel
def to_play_for(hands: int) -> int:
    """Points that these last cards decide (§12)."""
    points = DIX_DE_DER
    while hands:
        points += WORTH[lowest(hands)]
        hands &= hands - 1
    return points


@kernel
def last_trick(table: int, leading: int, answering: int, left: int) -> int:
    """What the leader gains by a last trick worth `left`."""
    return -left if TAKING[table + lowest(leading)] >> lowest(answering) & 1 else left


@compiled
def card_margin(table: int, leading: int, answering: int, left: int, alpha: int, beta: int) -> int:
    """What the leader gains on the other from here, `left` points being left; exact between `alpha` and `beta`.

    Alpha-beta. Answers that take the trick are tried first; a trick after which not even all the points left
    would reach `alpha` is not followed up.
    """
    before_last = how_many(leading) == 2
    best = -MORE_THAN_ALL
    leads = leading
    if leads & leads - 1 == 0:
        return last_trick(table, leading, answering, left)
    while leads:
        lead = highest(leads)
        leads ^= 1 << lead
        held = leading ^ 1 << lead
        least, most, worst = max(alpha, best), beta, MORE_THAN_ALL
        open_answers = answers(table, lead, answering)
        taking = TAKING[table + lead]
        now = open_answers & taking or open_answers
        later = open_answers ^ now
        while now:
            answer = lowest(now)
            now &= now - 1
            if now == 0:
                now, later = later, 0
            kept = answering ^ 1 << answer
            trick = WORTH[lead] + WORTH[answer]
            rest = left - trick
            if taking >> answer & 1:
                if before_last:
                    gain = -trick - last_trick(table, kept, held, rest)
                elif rest - trick <= least:
                    gain = rest - trick
                else:
                    gain = -trick - card_margin(table, kept, held, rest, -most - trick, -least - trick)
            elif before_last:
                gain = trick + last_trick(table, held, kept, rest)
            else:
                gain = trick + card_margin(table, held, kept, rest, least - trick, most - trick)
            if gain < worst:
                worst = gain
                most = min(most, gain)
                if worst <= least:
                    break
        best = max(best, worst)
        if best >= beta:
            break
    return best


@compiled
def card_margins(
    tables: Sequence[int],
    leading: Sequence[int],
    answering: Sequence[int],
    alpha: int,
    beta: int,
    margins: memoryview,
) -> None:
    """`card_margin` of many endings, each with its table, from their hands."""
    for nth in range(len(margins)):
        left = to_play_for(leading[nth] | answering[nth])
        margins[nth] = card_margin(tables[nth], leading[nth], answering[nth], left, alpha, beta)
