"""Random playouts, from a new deal or from any position.

Policies: `uniform` samples every legal action with equal probability, a declaration and its card being two actions;
`eager` exchanges the seven when possible, plays a uniformly random legal card and declares the best figure with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from chouine.fast.bits import (
    as_int64,
    high_half,
    low_half,
    next_state,
    random_member,
    scale_to,
    splitmix64,
)
from chouine.fast.compiler import compiled
from chouine.fast.declarations import best_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.soa_layout import as_kind, compiled_position, seat_values
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import (
    companions,
    declarable,
    declare,
    exchange,
    exchanger,
    lay,
    legal,
    playable,
    start,
    step,
    total,
    winner,
)
from chouine.rules.position import NONE, Four, Position, put

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

PlayoutPolicy = Literal["uniform", "eager"]
Pack = memoryview  # of ints
PlayOut = Callable[[Book, Sequence[int], Position, int], tuple[Position, int]]
Playouts = Callable[[Pack, int, int, int], "PlayoutCounts"]
ZEROS: Four = (0, 0, 0, 0)


@kernel
def shuffle(pack: Pack, stream: int) -> int:
    """Shuffle a pack of 32 in place (Fisher and Yates); returns the stream's next state."""
    bits = 0
    for place in range(31, 0, -1):
        if place & 1:
            stream = next_state(stream)
            bits = splitmix64(stream)
            half = high_half(bits)
        else:
            half = low_half(bits)
        other = scale_to(half, place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    return stream


@kernel
def dealt_hands(book: Book, pack: Sequence[int]) -> Four:
    """The first cards of a shuffled pack as hands from seat a (§3).

    Any order of dealing a shuffled pack is equally random.
    """
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
    """The last card of a shuffled pack as turnup; NONE in Mondoubleau (§3, §17)."""
    return pack[31] if book.turned else NONE


@kernel
def play_out_uniform(book: Book, talon: Sequence[int], p: Position, stream: int) -> tuple[Position, int]:
    """Play to the end under the `uniform` policy; returns the final position and the stream's next state."""
    while p.turn >= 0:
        stream = next_state(stream)
        p = step(book, talon, p, random_member(legal(book, p), high_half(splitmix64(stream))))
    return p, stream


@kernel
def play_out_eager(book: Book, talon: Sequence[int], p: Position, stream: int) -> tuple[Position, int]:
    """Play to the end under the `eager` policy; returns the final position and the stream's next state."""
    while p.turn >= 0:
        holder = exchanger(book, p)
        if holder >= 0:
            p = exchange(p, holder)
        stream = next_state(stream)
        p = lay_eagerly(book, talon, p, stream)
    return p, stream


@kernel
def lay_eagerly(book: Book, talon: Sequence[int], p: Position, stream: int) -> Position:
    """Lay a random legal card, chosen by the stream's bits, with the best declaration it may accompany."""
    cards = playable(book, p)
    declarations = 0
    if p.pending >= 0:
        cards &= companions(book, p.pending)
    else:
        declarations = declarable(book, p, cards)
    card = random_member(cards, high_half(splitmix64(stream)))
    declaration = best_with(book, declarations, card)
    if declaration >= 0:
        p = declare(book, p, declaration)
    return lay(book, talon, p, card)


class PlayoutCounts(NamedTuple):
    """Results of playouts; tuples have one entry per seat."""

    won: tuple[int, ...]
    nulles: int
    chouines: int
    points: tuple[int, ...]


@cache
def playouts_for(book: Book, play_out: PlayOut) -> Playouts:
    """The playout loop of one set of rules, compiled with these rules as constants."""
    return compiled(playout_loop(book, play_out))


def playout_loop(book: Book, play_out: PlayOut) -> Playouts:
    """The playout loop of one set of rules as kernel Python."""
    kind = seat_values(book)

    def playouts(pack: Pack, count: int, dealer: int, stream: int) -> PlayoutCounts:
        """Shuffle, deal and play out `count` parties, the deal passing round; `pack` holds 32 cards in any order."""
        talon = pack[book.seats * book.hand :]
        nulles, chouines = 0, 0
        won = as_kind(kind, ZEROS)
        points = as_kind(kind, ZEROS)
        for _ in range(count):
            stream = shuffle(pack, stream)
            p = start(book, dealt_hands(book, pack), dealt_turnup(book, pack), dealer)
            p = compiled_position(p, kind)
            p, stream = play_out(book, talon, p, stream)
            chouines += p.chouine >= 0
            first = winner(book, p)
            if first >= 0:
                won = put(won, first, won[first] + 1)
            else:
                nulles += 1
            points = kind(
                points[0] + total(p, 0),
                points[1] + total(p, 1),
                points[2] + (total(p, 2) if book.seats > 2 else 0),
                points[3] + (total(p, 3) if book.seats > 3 else 0),
            )
            dealer = dealer + 1 if dealer + 1 < book.seats else 0
        return PlayoutCounts(won, nulles, chouines, points)

    return playouts


PLAYOUT_POLICIES: dict[PlayoutPolicy, PlayOut] = {
    "uniform": play_out_uniform,
    "eager": play_out_eager,
}


def playouts(rules: Rules, count: int, seed: int, policy: PlayoutPolicy = "uniform") -> PlayoutCounts:
    """Deal and play out `count` parties at random. The last seat deals the first.

    >>> from chouine.rules import Rules
    >>> counts = playouts(Rules(), 100, seed=1, policy="eager")
    >>> sum(counts.won) + counts.nulles
    100
    """
    book = book_of(rules)
    pack = memoryview(array("q", range(32)))
    counts = playouts_for(book, PLAYOUT_POLICIES[policy])(
        pack, count, book.seats - 1, as_int64(splitmix64(seed))
    )
    return counts._replace(won=counts.won[: book.seats], points=counts.points[: book.seats])
