"""Machine instructions for the few kernels that are not rules: bit sets, random numbers, access by seat.

Imported only where numba is. The tests compare each with its plain version.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.extending import intrinsic, overload, overload_method

from chouine.cards import BRISQUES
from chouine.fast import bits, soa_layout
from chouine.fast.compiler import INLINED
from chouine.fast.soa_layout import PerSeat, TwoSeats
from chouine.rules import combinations, play, position

INT = types.int64
WORD = ir.IntType(64)
PER_SEAT = types.NamedUniTuple(INT, 4, PerSeat)
TWO_SEATS = types.NamedUniTuple(INT, 4, TwoSeats)


STRIDE = bits.as_int64(bits.STRIDE)
FIRST, SECOND = map(bits.as_int64, bits.MULTIPLIERS)


def unary_instruction(build: Any) -> Any:
    """A compiled function of one int that maps to one or two LLVM instructions."""

    @intrinsic  # type: ignore[untyped-decorator]
    def function(_: Any, word: Any) -> Any:
        def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return INT(word), lowered

    return function


NEVER_ZERO, MAY_BE_ZERO = ir.Constant(ir.IntType(1), 1), ir.Constant(ir.IntType(1), 0)
ctpop = unary_instruction(lambda builder, word: builder.ctpop(word))
cttz = unary_instruction(lambda builder, word: builder.cttz(word, NEVER_ZERO))
ctlz = unary_instruction(lambda builder, word: builder.ctlz(word, MAY_BE_ZERO))
shift_right_30 = unary_instruction(lambda builder, word: builder.lshr(word, WORD(30)))
shift_right_27 = unary_instruction(lambda builder, word: builder.lshr(word, WORD(27)))
shift_right_31 = unary_instruction(lambda builder, word: builder.lshr(word, WORD(31)))


@intrinsic  # type: ignore[untyped-decorator]
def pdep(_: Any, word: Any, mask: Any) -> Any:
    """Deposit the word's bits at the set bits of the mask (x86 `pdep`)."""

    def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(WORD, [WORD, WORD])
        return builder.call(
            cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), args
        )

    return INT(word, mask), lowered


@intrinsic  # type: ignore[untyped-decorator]
def select(_: Any, condition: Any, yes: Any, no: Any) -> Any:
    """One of two ints, without a branch."""

    def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.select(*args)

    return INT(condition, yes, no), lowered


def storing(count: int) -> Any:
    """A compiled function that writes so many bits as bytes into a row of words: with AVX-512 two instructions."""

    @intrinsic  # type: ignore[untyped-decorator]
    def function(_: Any, words: Any, row: Any, at: Any, bits: Any) -> Any:
        def lowered(context: Any, builder: Any, signature: Any, args: Any) -> None:
            kind, flags = signature.args[0], ir.VectorType(ir.IntType(1), count)
            there = cgutils.get_item_pointer(
                context, builder, kind, context.make_array(kind)(context, builder, args[0]), args[1:3]
            )
            marks = ir.VectorType(ir.IntType(8), count)
            low = builder.bitcast(builder.trunc(args[3], ir.IntType(count)), flags)
            builder.store(builder.zext(low, marks), builder.bitcast(there, marks.as_pointer()), align=1)

        return types.void(words, row, at, bits), lowered

    return function


store32, store64 = storing(32), storing(64)


def wrapping_instruction(build: Any) -> Any:
    """A compiled function of two ints that may overflow: numba tells LLVM of its own sums that they do not."""

    @intrinsic  # type: ignore[untyped-decorator]
    def function(_: Any, one: Any, other: Any) -> Any:
        def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return build(builder, *args)

        return INT(one, other), lowered

    return function


wrapping_sum = wrapping_instruction(lambda builder, one, other: builder.add(one, other))
wrapping_product = wrapping_instruction(lambda builder, one, other: builder.mul(one, other))


def popcount_by_ctpop(members: int) -> int:
    return ctpop(members)  # type: ignore[no-any-return]


def lowest_bit_by_cttz(members: int) -> int:
    return cttz(members)  # type: ignore[no-any-return]


def nth_bit_by_loop(members: int, n: int) -> int:
    for _ in range(n):
        members &= members - 1
    return cttz(members)  # type: ignore[no-any-return]


def nth_bit_by_pdep(members: int, n: int) -> int:
    return cttz(pdep(1 << n, members))  # type: ignore[no-any-return]


