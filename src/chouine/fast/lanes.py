"""Lockstep as machine code: sixteen parties side by side, a register's width of 32-bit numbers.

Imported only where numba is. `batch(rules, numbers, tally)` deals, plays and counts one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from chouine.fast.lockstep import Program, named
from chouine.fast.symbols import WORD, Symbol, Uniform
from chouine.rules.book import book_of
from chouine.rules.options import Rules

LANES = 16
INT = ir.IntType(32)
LANE = ir.VectorType(INT, LANES)
TRUTH = ir.VectorType(ir.IntType(1), LANES)
NEVER_UNDEFINED = ir.Constant(ir.IntType(1), 0)
WIDE_TABLES = "avx512f"
"""The processor's feature that looks up sixteen entries in one instruction."""


def constant(number: int) -> ir.Constant:
    return ir.Constant(LANE, [number & WORD] * LANES)


class Emitter:
    """Writes symbols down as instructions, each once."""

    def __init__(self, builder: Any, given: dict[str, Any], card: Callable[[int, int], Any]) -> None:
        self.builder = builder
        self.given = given
        self.card = card
        self.done: dict[int, Any] = {}

    def emit(self, symbol: Symbol) -> Any:
        """The value of a symbol, and before it all it depends on."""
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

    def at(self, number: Any, shift: int = 0) -> Any:
        """A number kept so many places to the right."""
        if not isinstance(number, Symbol):
            return constant(int(number) >> shift)
        return self.shifted(self.emit(number), number.shift - shift)

    def shifted(self, value: Any, left: int) -> Any:
        if left == 0:
            return value
        return (
            self.builder.shl(value, constant(left)) if left > 0 else self.builder.lshr(value, constant(-left))
        )

    def truth(self, condition: Any) -> Any:
        if isinstance(condition, Symbol):
            return self.emit(condition)
        return ir.Constant(TRUTH, [int(condition)] * LANES)

    def instruction(self, symbol: Symbol) -> Any:
        """One step; every argument has been written down."""
        builder, op, args, shift = self.builder, symbol.op, symbol.args, symbol.shift
        match op:
            case "given":
                return self.given[args[0]]
            case "card":
                return self.card(*args)
            case "and" | "or" | "xor" | "add" | "sub" | "mul":
                name = {"and": "and_", "or": "or_"}.get(op, op)
                return getattr(builder, name)(self.at(args[0], shift), self.at(args[1], shift))
            case "product":
                return builder.mul(self.at(args[0]), constant(args[1]))
            case "andnot":
                return builder.and_(self.at(args[0], shift), builder.not_(self.at(args[1], shift)))
            case "shl" | "shr":
                return self.moved(symbol)
            case "eq" | "lt":
                return self.compared(op, *args)
            case "not":
                return builder.not_(self.emit(args[0]))
            case "choose" if symbol.condition:
                return builder.select(self.emit(args[0]), self.truth(args[1]), self.truth(args[2]))
            case "choose":
                return builder.select(self.emit(args[0]), self.at(args[1], shift), self.at(args[2], shift))
            case "table":
                return self.looked_up(args[0], [entry >> shift for entry in args[1]])
            case "count":
                return self.call("llvm.ctpop.v16i32", self.emit(args[0]))
            case "lowest":
                return self.call("llvm.cttz.v16i32", self.emit(args[0]), NEVER_UNDEFINED)
            case _:
                zeros = self.call("llvm.ctlz.v16i32", self.emit(args[0]), NEVER_UNDEFINED)
                return builder.sub(constant(31 + args[0].shift), zeros)

    def moved(self, symbol: Symbol) -> Any:
        """A shift, by places that are known or not."""
        number, places = symbol.args
        kept = number.shift if isinstance(number, Symbol) else 0
        if not isinstance(places, Symbol):
            left = places if symbol.op == "shl" else -places
            if symbol.lo < 0:
                return self.builder.ashr(self.at(number), constant(places))
            return self.shifted(self.at(number, kept), kept + left - symbol.shift)
        value = self.at(number, kept)
        if symbol.op == "shl":
            by = self.within(places, kept - symbol.shift)
            return self.builder.shl(value, by)
        return self.builder.lshr(value, self.within(places, -kept))

    def within(self, places: Symbol, more: int) -> Any:
        """Places to shift by, kept below 32 also in lanes where the shift is not asked for."""
        by = self.at(places)
        if more:
            by = self.builder.add(by, constant(more))
        sure = places.lo + more >= 0 and places.hi + more < 32
        return by if sure else self.builder.and_(by, constant(31))

    def compared(self, op: str, a: Any, b: Any) -> Any:
        shift = min(number.shift for number in (a, b) if isinstance(number, Symbol))
        if op == "eq" and not isinstance(b, Symbol):
            shift = a.shift
        values = self.at(a, shift), self.at(b, shift)
        if op == "eq":
            return self.builder.icmp_unsigned("==", *values)
        large = any(number.hi >> 31 for number in (a, b) if isinstance(number, Symbol))
        return (self.builder.icmp_unsigned if large else self.builder.icmp_signed)("<", *values)

    def looked_up(self, index: Symbol, entries: list[int]) -> Any:
        """A table's entry: in one instruction where the processor has it, else by choices."""
        places = self.at(index)
        while len(entries) > LANES and entries[:LANES] == entries[LANES : 2 * LANES]:
            entries = entries[:LANES]
        if binding.get_host_cpu_features().get(WIDE_TABLES) and len(entries) <= 2 * LANES:
            halves = [
                ir.Constant(LANE, [entry & WORD for entry in (entries[at:] + [0] * LANES)[:LANES]])
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
        kind = ir.FunctionType(LANE, [arg.type for arg in args])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, name), args)


