"""Chance that anybody can compute again, in any language: SHA-256 of a key and a counter, read as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


class Chance:
    """`Chance("seed", "main", "1")`: an endless row of numbers that follows from these texts alone.

    The key is SHA-256 of the texts joined by line ends. Block n is SHA-256 of the key and n in 8 bytes, the highest
    first; its four numbers of 64 bits are read in order, the highest byte first.
    """

    def __init__(self, *texts: str) -> None:
        self._key = sha256("\n".join(texts).encode()).digest()
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """64 bits."""
        if not self._words:
            digest = sha256(self._key + self._block.to_bytes(8, "big")).digest()
            self._words = [int.from_bytes(digest[at : at + 8], "big") for at in (24, 16, 8, 0)]
            self._block += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number from 0, all equally likely: words of the last, incomplete span of `bound` are thrown away."""
        span = 2**64 - 2**64 % bound
        while (word := self.word()) >= span:
            pass
        return word % bound

    def shuffled(self, numbers: Iterable[int]) -> list[int]:
        """All orders equally likely: from the last place down, each changes with one not above it (Fisher-Yates)."""
        row = list(numbers)
        for last in range(len(row) - 1, 0, -1):
            other = self.below(last + 1)
            row[last], row[other] = row[other], row[last]
        return row
