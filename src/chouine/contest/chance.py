"""A random generator that is easy to reimplement in any language: SHA-256 of a key and a counter."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


class Chance:
    """`Chance("seed", "main", "1")`: an endless sequence of numbers that depends on these texts alone.

    The key is SHA-256 of the texts joined by newlines. Block n is SHA-256 of the key followed by n as 8 bytes,
    big-endian; it gives four big-endian numbers of 64 bits, in order.
    """

    def __init__(self, *texts: str) -> None:
        self._key = sha256("\n".join(texts).encode()).digest()
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 64 bits."""
        if not self._words:
            digest = sha256(self._key + self._block.to_bytes(8, "big")).digest()
            self._words = [int.from_bytes(digest[at : at + 8], "big") for at in (24, 16, 8, 0)]
            self._block += 1
        return self._words.pop()

    def number_below(self, bound: int) -> int:
        """A uniform number below `bound`, by rejection of words in the last, incomplete span."""
        span = 2**64 - 2**64 % bound
        while (word := self.word()) >= span:
            pass
        return word % bound

    def shuffle(self, numbers: Iterable[int]) -> list[int]:
        """A uniform permutation: Fisher–Yates from the last place down."""
        row = list(numbers)
        for last in range(len(row) - 1, 0, -1):
            other = self.number_below(last + 1)
            row[last], row[other] = row[other], row[last]
        return row
