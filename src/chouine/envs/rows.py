"""Many parties for one learner: in each, its action and then what the others do until it decides again.

Kernel Python. A party is a column of `cells`, which lie in memory party by party; its pack is 32 cards of `packs`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.cards import ALL_CARDS
from chouine.envs.encode import observe, spread
from chouine.envs.turns import LET_PASS, NUMBERS, actor, choices
from chouine.fast.bits import advance, chosen, high_half, mixed
from chouine.fast.compiler import kernel
from chouine.fast.playout import NOTHING, best_with, dealt_hands, dealt_turnup, shuffle
from chouine.fast.seats import ROWS, WIDTH, Cells, four_in, load, put_four, seated, seats, store
from chouine.fast.seen import Seen, seen_after
from chouine.rules.book import Book
from chouine.rules.combinations import DECLARATIONS, EXCHANGE, EXCHANGING
from chouine.rules.play import start, step, total, winner
from chouine.rules.position import NONE, Position

LEARNER = 0
"""The learner's seat; the deal passes round, so that it leads as often as another."""
RANDOM, GREEDY, ASKED = range(3)
"""How the others play: any action; the seven exchanged, any card, the best declaration with it; or they are asked."""

KNOWN, SHOWING, PLAYED = WIDTH, WIDTH + 4, WIDTH + 8
PASSED, STREAM, DEALER, HEIGHT = range(WIDTH + 12, WIDTH + 16)
"""Rows of `cells` after those of a position."""
TURN = ROWS["turn"].start
POSITIVE = 2**63 - 1
"""Random numbers go on as well from 63 bits, which plain and compiled code keep alike."""


class Batch(NamedTuple):
    """The arrays of a batch; `words` and `numbers`, and those of last observations, are the same memory."""

    cells: Any
    packs: Any
    legal: Any
    """The actions open to who decides, as sets."""
    deciding: Any
    words: Any
    numbers: Any
    masks: Any
    over: Any
    """Whether a party has ended, and another begun; then what it ended with:"""
    rewards: Any
    points: Any
    last_words: Any
    last_numbers: Any


@kernel
def load_seen(cells: Cells, row: int) -> Seen:
    return Seen(four_in(cells, KNOWN, row), four_in(cells, SHOWING, row), four_in(cells, PLAYED, row))


@kernel
def store_seen(cells: Cells, row: int, seen: Seen) -> None:
    put_four(cells, KNOWN, row, seen.known)
    put_four(cells, SHOWING, row, seen.showing)
    put_four(cells, PLAYED, row, seen.played)


@kernel
def choose(book: Book, p: Position, seat: int, half: int, how: int) -> tuple[int, int]:
    """What another seat does, by 32 random bits: an action, and the card that it owes then, or NONE."""
    actions = choices(book, p, seat)
    if how == RANDOM:
        return chosen(actions, half), NONE
    if actions & EXCHANGING:
        return EXCHANGE, NONE
    card = chosen(actions & ALL_CARDS, half)
    declaration = best_with(book, actions & DECLARATIONS, card)
    return (card, NONE) if declaration < 0 else (declaration, card)


@kernel
def tell_end(book: Book, p: Position, seen: Seen, batch: Batch, row: int) -> None:
    """A party is over: who won, the points, and what the learner sees at last."""
    first = winner(book, p)
    batch.over[row] = True
    batch.rewards[row] = 1.0 if first == LEARNER else 0.0 if first < 0 else -1.0 / (book.seats - 1)
    for seat in range(book.seats):
        batch.points[row, seat] = total(p, seat)
    observe(book, p, seen, LEARNER, batch.last_words, batch.last_numbers, row)


def play_rows(book: Book, how: int, batch: Batch, taken: Any, first: int, last: int) -> None:
    """Do the action taken in each row that has one, and what follows until a decision is asked for.

    Where a party is over another is dealt.
    """
    cells, dealt = batch.cells, book.seats * book.hand
    for row in range(first, last):
        action = taken[row]
        if action < 0 and cells[TURN, row] >= 0:
            continue
        p, seen = load(cells, row), load_seen(cells, row)
        passed, stream, dealer = cells[PASSED, row], cells[STREAM, row], cells[DEALER, row]
        pack = batch.packs[32 * row : 32 * row + 32]
        seat, owed = batch.deciding[row], NONE
        while True:
            if action == LET_PASS:
                passed = 1
            elif action >= 0:
                before = p
                p = step(book, pack[dealt:], before, action)
                seen = seen_after(book, before, p, seat, action, seen)
            if p.turn < 0:
                tell_end(book, p, seen, batch, row)
                stream = shuffle(pack, stream)
                dealer = dealer + 1 if dealer + 1 < book.seats else 0
                p = seated(start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer))
                seen, passed = Seen(seats(NOTHING), seats(NOTHING), seats(NOTHING)), 0
            seat = actor(book, p, passed)
            if seat == LEARNER or how == ASKED:
                break
            if owed >= 0:
                action, owed = owed, NONE
            else:
                stream = advance(stream)
                action, owed = choose(book, p, seat, high_half(mixed(stream)), how)
        store(cells, row, p)
        store_seen(cells, row, seen)
        cells[PASSED, row], cells[STREAM, row], cells[DEALER, row] = passed, stream & POSITIVE, dealer
        batch.deciding[row], batch.legal[row] = seat, choices(book, p, seat)
        spread(batch.masks, row, 0, batch.legal[row], 7)
        observe(book, p, seen, seat, batch.words, batch.numbers, row)


def first_not_open(legal: Any, taken: Any) -> int:
    """The first row whose action is not open there, or NONE."""
    for row in range(len(taken)):
        if not 0 <= taken[row] < NUMBERS or not legal[row] >> taken[row] & 1:
            return row
    return NONE
