"""Sets of actions, and random numbers: plain functions here, a few instructions each once compiled (`fast.machine`)."""

from __future__ import annotations

from chouine.fast.compiler import kernel

_64_BITS = 0xFFFFFFFFFFFFFFFF
STRIDE = 0x9E3779B97F4A7C15
MULTIPLIERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def signed(word: int) -> int:
    """64 bits read as a signed number, which is what compiled code counts in."""
    return word - (1 << 64) if word >> 63 else word


def how_many(members: int) -> int:
    """Members of a set."""
    return members.bit_count()


def lowest(members: int) -> int:
    """The lowest member of a set that is not empty."""
    return (members & -members).bit_length() - 1


def highest(members: int) -> int:
    """The highest member of a set that is not empty."""
    return members.bit_length() - 1


def nth(members: int, n: int) -> int:
    """The member of a set that has `n` below it."""
    for _ in range(n):
        members &= members - 1
    return lowest(members)


def advance(stream: int) -> int:
    """The next state of a stream of random numbers; any 64 bits are a state."""
    return stream + STRIDE & _64_BITS


def mixed(stream: int) -> int:
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
def below(half: int, many: int) -> int:
    """A number below `many` from 32 random bits."""
    return half * many >> 32


@kernel
def chosen(members: int, half: int) -> int:
    """A member of a set that is not empty, each as likely, from 32 random bits."""
    return nth(members, below(half, how_many(members)))
