"""The lockstep kernel, compiled from a symbolic run of the rules for sixteen lanes, equals playing each lane alone."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.fast.lockstep_playouts import (
    LANES,
    batch_loop,
    lockstep,
    reference_loop,
    run_batches,
    seed_lanes,
)
from chouine.fast.lockstep_reference import Xoshiro128, play_out, shuffled_pack
from chouine.fast.simd_codegen import sorting_network
from chouine.fast.symbolic import Symbol, leader_variable, select, trace_all_paths, variable
from chouine.rules import PRESETS, Rules, book_of
from chouine.rules.play import total
from tests.referee.deals import random_rules

REPRESENTATIVE = [
    *PRESETS,
    "classic;head=always;declare=lead;figure=held;again=difference;seven=lead;au-sept=no",
    "mondoubleau;declare=any;again=full;fixing=plain",
    "three;overruff=no;seven-last=no",
]


def one_by_one(text: str, many: int, seed: int) -> None:
    """Compare each lane's counters, lockstep and plain, from the same random numbers."""
    rules = Rules.parse(text)
    rows = [memoryview(array("I", bytes(4 * LANES * (2 * rules.seats + 1)))) for _ in range(2)]
    numbers = [seed_lanes(seed) for _ in range(2)]
    batch_loop(text)(many, numbers[0], rows[0])
    reference_loop(rules)(many, numbers[1], rows[1])
    assert rows[0].tolist() == rows[1].tolist()
    assert numbers[0].tolist() == numbers[1].tolist()


@pytest.mark.parametrize("text", REPRESENTATIVE)
def test_every_lane_is_what_the_plain_rules_make_of_it(text: str) -> None:
    """§3-§12, §17: All presets agree."""
    for seed in range(8):
        one_by_one(text, 3, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(60))
def test_every_lane_by_any_rules(seed: int) -> None:
    """§3-§12, §17: Random rules agree."""
    one_by_one(random_rules(Random(seed)), 200, seed)


def test_counts_are_whole_batches_on_every_thread() -> None:
    rules = Rules()
    told = lockstep(rules, 1000, seed=4, threads=2)
    assert sum(told.won) + told.nulles == 1024
    alone = [run_batches(batch_loop(str(rules)), 2, 32, 4 + nth) for nth in range(2)]
    assert told.won == tuple(a + b for a, b in zip(alone[0].won, alone[1].won, strict=True))
    assert told.chouines == sum(tally.chouines for tally in alone)


def test_points_add_up() -> None:
    """§12: Two seats share 130 points plus declarations, unless a chouine ends the partie."""
    book = book_of(Rules())
    numbers = Xoshiro128((1, 2, 3, 4))
    for lane in range(60):
        p = play_out(book, lane, numbers)
        if p.chouine < 0:
            assert sum(total(p, seat) for seat in range(2)) == 130 + sum(p.declared)


def test_the_sort_puts_any_order_right() -> None:
    """The sorting network sorts random keys."""
    rng = Random(3)
    for _ in range(200):
        keys = [rng.randrange(1000) for _ in range(32)]
        in_order = sorted(keys)
        for low, high in sorting_network(32):
            keys[low], keys[high] = min(keys[low], keys[high]), max(keys[low], keys[high])
        assert keys == in_order


def test_a_shuffled_pack_has_every_card_once() -> None:
    numbers = Xoshiro128((1, 2, 3, 5))
    packs = [shuffled_pack(numbers) for _ in range(50)]
    assert all(sorted(pack) == list(range(32)) for pack in packs)
    assert len(set(map(tuple, packs))) == 50


def valued(number: object, given: dict[str, int]) -> int:
    """The value of a symbol under these inputs."""
    if not isinstance(number, Symbol):
        assert isinstance(number, int)
        return number
    if number.op == "given":
        return given[number.args[0]]
    a, b, *rest = (*(valued(arg, given) for arg in number.args), 0)
    results: dict[str, Callable[[], int]] = {
        "and": lambda: a & b, "andnot": lambda: a & ~b, "or": lambda: a | b, "xor": lambda: a ^ b,
        "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "shl": lambda: a << b,
        "shr": lambda: a >> b, "eq": lambda: a == b, "lt": lambda: a < b, "not": lambda: not a,
        "choose": lambda: b if a else rest[0],
    }  # fmt: skip
    value = int(results[number.op]())
    assert number.lo <= value <= number.hi, number.op
    assert number.lo < 0 or value & ~number.bits == 0, number.op
    return value


def some_way(a: int, b: int, seat: int) -> int:
    """A test function with several branches."""
    if a & 4 and b > 3:
        a += b
    elif a == b or not b:
        return a << 2 | 1
    other = seat + 1 if seat < 2 else 0
    if other == seat:
        return -1
    return (a ^ b) - other if a >= b else (b & ~a) * 3


@given(st.integers(0, 15), st.integers(0, 7), st.integers(0, 2))
def test_a_function_run_on_symbols_is_that_function(a: int, b: int, seat: int) -> None:
    """Symbolic execution merges all paths and folds constants correctly."""
    Symbol.interned.clear()
    Symbol.same_by_leader.clear()
    told = trace_all_paths(some_way)(variable("a", 0, 15), variable("b", 0, 7), leader_variable("seat", 3))
    assert valued(told, {"a": a, "b": b, "seat": seat}) == some_way(a, b, seat)


def test_what_depends_on_the_leader_alone_is_settled() -> None:
    Symbol.interned.clear()
    Symbol.same_by_leader.clear()
    seat = leader_variable("seat", 2)
    after = select(seat + 1 == 2, 0, seat + 1)
    assert (after == seat) is False
    assert (after + seat == 1) is True
