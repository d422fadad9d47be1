"""LLVM code for lockstep playouts: sixteen parties side by side as 32-bit integers in one vector register.

Imported only where numba is. `batch(rules, numbers, tally)` deals, plays and counts one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from chouine.fast.symbolic import WORD, LoopIndex, Symbol
from chouine.fast.trick_graph import TrickGraph, by_name
from chouine.rules.book import book_of
from chouine.rules.options import Rules

LANES = 16
INT = ir.IntType(32)
VECTOR = ir.VectorType(INT, LANES)
MASK = ir.VectorType(ir.IntType(1), LANES)
NEVER_UNDEFINED = ir.Constant(ir.IntType(1), 0)
WIDE_TABLES = "avx512f"
"""The CPU feature that looks up sixteen table entries in one instruction."""


def constant(number: int) -> ir.Constant:
    return ir.Constant(VECTOR, [number & WORD] * LANES)


class Emitter:
    """Translate symbols into LLVM instructions, each symbol once."""

    def __init__(self, builder: Any, inputs: dict[str, Any], card: Callable[[int, int], Any]) -> None:
        self.builder = builder
        self.inputs = inputs
        self.play_card = card
        self.done: dict[int, Any] = {}

    def emit(self, symbol: Symbol) -> Any:
        """The LLVM value of a symbol; emits its operands first."""
        waiting = [symbol]
        while waiting:
            next_one = waiting[-1]
            missing = [a for a in next_one.args if isinstance(a, Symbol) and a.serial not in self.done]
            if missing:
                waiting += missing
            else:
                waiting.pop()
                if next_one.serial not in self.done:
                    self.done[next_one.serial] = self.instruction(next_one)
        return self.done[symbol.serial]

    def value_at(self, number: Any, shift: int = 0) -> Any:
        """A number stored shifted right by `shift`."""
        if not isinstance(number, Symbol):
            return constant(int(number) >> shift)
        return self.shifted(self.emit(number), number.shift - shift)

    def shifted(self, value: Any, left: int) -> Any:
        if left == 0:
            return value
        return (
            self.builder.shl(value, constant(left)) if left > 0 else self.builder.lshr(value, constant(-left))
        )

    def condition_value(self, condition: Any) -> Any:
        if isinstance(condition, Symbol):
            return self.emit(condition)
        return ir.Constant(MASK, [int(condition)] * LANES)

    def instruction(self, symbol: Symbol) -> Any:
        """Emit one operation; its operands have been emitted."""
        builder, op, args, shift = self.builder, symbol.op, symbol.args, symbol.shift
        match op:
            case "given":
                return self.inputs[args[0]]
            case "card":
                return self.play_card(*args)
            case "and" | "or" | "xor" | "add" | "sub" | "mul":
                name = {"and": "and_", "or": "or_"}.get(op, op)
                return getattr(builder, name)(self.value_at(args[0], shift), self.value_at(args[1], shift))
            case "product":
                return builder.mul(self.value_at(args[0]), constant(args[1]))
            case "andnot":
                return builder.and_(
                    self.value_at(args[0], shift), builder.not_(self.value_at(args[1], shift))
                )
            case "shl" | "shr":
                return self.shift_instruction(symbol)
            case "eq" | "lt":
                return self.comparison(op, *args)
            case "not":
                return builder.not_(self.emit(args[0]))
            case "choose" if symbol.condition:
                return builder.select(
                    self.emit(args[0]), self.condition_value(args[1]), self.condition_value(args[2])
                )
            case "choose":
                return builder.select(
                    self.emit(args[0]), self.value_at(args[1], shift), self.value_at(args[2], shift)
                )
            case "table":
                return self.table_lookup(args[0], [entry >> shift for entry in args[1]])
            case "count":
                return self.call("llvm.ctpop.v16i32", self.emit(args[0]))
            case "lowest":
                return self.call("llvm.cttz.v16i32", self.emit(args[0]), NEVER_UNDEFINED)
            case _:
                zeros = self.call("llvm.ctlz.v16i32", self.emit(args[0]), NEVER_UNDEFINED)
                return builder.sub(constant(31 + args[0].shift), zeros)

    def shift_instruction(self, symbol: Symbol) -> Any:
        """A shift, by a constant or by a variable amount."""
        number, places = symbol.args
        kept = number.shift if isinstance(number, Symbol) else 0
        if not isinstance(places, Symbol):
            left = places if symbol.op == "shl" else -places
            if symbol.lo < 0:
                return self.builder.ashr(self.value_at(number), constant(places))
            return self.shifted(self.value_at(number, kept), kept + left - symbol.shift)
        value = self.value_at(number, kept)
        if symbol.op == "shl":
            by = self.shift_amount(places, kept - symbol.shift)
            return self.builder.shl(value, by)
        return self.builder.lshr(value, self.shift_amount(places, -kept))

    def shift_amount(self, places: Symbol, more: int) -> Any:
        """A shift amount kept below 32 also in lanes whose result is discarded."""
        by = self.value_at(places)
        if more:
            by = self.builder.add(by, constant(more))
        sure = places.lo + more >= 0 and places.hi + more < 32
        return by if sure else self.builder.and_(by, constant(31))

    def comparison(self, op: str, a: Any, b: Any) -> Any:
        shift = min(number.shift for number in (a, b) if isinstance(number, Symbol))
        if op == "eq" and not isinstance(b, Symbol):
            shift = a.shift
        values = self.value_at(a, shift), self.value_at(b, shift)
        if op == "eq":
            return self.builder.icmp_unsigned("==", *values)
        large = any(number.hi >> 31 for number in (a, b) if isinstance(number, Symbol))
        return (self.builder.icmp_unsigned if large else self.builder.icmp_signed)("<", *values)

    def table_lookup(self, index: Symbol, entries: list[int]) -> Any:
        """A table entry: one instruction where the CPU has it, else a chain of selects."""
        places = self.value_at(index)
        while len(entries) > LANES and entries[:LANES] == entries[LANES : 2 * LANES]:
            entries = entries[:LANES]
        if binding.get_host_cpu_features().get(WIDE_TABLES) and len(entries) <= 2 * LANES:
            halves = [
                ir.Constant(VECTOR, [entry & WORD for entry in (entries[at:] + [0] * LANES)[:LANES]])
                for at in (0, LANES)
            ]
            if len(entries) <= LANES:
                return self.call("llvm.x86.avx512.permvar.si.512", halves[0], places)
            return self.call("llvm.x86.avx512.vpermi2var.d.512", halves[0], places, halves[1])
        value = constant(entries[0])
        for at, entry in enumerate(entries[1:], 1):
            here = self.builder.icmp_unsigned("==", places, constant(at))
            value = self.builder.select(here, constant(entry), value)
        return value

    def call(self, name: str, *args: Any) -> Any:
        kind = ir.FunctionType(VECTOR, [arg.type for arg in args])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, name), args)


def sorting_network(count: int) -> Iterator[tuple[int, int]]:
    """Compare-and-swap pairs that sort `count` values (Batcher's odd-even merge sort)."""
    p = 1
    while p < count:
        q = p
        while q:
            for j in range(q % p, count - q, 2 * q):
                for i in range(min(q, count - j - q)):
                    if (i + j) // (2 * p) == (i + j + q) // (2 * p):
                        yield i + j, i + j + q
            q //= 2
        p *= 2


class BatchCodegen:
    """Generate the code of one batch inside the function that `builder` is writing."""

    def __init__(self, builder: Any, rules: Rules, numbers: Any, tally: Any) -> None:
        self.builder = builder
        self.program = TrickGraph(book_of(rules))
        self.numbers = [builder.gep(numbers, [INT(row)]) for row in range(4)]
        self.tally = tally
        self.state = [self.alloca() for _ in range(4)]
        self.pack = cgutils.alloca_once(builder, ir.ArrayType(VECTOR, 32))
        self.slots: dict[str, Any] = {}
        between = by_name(self.program.position(0))
        self.shifts = {name: value.shift for name, value in between.items() if isinstance(value, Symbol)}

    def alloca(self) -> Any:
        return cgutils.alloca_once(self.builder, VECTOR)

    def random_numbers(self) -> Any:
        """The next random numbers of all lanes (xoshiro128++: Blackman and Vigna 2019)."""
        builder = self.builder
        a, b, c, d = (builder.load(room) for room in self.state)
        total = builder.add(a, d)
        drawn = builder.add(self.rotate_left(total, 7), a)
        shifted = builder.shl(b, constant(9))
        c, d = builder.xor(c, a), builder.xor(d, b)
        b, a = builder.xor(b, c), builder.xor(a, d)
        c, d = builder.xor(c, shifted), self.rotate_left(d, 11)
        for room, value in zip(self.state, (a, b, c, d), strict=True):
            builder.store(value, room)
        return drawn

    def rotate_left(self, value: Any, places: int) -> Any:
        builder = self.builder
        return builder.or_(builder.shl(value, constant(places)), builder.lshr(value, constant(32 - places)))

    def shuffle(self) -> None:
        """Shuffle each lane's pack: put 27 random bits above each card, then sort."""
        builder = self.builder
        keys = [
            builder.or_(builder.and_(self.random_numbers(), constant(WORD - 31)), constant(card))
            for card in range(32)
        ]
        for low, high in sorting_network(32):
            in_order = builder.icmp_unsigned("<", keys[low], keys[high])
            keys[low], keys[high] = (
                builder.select(in_order, keys[low], keys[high]),
                builder.select(in_order, keys[high], keys[low]),
            )
        for place, key in enumerate(keys):
            card = builder.and_(key, constant(31))
            builder.store(card, builder.gep(self.pack, [INT(0), INT(place)]))

    def emit_batch(self) -> None:
        """Shuffle, deal, play every trick, count."""
        book = self.program.book
        for room, row in zip(self.state, self.numbers, strict=True):
            self.builder.store(self.builder.load(row, align=4), room)
        self.shuffle()
        lanes = ir.Constant(VECTOR, [lane % book.seats for lane in range(LANES)])
        self.store_fields(self.program.deal(), {"lane": lanes}, None)
        before_last_draw, last_draw, last = book.drawing - 1, book.drawing - 1, book.tricks - 1
        self.emit_tricks(0, before_last_draw)
        self.emit_trick(last_draw, None)
        self.emit_tricks(book.drawing, last)
        self.emit_trick(last, None)
        emitter = self.emitter(None)
        for row, added in enumerate(self.program.count().values()):
            place = self.builder.gep(self.tally, [INT(row)])
            value = self.builder.add(self.builder.load(place, align=4), emitter.value_at(added))
            self.builder.store(value, place, align=4)
        for room, row in zip(self.state, self.numbers, strict=True):
            self.builder.store(self.builder.load(room), row, align=4)

    def emit_tricks(self, first: int, end: int) -> None:
        """Tricks with identical code, as a loop."""
        if first < end:
            with cgutils.for_range(self.builder, INT(end - first)) as loop:
                self.emit_trick(LoopIndex(first, end - 1), self.builder.add(loop.index, INT(first)))

    def emit_trick(self, tricks: Any, index: Any) -> None:
        fields = self.program.trick(tricks)
        inputs = {
            f"number{place}": self.builder.lshr(self.random_numbers(), constant(8))
            for place in range(self.program.book.seats)
        }
        self.store_fields(fields, inputs, index)

    def store_fields(self, fields: dict[str, Any], inputs: dict[str, Any], index: Any) -> None:
        """Compute and store the fields that the next trick needs."""
        emitter = self.emitter(index, inputs)
        values = {name: emitter.value_at(value, self.shifts.get(name, 0)) for name, value in fields.items()}
        for name, value in values.items():
            if name not in self.slots:
                self.slots[name] = self.alloca()
            self.builder.store(value, self.slots[name])

    def emitter(self, index: Any, inputs: dict[str, Any] | None = None) -> Emitter:
        loaded = {name: self.builder.load(room) for name, room in self.slots.items()}

        def card(times: int, plus: int) -> Any:
            place = INT(plus)
            if times:
                place = self.builder.add(self.builder.mul(index, INT(times)), place)
            return self.builder.load(self.builder.gep(self.pack, [INT(0), place]))

        return Emitter(self.builder, loaded | (inputs or {}), card)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def batch(_: Any, rules: Any, numbers: Any, tally: Any) -> Any:
    """One batch by these rules (their text), drawing from the lanes' `numbers` and adding to `tally`."""
    text = rules.literal_value

    def lowered(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointers = [
            builder.bitcast(context.make_array(kind)(context, builder, value).data, VECTOR.as_pointer())
            for kind, value in zip(signature.args[1:], args[1:], strict=True)
        ]
        BatchCodegen(builder, Rules.parse(text), *pointers).emit_batch()
        return context.get_dummy_value()

    return types.none(rules, numbers, tally), lowered