def splitmix64_by_shifts(stream: int) -> int:
    z = wrapping_product(stream ^ shift_right_30(stream), FIRST)
    z = wrapping_product(z ^ shift_right_27(z), SECOND)
    return z ^ shift_right_31(z)  # type: ignore[no-any-return]


def put_by_select(four: Any, seat: int, value: int) -> Any:
    """`position.put` without branches: the seat on turn is unpredictable."""
    return PerSeat(
        select(seat == 0, value, four[0]),
        select(seat == 1, value, four[1]),
        select(seat == 2, value, four[2]),
        select(seat == 3, value, four[3]),
    )


def put_by_one_select(two: Any, seat: int, value: int) -> Any:
    """`put_by_select` for `TwoSeats`: one selection for each seat."""
    return TwoSeats(select(seat == 0, value, two[0]), select(seat == 0, two[1], value), two[2], two[3])


def only_if_by_select(condition: bool, cards: int) -> int:  # noqa: FBT001  # same signature as `only_if`
    return select(condition, cards, 0)  # type: ignore[no-any-return]


def first_of_by_select(cards: int, others: int) -> int:
    """`first_of` without a branch: what a hand holds is random, so a branch is mispredicted half the time."""
    return select(cards != 0, cards, others)  # type: ignore[no-any-return]


def brisques_held_by_loop(hand: int, many: int) -> bool:
    """`brisques_held` as four simple steps, which cost less where they are inlined than a count of bits."""
    brisques = hand & BRISQUES
    for _ in range(many - 1):
        brisques &= brisques - 1
    return brisques > 0


def spread32_by_store(words: Any, row: int, at: int, bits: int) -> None:
    store32(words, row, at, bits)


def spread64_by_store(words: Any, row: int, at: int, bits: int) -> None:
    store64(words, row, at, bits)


COMPILED_AS = {
    bits.popcount: popcount_by_ctpop,
    bits.lowest_bit: lowest_bit_by_cttz,
    bits.highest_bit: lambda members: 63 - ctlz(members),
    bits.nth_bit: nth_bit_by_pdep if binding.get_host_cpu_features().get("bmi2") else nth_bit_by_loop,
    bits.next_state: lambda stream: wrapping_sum(stream, STRIDE),
    bits.splitmix64: splitmix64_by_shifts,
    bits.spread32: spread32_by_store,
    bits.spread64: spread64_by_store,
    combinations.brisques_held: brisques_held_by_loop,
    play.only_if: only_if_by_select,
    play.first_of: first_of_by_select,
    position.new_position: lambda fields: position.Position(*fields),
}
"""Plain functions and their compiled replacements."""

for _plain, _form in COMPILED_AS.items():
    overload(_plain, strict=False, jit_options=INLINED)(lambda *_, form=_form: form)


@overload(position.put, strict=False, jit_options=INLINED)  # type: ignore[untyped-decorator]
def _(four: Any, _seat: Any, _value: Any) -> Any:
    return put_by_one_select if four == TWO_SEATS else put_by_select


@overload(soa_layout.of_its_kind, strict=False, jit_options=INLINED)  # type: ignore[untyped-decorator]
def _(four: Any, _a: Any, _b: Any, _c: Any, _d: Any) -> Any:
    kind = TwoSeats if four == TWO_SEATS else PerSeat
    return lambda _four, a, b, c, d: kind(a, b, c, d)


@overload_method(types.Integer, "bit_length", strict=False, jit_options=INLINED)  # type: ignore[untyped-decorator]
def _(_: Any) -> Any:
    return lambda number: 64 - ctlz(number)


@lower_builtin(operator.getitem, PER_SEAT, INT)  # type: ignore[untyped-decorator]
def _(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """A seat's value without jumps; a seat is 0 to 3."""
    four, seat = args
    value = builder.extract_value(four, 3)
    for place in (2, 1, 0):
        here = builder.icmp_signed("==", seat, seat.type(place))
        value = builder.select(here, builder.extract_value(four, place), value)
    return value


@lower_builtin(operator.getitem, TWO_SEATS, INT)  # type: ignore[untyped-decorator]
def _(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Read an element of `TwoSeats` by a selection; a seat is 0 or 1."""
    two, seat = args
    first = builder.icmp_signed("==", seat, seat.type(0))
    return builder.select(first, builder.extract_value(two, 0), builder.extract_value(two, 1))
