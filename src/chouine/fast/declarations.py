"""Declarations as compiled code chooses them."""

from __future__ import annotations

from chouine.fast.bits import highest_bit
from chouine.fast.kernels import kernel
from chouine.rules.book import Book
from chouine.rules.play import companions
from chouine.rules.position import NONE


@kernel
def best_with(book: Book, declarations: int, card: int) -> int:
    """The best of these declarations that a card may accompany (§9.3), or NONE."""
    while declarations:
        best = highest_bit(declarations)
        if companions(book, best) >> card & 1:
            return best
        declarations ^= 1 << best
    return NONE
