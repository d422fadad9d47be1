"""Bit sets and random numbers in plain Python.

Compiled code replaces them with single instructions (`fast.intrinsics`).
"""

from __future__ import annotations

from typing import Any

from chouine.fast.kernels import kernel

_64_BITS = 0xFFFFFFFFFFFFFFFF
STRIDE = 0x9E3779B97F4A7C15
MULTIPLIERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def as_int64(word: int) -> int:
    """64 bits reinterpreted as a signed integer, the integer type of compiled code."""
    return word - (1 << 64) if word >> 63 else word


def popcount(members: int) -> int:
    """The number of members of a set."""
    return members.bit_count()


def lowest_bit(members: int) -> int:
    """The lowest member of a non-empty set."""
    return (members & -members).bit_length() - 1


def highest_bit(members: int) -> int:
    """The highest member of a non-empty set."""
    return members.bit_length() - 1


def nth_bit(members: int, n: int) -> int:
    """The member of a set that has exactly `n` members below it."""
    for _ in range(n):
        members &= members - 1
    return lowest_bit(members)


def next_state(stream: int) -> int:
    """The next state of a random stream. Any 64 bits are a valid state."""
    return stream + STRIDE & _64_BITS


def splitmix64(stream: int) -> int:
    """The 64 random bits of a stream's state (splitmix64: Steele, Lea and Flood 2014)."""
    z = stream & _64_BITS
    z = (z ^ z >> 30) * MULTIPLIERS[0] & _64_BITS
    z = (z ^ z >> 27) * MULTIPLIERS[1] & _64_BITS
    return z ^ z >> 31


@kernel
def high_half(bits: int) -> int:
    return bits >> 32 & 0xFFFFFFFF


@kernel
def low_half(bits: int) -> int:
    return bits & 0xFFFFFFFF


@kernel
def scale_to(half: int, count: int) -> int:
    """A number from 0 to `count - 1` from 32 random bits (multiply and shift)."""
    return half * count >> 32


@kernel
def random_member(members: int, half: int) -> int:
    """A uniformly random member of a non-empty set, from 32 random bits."""
    return nth_bit(members, scale_to(half, popcount(members)))


SPREAD = tuple(sum((byte >> bit & 1) << 8 * bit for bit in range(8)) for byte in range(256))
"""For each byte value an int whose eight bytes are its bits, the lowest first."""


def spread32(words: Any, row: int, at: int, bits: int) -> None:
    """Write the lowest 32 bits as bytes of 0 or 1, into four words of a row."""
    for nth in range(4):
        words[row, at + nth] = SPREAD[bits >> 8 * nth & 0xFF]


def spread64(words: Any, row: int, at: int, bits: int) -> None:
    """Write 64 bits as bytes of 0 or 1, into eight words of a row."""
    spread32(words, row, at, bits)
    spread32(words, row, at + 4, bits >> 32)
