"""The one loop that plays a partie on, and the steps that its turns consist of. Kernel Python.

    play_greedily = driver(greedy_turn, between_last_tricks)
    p, carried = play_greedily(book, talon, p, carried, given)

A turn is a kernel, `turn(book, talon, p, carried, given)`, that returns the position after it and what it carries on: a
random stream, what is public, the row to record next. What is given stays the same, a policy say: carried on too, it
would cost a tenth of all time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chouine.fast.kernels import kernel
from chouine.fast.public_knowledge import PublicKnowledge, update_knowledge
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGE
from chouine.rules.play import declare, exchange, exchanger, lay, step
from chouine.rules.position import NONE, Position

Turn = Callable[[Book, Any, Position, Any, Any], tuple[Position, Any]]


@kernel
def never(_book: Book, _p: Position) -> bool:
    return False


def driver(turn: Turn, until: Callable[[Book, Position], bool] = never) -> Turn:
    """Make the kernel that plays turns until the partie is over or `until(book, p)` holds."""

    def play_on(
        book: Book, talon: Sequence[int], p: Position, carried: Any, given: Any
    ) -> tuple[Position, Any]:
        while p.turn >= 0 and not until(book, p):
            p, carried = turn(book, talon, p, carried, given)
        return p, carried

    return kernel(play_on)


@kernel
def swapper(book: Book, p: Position, declined: int) -> int:
    """The seat that exchanges the seven before the next card (§11), or NONE; it does so whenever it may.

    `declined`: whether the seats asked at "au sept" have let that pass.
    """
    holder = exchanger(book, p)
    return holder if holder == p.turn or not declined else NONE


@kernel
def play_with(book: Book, talon: Sequence[int], p: Position, card: int, declaration: int) -> Position:
    """The position after the seat on turn lays a card, with a declaration or NONE."""
    if declaration >= 0:
        p = declare(book, p, declaration)
    return lay(book, talon, p, card)


@kernel
def step_publicly(
    book: Book, talon: Sequence[int], p: Position, public: PublicKnowledge, seat: int, action: int
) -> tuple[Position, PublicKnowledge]:
    """A seat's action, a declaration and its card being two; returns position and public knowledge."""
    after = step(book, talon, p, action)
    return after, update_knowledge(book, p, after, seat, action, public)


@kernel
def play_card(
    book: Book, talon: Sequence[int], p: Position, public: PublicKnowledge, card: int, declaration: int
) -> tuple[Position, PublicKnowledge]:
    """`play_with`; returns position and public knowledge."""
    seat = p.turn
    if declaration >= 0:
        declared = declare(book, p, declaration)
        public = update_knowledge(book, p, declared, seat, declaration, public)
        p = declared
    after = lay(book, talon, p, card)
    return after, update_knowledge(book, p, after, seat, card, public)


@kernel
def exchange_first(book: Book, p: Position, public: PublicKnowledge) -> tuple[Position, PublicKnowledge]:
    """Whoever can exchanges the seven; returns position and public knowledge."""
    holder = exchanger(book, p)
    return apply_exchange(book, p, public, holder) if holder >= 0 else (p, public)


@kernel
def apply_exchange(
    book: Book, p: Position, public: PublicKnowledge, seat: int
) -> tuple[Position, PublicKnowledge]:
    """A seat exchanges the seven; returns position and public knowledge."""
    after = exchange(p, seat)
    return after, update_knowledge(book, p, after, seat, EXCHANGE, public)
