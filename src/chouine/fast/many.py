"""Random parties in lockstep, sixteen side by side in a register, on one thread or several."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from chouine.fast.bits import advance, low_half, mixed
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.lane import Numbers, play_out
from chouine.fast.playout import Tally
from chouine.rules.book import book_of
from chouine.rules.options import Rules
from chouine.rules.play import total, winner

if AVAILABLE:
    from chouine.fast.lanes import batch

LANES = 16
AT_ONCE = 1 << 20
"""Batches before the counts of a lane, which are 32 bits, are added up."""

Batches = Callable[[int, memoryview, memoryview], None]


@cache
def batches_for(text: str) -> Batches:
    """Batches by the rules of this text; compiled, they are made for these alone."""

    def lockstep(many: int, numbers: memoryview, tally: memoryview) -> None:
        for _ in range(many):
            batch(text, numbers, tally)

    return compiled(lockstep) if AVAILABLE else plain_batches(Rules.parse(text))


def plain_batches(rules: Rules) -> Batches:
    """The same batches without the compiler."""
    book = book_of(rules)

    def batches(many: int, numbers: memoryview, tally: memoryview) -> None:
        for lane in range(LANES):
            stream = Numbers([numbers[lane + LANES * row] for row in range(4)])
            for _ in range(many):
                p = play_out(book, lane, stream)
                first = winner(book, p)
                rows = [int(seat == first) for seat in range(book.seats)] + [int(p.chouine >= 0)]
                rows += [total(p, seat) for seat in range(book.seats)]
                for row, added in enumerate(rows):
                    tally[lane + LANES * row] += added
            for row in range(4):
                numbers[lane + LANES * row] = stream.state[row]

    return batches


def streams(seed: int) -> memoryview:
    """The lanes' random numbers to begin with, from a seed."""
    state, words = mixed(seed), []
    for _ in range(4 * LANES):
        state = advance(state)
        words.append(low_half(mixed(state)))
    return memoryview(array("I", words))


def lockstep(rules: Rules, count: int, seed: int, threads: int = 1) -> Tally:
    """Parties dealt and played out in the greedy way: at least `count`, in whole batches of sixteen a thread."""
    batches = batches_for(str(rules))
    each = -(-count // (LANES * threads))
    if threads == 1:
        return share(batches, rules.seats, each, seed)
    with ThreadPoolExecutor(threads) as pool:
        shares = [pool.submit(share, batches, rules.seats, each, seed + nth) for nth in range(threads)]
        return added_up([done.result() for done in shares])


def share(batches: Batches, seats: int, many: int, seed: int) -> Tally:
    """One thread's batches."""
    numbers, told = streams(seed), []
    while many:
        now = min(many, AT_ONCE)
        rows = memoryview(array("I", bytes(4 * LANES * (2 * seats + 1))))
        batches(now, numbers, rows)
        sums = [sum(rows[row * LANES : (row + 1) * LANES]) for row in range(2 * seats + 1)]
        won, points = tuple(sums[:seats]), tuple(sums[seats + 1 :])
        told.append(Tally(won, now * LANES - sum(won), sums[seats], points))
        many -= now
    return added_up(told)


def added_up(tallies: list[Tally]) -> Tally:
    won, nulles, chouines, points = zip(*tallies, strict=True)
    return Tally(
        tuple(map(sum, zip(*won, strict=True))),
        sum(nulles),
        sum(chouines),
        tuple(map(sum, zip(*points, strict=True))),
    )
