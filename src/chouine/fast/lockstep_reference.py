"""The scalar reference of lockstep playouts: one lane in plain Python, which `fast.simd_codegen` must match bit by bit.

Policy `eager`: exchange the seven when possible, play a random legal card, and declare the best figure with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from chouine.fast.bits import highest_bit, nth_bit, popcount, scale_to
from chouine.fast.playout import dealt_hands, dealt_turnup
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, MARIAGE
from chouine.rules.play import companions, declarable, declare, exchange, exchanger, lay, playable, start
from chouine.rules.position import Position

WORD = 0xFFFFFFFF


class Xoshiro128:
    """A stream of 32-bit random numbers (xoshiro128++: Blackman and Vigna 2019)."""

    def __init__(self, state: Sequence[int]) -> None:
        self.state = state

    def draw(self) -> int:
        a, b, c, d = self.state
        drawn = rotate_left(a + d & WORD, 7) + a & WORD
        c, d = c ^ a, d ^ b
        self.state = (a ^ d, b ^ c, c ^ b << 9 & WORD, rotate_left(d, 11))
        return drawn


def rotate_left(word: int, places: int) -> int:
    return (word << places | word >> 32 - places) & WORD


def shuffled_pack(numbers: Xoshiro128) -> list[int]:
    """A shuffled pack: cards sorted by 27 random bits each."""
    return [key & 31 for key in sorted(numbers.draw() & ~31 | card for card in range(32))]


@cache
def declarations_with(book: Book, card: int) -> int:
    """The declarations that a card may accompany (§9.3), as an action set."""
    return sum(1 << said for said in range(MARIAGE, ACTIONS) if companions(book, said) >> card & 1)


def play_card(book: Book, talon: list[int], p: Position, number: int) -> Position:
    """Play one card, selected by 24 random bits."""
    holder = exchanger(book, p)
    if holder >= 0:
        p = exchange(p, holder)
    cards = playable(book, p)
    card = nth_bit(cards, scale_to(number << 8, popcount(cards)))
    said = declarable(book, p, p.hands[p.turn]) & declarations_with(book, card)
    if said:
        p = declare(book, p, highest_bit(said))
    return lay(book, talon, p, card)


def play_out(book: Book, lane: int, numbers: Xoshiro128) -> Position:
    """Deal one partie and play it to its end."""
    pack = shuffled_pack(numbers)
    talon = pack[book.seats * book.hand :]
    dealer = (lane - 1) % book.seats
    p = start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer)
    for _ in range(book.tricks):
        drawn = [numbers.draw() >> 8 for _ in range(book.seats)]
        for number in drawn if p.turn >= 0 else ():
            p = play_card(book, talon, p, number)
    return p
