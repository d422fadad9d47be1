"""Counting sequences of actions, compiled."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.seats import seated
from chouine.rules import perft as plain
from chouine.rules.book import Book
from chouine.rules.position import UNKNOWN, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

_perft = compiled(plain.perft)


def perft(book: Book, talon: Sequence[int], p: Position, depth: int) -> int:
    """`rules.perft.perft`, compiled where it can be."""
    whole = [*talon, *[UNKNOWN] * (32 - len(talon))]  # compiled code does not look where a talon ends
    return _perft(book, memoryview(array("q", whole)), seated(p), depth)
