"""How the few things that are not rules are compiled: bit sets, random numbers, a seat's place in four.

Imported only where numba is. Each has a plain twin which the tests hold it to.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.extending import intrinsic, overload, overload_method

from chouine.fast import bits
from chouine.fast.compiler import WITHIN_CALLERS
from chouine.fast.seats import Seats
from chouine.rules import position

INT = types.int64
WORD = ir.IntType(64)
SEATS = types.NamedUniTuple(INT, 4, Seats)


STRIDE = bits.signed(bits.STRIDE)
FIRST, SECOND = map(bits.signed, bits.MULTIPLIERS)


def instruction(build: Any) -> Any:
    """A compiled function of one int that is an instruction or two."""

    @intrinsic  # type: ignore[untyped-decorator]
    def function(_: Any, word: Any) -> Any:
        def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return INT(word), lowered

    return function


NEVER_ZERO, MAY_BE_ZERO = ir.Constant(ir.IntType(1), 1), ir.Constant(ir.IntType(1), 0)
ones = instruction(lambda builder, word: builder.ctpop(word))
zeros_below = instruction(lambda builder, word: builder.cttz(word, NEVER_ZERO))
zeros_above = instruction(lambda builder, word: builder.ctlz(word, MAY_BE_ZERO))
shifted_30 = instruction(lambda builder, word: builder.lshr(word, WORD(30)))
shifted_27 = instruction(lambda builder, word: builder.lshr(word, WORD(27)))
shifted_31 = instruction(lambda builder, word: builder.lshr(word, WORD(31)))


@intrinsic  # type: ignore[untyped-decorator]
def deposited(_: Any, word: Any, mask: Any) -> Any:
    """The word's bits laid out on the mask's places."""

    def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(WORD, [WORD, WORD])
        return builder.call(
            cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), args
        )

    return INT(word, mask), lowered


@intrinsic  # type: ignore[untyped-decorator]
def either(_: Any, condition: Any, yes: Any, no: Any) -> Any:
    """One of two ints without a jump."""

    def lowered(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.select(*args)

    return INT(condition, yes, no), lowered


def counting(members: int) -> int:
    return ones(members)  # type: ignore[no-any-return]


def lowest_place(members: int) -> int:
    return zeros_below(members)  # type: ignore[no-any-return]


def counting_down(members: int, n: int) -> int:
    for _ in range(n):
        members &= members - 1
    return zeros_below(members)  # type: ignore[no-any-return]


def depositing(members: int, n: int) -> int:
    return zeros_below(deposited(1 << n, members))  # type: ignore[no-any-return]


def mixing(stream: int) -> int:
    z = (stream ^ shifted_30(stream)) * FIRST
    z = (z ^ shifted_27(z)) * SECOND
    return z ^ shifted_31(z)  # type: ignore[no-any-return]


def putting(four: Any, seat: int, value: int) -> Any:
    """Without jumps: who is on turn cannot be foretold."""
    return Seats(
        either(seat == 0, value, four[0]),
        either(seat == 1, value, four[1]),
        either(seat == 2, value, four[2]),
        either(seat == 3, value, four[3]),
    )


COMPILED_AS = {
    bits.how_many: counting,
    bits.lowest: lowest_place,
    bits.highest: lambda members: 63 - zeros_above(members),
    bits.nth: depositing if binding.get_host_cpu_features().get("bmi2") else counting_down,
    bits.advance: lambda stream: stream + STRIDE,
    bits.mixed: mixing,
    position.put: putting,
}
"""Plain functions and what stands for each in compiled code."""

for _plain, _form in COMPILED_AS.items():
    overload(_plain, strict=False, jit_options=WITHIN_CALLERS)(lambda *_, form=_form: form)


@overload_method(types.Integer, "bit_length", strict=False, jit_options=WITHIN_CALLERS)  # type: ignore[untyped-decorator]
def _(_: Any) -> Any:
    return lambda number: 64 - zeros_above(number)


@lower_builtin(operator.getitem, SEATS, INT)  # type: ignore[untyped-decorator]
def _(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """A seat's value without jumps; a seat is 0 to 3."""
    four, seat = args
    value = builder.extract_value(four, 3)
    for place in (2, 1, 0):
        here = builder.icmp_signed("==", seat, seat.type(place))
        value = builder.select(here, builder.extract_value(four, place), value)
    return value