def comparators(many: int) -> Iterator[tuple[int, int]]:
    """Pairs to put in order, one after another, so that all end in order (Batcher's odd-even merge sort)."""
    p = 1
    while p < many:
        q = p
        while q:
            for j in range(q % p, many - q, 2 * q):
                for i in range(min(q, many - j - q)):
                    if (i + j) // (2 * p) == (i + j + q) // (2 * p):
                        yield i + j, i + j + q
            q //= 2
        p *= 2


class Batch:
    """Code for one batch, in the function that `builder` is writing."""

    def __init__(self, builder: Any, rules: Rules, numbers: Any, tally: Any) -> None:
        self.builder = builder
        self.program = Program(book_of(rules))
        self.numbers = [builder.gep(numbers, [INT(row)]) for row in range(4)]
        self.tally = tally
        self.state = [self.room() for _ in range(4)]
        self.pack = cgutils.alloca_once(builder, ir.ArrayType(LANE, 32))
        self.kept: dict[str, Any] = {}
        between = named(self.program.position(0))
        self.shifts = {name: value.shift for name, value in between.items() if isinstance(value, Symbol)}

    def room(self) -> Any:
        return cgutils.alloca_once(self.builder, LANE)

    def number(self) -> Any:
        """The next random numbers of the lanes (xoshiro128++: Blackman and Vigna 2019)."""
        builder = self.builder
        a, b, c, d = (builder.load(room) for room in self.state)
        total = builder.add(a, d)
        drawn = builder.add(self.turned(total, 7), a)
        shifted = builder.shl(b, constant(9))
        c, d = builder.xor(c, a), builder.xor(d, b)
        b, a = builder.xor(b, c), builder.xor(a, d)
        c, d = builder.xor(c, shifted), self.turned(d, 11)
        for room, value in zip(self.state, (a, b, c, d), strict=True):
            builder.store(value, room)
        return drawn

    def turned(self, value: Any, places: int) -> Any:
        builder = self.builder
        return builder.or_(builder.shl(value, constant(places)), builder.lshr(value, constant(32 - places)))

    def shuffle(self) -> None:
        """A pack in random order: each card behind 27 random bits, then sorted."""
        builder = self.builder
        keys = [
            builder.or_(builder.and_(self.number(), constant(WORD - 31)), constant(card))
            for card in range(32)
        ]
        for low, high in comparators(32):
            in_order = builder.icmp_unsigned("<", keys[low], keys[high])
            keys[low], keys[high] = (
                builder.select(in_order, keys[low], keys[high]),
                builder.select(in_order, keys[high], keys[low]),
            )
        for place, key in enumerate(keys):
            card = builder.and_(key, constant(31))
            builder.store(card, builder.gep(self.pack, [INT(0), INT(place)]))

    def whole(self) -> None:
        """Shuffle, deal, play every trick, count."""
        book = self.program.book
        for room, row in zip(self.state, self.numbers, strict=True):
            self.builder.store(self.builder.load(row, align=4), room)
        self.shuffle()
        lanes = ir.Constant(LANE, [lane % book.seats for lane in range(LANES)])
        self.keep(self.program.deal(), {"lane": lanes}, None)
        before_last_draw, last_draw, last = book.drawing - 1, book.drawing - 1, book.tricks - 1
        self.tricks(0, before_last_draw)
        self.trick(last_draw, None)
        self.tricks(book.drawing, last)
        self.trick(last, None)
        emitter = self.emitter(None)
        for row, added in enumerate(self.program.count().values()):
            place = self.builder.gep(self.tally, [INT(row)])
            value = self.builder.add(self.builder.load(place, align=4), emitter.at(added))
            self.builder.store(value, place, align=4)
        for room, row in zip(self.state, self.numbers, strict=True):
            self.builder.store(self.builder.load(room), row, align=4)

    def tricks(self, first: int, end: int) -> None:
        """Tricks that are alike, as a loop."""
        if first < end:
            with cgutils.for_range(self.builder, INT(end - first)) as loop:
                self.trick(Uniform(first, end - 1), self.builder.add(loop.index, INT(first)))

    def trick(self, tricks: Any, index: Any) -> None:
        told = self.program.trick(tricks)
        given = {
            f"number{place}": self.builder.lshr(self.number(), constant(8))
            for place in range(self.program.book.seats)
        }
        self.keep(told, given, index)

    def keep(self, told: dict[str, Any], given: dict[str, Any], index: Any) -> None:
        """Compute what goes on to the next trick."""
        emitter = self.emitter(index, given)
        values = {name: emitter.at(value, self.shifts.get(name, 0)) for name, value in told.items()}
        for name, value in values.items():
            if name not in self.kept:
                self.kept[name] = self.room()
            self.builder.store(value, self.kept[name])

    def emitter(self, index: Any, given: dict[str, Any] | None = None) -> Emitter:
        loaded = {name: self.builder.load(room) for name, room in self.kept.items()}

        def card(times: int, plus: int) -> Any:
            place = INT(plus)
            if times:
                place = self.builder.add(self.builder.mul(index, INT(times)), place)
            return self.builder.load(self.builder.gep(self.pack, [INT(0), place]))

        return Emitter(self.builder, loaded | (given or {}), card)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def batch(_: Any, rules: Any, numbers: Any, tally: Any) -> Any:
    """One batch by these rules (their text), drawing from the lanes' `numbers` and adding to `tally`."""
    text = rules.literal_value

    def lowered(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointers = [
            builder.bitcast(context.make_array(kind)(context, builder, value).data, LANE.as_pointer())
            for kind, value in zip(signature.args[1:], args[1:], strict=True)
        ]
        Batch(builder, Rules.parse(text), *pointers).whole()
        return context.get_dummy_value()

    return types.none(rules, numbers, tally), lowered
