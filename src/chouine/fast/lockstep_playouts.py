"""Random playouts in lockstep: sixteen parties in one vector register, on one thread or several."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from chouine.fast.bits import low_half, next_state, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE
from chouine.fast.lockstep_reference import Xoshiro128, play_out
from chouine.fast.playout import PlayoutCounts
from chouine.rules.book import book_of
from chouine.rules.options import Rules
from chouine.rules.play import total, winner

if AVAILABLE:
    from chouine.fast.simd_codegen import batch

LANES = 16
BATCHES_PER_SUM = 1 << 20
"""Batches after which the 32-bit counters of a lane are added up, before they can overflow."""

BatchLoop = Callable[[int, memoryview, memoryview], None]


@cache
def batch_loop(text: str) -> BatchLoop:
    """The playout loop for the rules of this text, compiled for these rules alone; the reference loop without numba."""

    def lockstep(count: int, numbers: memoryview, tally: memoryview) -> None:
        for _ in range(count):
            batch(text, numbers, tally)

    return compiled(lockstep) if AVAILABLE else reference_loop(Rules.parse(text))


def reference_loop(rules: Rules) -> BatchLoop:
    """The loop of `batch_loop` in plain Python: slow, for comparison and where numba is missing."""
    book = book_of(rules)

    def batches(count: int, numbers: memoryview, tally: memoryview) -> None:
        for lane in range(LANES):
            stream = Xoshiro128([numbers[lane + LANES * row] for row in range(4)])
            for _ in range(count):
                p = play_out(book, lane, stream)
                first = winner(book, p)
                rows = [int(seat == first) for seat in range(book.seats)] + [int(p.chouine >= 0)]
                rows += [total(p, seat) for seat in range(book.seats)]
                for row, added in enumerate(rows):
                    tally[lane + LANES * row] += added
            for row in range(4):
                numbers[lane + LANES * row] = stream.state[row]

    return batches


def seed_lanes(seed: int) -> memoryview:
    """Initial generator states of all lanes: uint32[4 · 16]."""
    state, words = splitmix64(seed), []
    for _ in range(4 * LANES):
        state = next_state(state)
        words.append(low_half(splitmix64(state)))
    return memoryview(array("I", words))


def lockstep(rules: Rules, count: int, seed: int, threads: int = 1) -> PlayoutCounts:
    """Deal and play out at least `count` parties under the `eager` policy, in whole batches of sixteen per thread.

    The same seed and number of threads give the same counts. The first lane of a batch is dealt by the last seat.
    """
    batches = batch_loop(str(rules))
    each = -(-count // (LANES * threads))
    if threads == 1:
        return run_batches(batches, rules.seats, each, seed)
    with ThreadPoolExecutor(threads) as pool:
        shares = [pool.submit(run_batches, batches, rules.seats, each, seed + nth) for nth in range(threads)]
        return sum_counts([done.result() for done in shares])


def run_batches(batches: BatchLoop, seats: int, count: int, seed: int) -> PlayoutCounts:
    """One thread's batches."""
    numbers, parts = seed_lanes(seed), []
    while count:
        now = min(count, BATCHES_PER_SUM)
        rows = memoryview(array("I", bytes(4 * LANES * (2 * seats + 1))))
        batches(now, numbers, rows)
        sums = [sum(rows[row * LANES : (row + 1) * LANES]) for row in range(2 * seats + 1)]
        won, points = tuple(sums[:seats]), tuple(sums[seats + 1 :])
        parts.append(PlayoutCounts(won, now * LANES - sum(won), sums[seats], points))
        count -= now
    return sum_counts(parts)


def sum_counts(tallies: list[PlayoutCounts]) -> PlayoutCounts:
    """Add up the counts of several runs."""
    won, nulles, chouines, points = zip(*tallies, strict=True)
    return PlayoutCounts(
        tuple(map(sum, zip(*won, strict=True))),
        sum(nulles),
        sum(chouines),
        tuple(map(sum, zip(*points, strict=True))),
    )
