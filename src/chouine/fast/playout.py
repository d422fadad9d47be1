"""Parties played out at random, from a deal of their own or from any position.

`free`: every legal action is as likely, a declaration being an action and its card the next. `greedy`: the seven is
exchanged when it may be, the card is any that is legal, and the best figure it belongs to is declared.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from chouine.cards import ALL_CARDS
from chouine.fast.bits import advance, below, chosen, high_half, highest, low_half, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import seated, seats
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.options import Rules
from chouine.rules.play import (
    companions,
    declare,
    exchange,
    exchanger,
    lay,
    legal,
    start,
    step,
    total,
    winner,
)
from chouine.rules.position import NONE, Four, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

Way = Literal["free", "greedy"]
Pack = memoryview  # of ints
PlayOut = Callable[[Book, Sequence[int], Position, int], tuple[Position, int]]
Playouts = Callable[[Pack, int, int, int], "Tally"]
NOTHING: Four = (0, 0, 0, 0)


@kernel
def shuffle(pack: Pack, stream: int) -> int:
    """Put a pack of 32 in random order (Fisher and Yates); the stream's next state."""
    bits = 0
    for place in range(31, 0, -1):
        if place & 1:
            stream = advance(stream)
            bits = mixed(stream)
            half = high_half(bits)
        else:
            half = low_half(bits)
        other = below(half, place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    return stream


@kernel
def dealt_hands(book: Book, pack: Sequence[int]) -> Four:
    """The first cards of a shuffled pack as hands from seat a (§3): any order of a shuffled pack is as random."""
    a, b, c, d = 0, 0, 0, 0
    for place in range(book.hand):
        a |= 1 << pack[place]
        b |= 1 << pack[place + book.hand]
        if book.seats > 2:
            c |= 1 << pack[place + 2 * book.hand]
        if book.seats > 3:
            d |= 1 << pack[place + 3 * book.hand]
    return (a, b, c, d)


@kernel
def dealt_turnup(book: Book, pack: Sequence[int]) -> int:
    """The last card of a shuffled pack as the turnup, where there is one (§3, §17)."""
    return pack[31] if book.turned else NONE


@kernel
def play_out_free(book: Book, talon: Sequence[int], p: Position, stream: int) -> tuple[Position, int]:
    """To the end, every legal action as likely; and the stream's next state."""
    while p.turn >= 0:
        stream = advance(stream)
        p = step(book, talon, p, chosen(legal(book, p), high_half(mixed(stream))))
    return p, stream


@kernel
def play_out_greedy(book: Book, talon: Sequence[int], p: Position, stream: int) -> tuple[Position, int]:
    """To the end by the greedy way; and the stream's next state."""
    while p.turn >= 0:
        holder = exchanger(book, p)
        if holder >= 0:
            p = exchange(p, holder)
        stream = advance(stream)
        p = lay_greedily(book, talon, p, stream)
    return p, stream


@kernel
def lay_greedily(book: Book, talon: Sequence[int], p: Position, stream: int) -> Position:
    """Any card that is legal, by the stream's bits, and the best declaration that it may be laid with."""
    actions = legal(book, p)
    card = chosen(actions & ALL_CARDS, high_half(mixed(stream)))
    declaration = best_with(book, actions & DECLARATIONS, card)
    if declaration >= 0:
        p = declare(book, p, declaration)
    return lay(book, talon, p, card)


@kernel
def best_with(book: Book, declarations: int, card: int) -> int:
    """The best of these declarations that a card may accompany (§9.3), or NONE."""
    while declarations:
        best = highest(declarations)
        if companions(book, best) >> card & 1:
            return best
        declarations ^= 1 << best
    return NONE


class Tally(NamedTuple):
    """What came of parties played out; tuples go by seat."""

    won: tuple[int, ...]
    nulles: int
    chouines: int
    points: tuple[int, ...]


@cache
def playouts_for(book: Book, play_out: PlayOut) -> Playouts:
    """The playouts of one set of rules; compiled, they are made for these rules alone."""
    return compiled(counting(book, play_out))


def counting(book: Book, play_out: PlayOut) -> Playouts:
    """Kernel Python for one set of rules."""

    def playouts(pack: Pack, count: int, dealer: int, stream: int) -> Tally:
        """Shuffle, deal and play out so many parties, the dealer changing; `pack` holds 32 cards in any order."""
        talon = pack[book.seats * book.hand :]
        nulles, chouines = 0, 0
        won: Four = seats(NOTHING)
        points = seats(NOTHING)
        for _ in range(count):
            stream = shuffle(pack, stream)
            p = seated(start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer))
            p, stream = play_out(book, talon, p, stream)
            chouines += p.chouine >= 0
            first = winner(book, p)
            if first >= 0:
                won = put(won, first, won[first] + 1)
            else:
                nulles += 1
            points = seats(
                (
                    points[0] + total(p, 0),
                    points[1] + total(p, 1),
                    points[2] + total(p, 2),
                    points[3] + total(p, 3),
                )
            )
            dealer = dealer + 1 if dealer + 1 < book.seats else 0
        return Tally(won, nulles, chouines, points)

    return playouts


WAYS: dict[Way, PlayOut] = {"free": play_out_free, "greedy": play_out_greedy}


def playouts(rules: Rules, count: int, seed: int, way: Way = "free") -> Tally:
    """Parties dealt and played out at random, `count` of them, the first dealt by the last seat."""
    book = book_of(rules)
    pack = memoryview(array("q", range(32)))
    told = playouts_for(book, WAYS[way])(pack, count, book.seats - 1, signed(mixed(seed)))
    return told._replace(won=told.won[: book.seats], points=told.points[: book.seats])
