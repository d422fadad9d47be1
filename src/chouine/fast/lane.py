"""One lane of the lockstep, plainly: what `fast.lanes` does for sixteen parties at once, for one after another.

The greedy way: the seven is exchanged when it may be, the card is any that is legal, and the best figure that it may
accompany is declared with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from chouine.fast.bits import below, highest, how_many, nth
from chouine.fast.playout import dealt_hands, dealt_turnup
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, MARIAGE
from chouine.rules.play import companions, declarable, declare, exchange, exchanger, lay, playable, start
from chouine.rules.position import Position

WORD = 0xFFFFFFFF


class Numbers:
    """A stream of 32-bit random numbers (xoshiro128++: Blackman and Vigna 2019)."""

    def __init__(self, state: Sequence[int]) -> None:
        self.state = state

    def draw(self) -> int:
        a, b, c, d = self.state
        drawn = turned(a + d & WORD, 7) + a & WORD
        c, d = c ^ a, d ^ b
        self.state = (a ^ d, b ^ c, c ^ b << 9 & WORD, turned(d, 11))
        return drawn


def turned(word: int, places: int) -> int:
    return (word << places | word >> 32 - places) & WORD


def shuffled(numbers: Numbers) -> list[int]:
    """A pack: each card behind 27 random bits, in their order."""
    return [key & 31 for key in sorted(numbers.draw() & ~31 | card for card in range(32))]


@cache
def may_say(book: Book, card: int) -> int:
    """The declarations a card may accompany (§9.3)."""
    return sum(1 << said for said in range(MARIAGE, ACTIONS) if companions(book, said) >> card & 1)


def play_greedily(book: Book, talon: list[int], p: Position, number: int) -> Position:
    """One card, chosen by 24 random bits."""
    holder = exchanger(book, p)
    if holder >= 0:
        p = exchange(p, holder)
    cards = playable(book, p)
    card = nth(cards, below(number << 8, how_many(cards)))
    said = declarable(book, p, p.hands[p.turn]) & may_say(book, card)
    if said:
        p = declare(book, p, highest(said))
    return lay(book, talon, p, card)


def play_out(book: Book, lane: int, numbers: Numbers) -> Position:
    """A partie dealt and played to its end."""
    pack = shuffled(numbers)
    talon = pack[book.seats * book.hand :]
    dealer = (lane - 1) % book.seats
    p = start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer)
    for _ in range(book.tricks):
        drawn = [numbers.draw() >> 8 for _ in range(book.seats)]
        for number in drawn if p.turn >= 0 else ():
            p = play_greedily(book, talon, p, number)
    return p
