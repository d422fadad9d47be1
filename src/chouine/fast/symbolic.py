"""Symbolic execution of the rules: run their functions once on symbols to record what they compute.

`1 << card` on a `Symbol` returns a `Symbol` that records the shift. A condition on symbols is neither true nor false:
`trace_all_paths` runs the function for both outcomes and joins the results with a select. The recorded program has no
branches; each step is one SIMD instruction.

Every symbol tracks its bounds and possible bits; operations whose result these determine are folded away. A symbol that
depends only on the trick's leader also stores its value for each leader.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce, wraps
from typing import Any

WORD = 0xFFFFFFFF
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "shl": operator.lshift,
    "shr": operator.rshift,
    "eq": operator.eq,
    "lt": operator.lt,
}


class Symbol:
    """A 32-bit number stored shifted right by `shift`, or a condition with bounds 0 and 1."""

    __slots__ = ("args", "bits", "by_leader", "condition", "hi", "leader", "lo", "op", "serial", "shift")
    interned: dict[tuple[Any, ...], Symbol] = {}  # noqa: RUF012  # one table for the whole of a program
    same_by_leader: dict[tuple[Any, ...], Symbol] = {}  # noqa: RUF012  # those that have the same value for every leader

    def __init__(self, op: str, args: tuple[Any, ...], lo: int, hi: int, bits: int) -> None:
        self.op, self.args, self.lo = op, args, lo
        self.bits = bits & (1 << hi.bit_length()) - 1 if lo >= 0 else -1
        self.hi = min(hi, self.bits) if lo >= 0 else hi
        self.shift = (self.bits & -self.bits).bit_length() - 1 if self.hi > WORD else 0
        self.condition = False
        self.leader: Symbol | None = None
        self.by_leader: tuple[Any, ...] = ()
        self.serial = len(Symbol.interned)
        if self.hi >> self.shift > WORD:
            raise OverflowError(f"{op} does not fit in 32 bits")

    def __bool__(self) -> bool:
        return decide(self if self.condition else self != 0)

    def __invert__(self) -> Complement:
        return Complement(self)

    __hash__ = object.__hash__

    def __and__(self, other: Any) -> Any:
        return (
            operation("andnot", self, other.symbol)
            if isinstance(other, Complement)
            else operation("and", self, other)
        )

    def __or__(self, other: Any) -> Any:
        return operation("or", self, other)

    def __xor__(self, other: Any) -> Any:
        return operation("xor", self, other)

    def __add__(self, other: Any) -> Any:
        return operation("add", self, other)

    def __mul__(self, other: Any) -> Any:
        return operation("mul", self, other)

    __rand__, __ror__, __rxor__, __radd__, __rmul__ = __and__, __or__, __xor__, __add__, __mul__

    def __sub__(self, other: Any) -> Any:
        return operation("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return operation("sub", other, self)

    def __lshift__(self, other: Any) -> Any:
        return operation("shl", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return operation("shl", other, self)

    def __rshift__(self, other: Any) -> Any:
        return operation("shr", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return operation("shr", other, self)

    def __mod__(self, modulus: int) -> Any:
        if self.lo < 0:
            return select(self < 0, self + modulus, self)
        return select(self < modulus, self, self - modulus)

    def __eq__(self, other: object) -> Any:
        return operation("eq", self, other)

    def __ne__(self, other: object) -> Any:
        return negate(operation("eq", self, other))

    def __lt__(self, other: Any) -> Any:
        return operation("lt", self, other)

    def __gt__(self, other: Any) -> Any:
        return operation("lt", other, self)

    def __ge__(self, other: Any) -> Any:
        return negate(operation("lt", self, other))

    def __le__(self, other: Any) -> Any:
        return negate(operation("lt", other, self))


class Complement:
    """`~symbol`. It has infinitely many bits, so that only `&` with a number is allowed (`hand & ~played`)."""

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol

    def __rand__(self, other: Any) -> Any:
        return operation("andnot", other, self.symbol)


class LoopIndex:
    """A number equal in all lanes: a multiple of the trick loop's index plus a constant."""

    def __init__(self, lo: int, hi: int, times: int = 1, plus: int = 0) -> None:
        self.lo, self.hi, self.times, self.plus = lo, hi, times, plus

    def __add__(self, other: int) -> LoopIndex:
        return LoopIndex(self.lo, self.hi, self.times, self.plus + other)

    def __mul__(self, other: int) -> LoopIndex:
        return LoopIndex(self.lo, self.hi, self.times * other, self.plus * other)

    def ends(self) -> tuple[int, int]:
        return self.lo * self.times + self.plus, self.hi * self.times + self.plus

    def settled(self, relation: Callable[[int, int], bool], other: int) -> bool:
        """The result of a comparison, which must be the same for every iteration of the loop.

        Otherwise raises `ValueError`.
        """
        first, last = (relation(end, other) for end in self.ends())
        if first != last or (relation is operator.eq and self.ends()[0] <= other <= self.ends()[1]):
            raise ValueError("tricks of one loop must be alike")
        return first

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and self.settled(operator.eq, other)

    def __lt__(self, other: int) -> bool:
        return self.settled(operator.lt, other)

    def __ge__(self, other: int) -> bool:
        return self.settled(operator.ge, other)


def variable(name: str, lo: int, hi: int, bits: int = -1) -> Symbol:
    """An input symbol."""
    return interned("given", (name, lo, hi), lo, hi, bits)


def leader_variable(name: str, seats: int) -> Symbol:
    """The seat that leads a trick."""
    symbol = variable(name, 0, seats - 1)
    symbol.leader, symbol.by_leader = symbol, tuple(range(seats))
    return symbol


def interned(op: str, args: tuple[Any, ...], lo: int, hi: int, bits: int = -1) -> Symbol:
    """The unique symbol of an operation on these operands."""
    key = (op, *(("symbol", arg.serial) if isinstance(arg, Symbol) else arg for arg in args))
    if key not in Symbol.interned:
        Symbol.interned[key] = Symbol(op, args, lo, hi, bits)
    return Symbol.interned[key]


def bounds(number: Any) -> tuple[int, int, int]:
    """Minimum, maximum, possible bits."""
    if isinstance(number, Symbol):
        return number.lo, number.hi, number.bits
    return int(number), int(number), int(number)


def operation(op: str, a: Any, b: Any) -> Any:
    """The symbol of an operation on two numbers, or its value if bounds determine it."""
    if op in ("and", "or", "xor", "add", "mul", "eq") and not isinstance(a, Symbol):
        a, b = b, a
    if op in ("eq", "lt"):
        return comparison(op, a, b)
    (alo, ahi, abits), (blo, bhi, bbits) = bounds(a), bounds(b)
    low, high, bits = 0, 0, -1
    if op in ("and", "andnot"):
        bits = abits & (bbits if op == "and" else -1 if isinstance(b, Symbol) else ~b)
        high = bits if bits >= 0 else max(ahi, bhi)
    elif op in ("or", "xor"):
        bits = abits | bbits
        low, high = max(alo, blo) if op == "or" else 0, bits
    elif op == "add":
        low, high = alo + blo, ahi + bhi
    elif op == "sub":
        low, high = alo - bhi, ahi - blo
    elif op == "mul":
        low, high = alo * blo, ahi * bhi
    else:
        places = range(max(blo, 0), bhi + 1)
        bits = reduce(operator.or_, (OPERATORS[op](abits, place) for place in places))
        low, high = (alo >> min(places), ahi >> min(places)) if op == "shr" else (0, bits)
    if low == high and op != "andnot":
        return low
    if op in ("and", "andnot") and bits == 0:
        return 0
    if op in ("or", "xor", "add", "sub", "shl", "shr") and isinstance(b, int) and b == 0:
        return a
    return fold_by_leader(interned(op, (a, b), low, high, bits))


def comparison(op: str, a: Any, b: Any) -> Any:
    """A condition, or its truth value if bounds determine it."""
    (alo, ahi, abits), (blo, bhi, _) = bounds(a), bounds(b)
    if a is b:
        return op == "eq"
    if ahi < blo or bhi < alo or (op == "eq" and alo >= 0 and isinstance(b, int) and b & ~abits):
        return op == "lt" and ahi < blo
    if op == "lt" and alo >= bhi:
        return False
    condition = interned(op, (a, b), 0, 1)
    condition.condition = True
    return fold_by_leader(condition)


def fold_by_leader(symbol: Symbol) -> Any:
    """The symbol annotated with its value per leader if it depends on the leader alone; the value if all are equal."""
    leaders = {arg.leader for arg in symbol.args if isinstance(arg, Symbol)}
    leader = next(iter(leaders))
    if len(leaders) > 1 or leader is None:
        return symbol
    columns = [
        arg.by_leader if isinstance(arg, Symbol) else (arg,) * len(leader.by_leader) for arg in symbol.args
    ]
    if symbol.op == "choose":
        values = [yes if is_so else no for is_so, yes, no in zip(*columns, strict=True)]
    elif symbol.op == "not":
        values = [not value for value in columns[0]]
    elif symbol.op in OPERATORS:
        values = [OPERATORS[symbol.op](a, b) for a, b in zip(*columns, strict=True)]
    else:
        return symbol
    if len(set(values)) == 1:
        return values[0]
    key = (symbol.condition, leader.serial, *values)
    twin = Symbol.same_by_leader.setdefault(key, symbol)
    if twin is symbol:
        symbol.leader, symbol.by_leader = leader, tuple(values)
        symbol.lo, symbol.hi = min(values), max(values)
        symbol.bits = reduce(operator.or_, values) if symbol.lo >= 0 else -1
        if symbol.condition and symbol.op != "not":
            Symbol.same_by_leader[True, leader.serial, *(not value for value in values)] = negate(symbol)
    return twin


def negate(condition: Any) -> Any:
    if not isinstance(condition, Symbol):
        return not condition
    if condition.op == "not":
        return condition.args[0]
    symbol = interned("not", (condition,), 0, 1)
    symbol.condition = True
    return fold_by_leader(symbol)


def same(a: Any, b: Any) -> bool:
    """Whether two values are known to be equal."""
    return a is b or (not isinstance(a, Symbol) and not isinstance(b, Symbol) and a == b)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`; tuples element by element."""
    if not isinstance(condition, Symbol):
        return yes if condition else no
    if isinstance(yes, tuple):
        parts = [select(condition, *both) for both in zip(yes, no, strict=True)]
        if hasattr(yes, "_fields"):
            return type(yes)(*parts)
        return (type(no) if type(yes) is tuple else type(yes))(parts)
    if condition.op == "not":
        return select(condition.args[0], no, yes)
    if isinstance(yes, Symbol) and yes.op == "choose" and yes.args[0] is condition:
        yes = yes.args[1]
    if isinstance(no, Symbol) and no.op == "choose" and no.args[0] is condition:
        no = no.args[2]
    if isinstance(yes, LoopIndex):  # a chouine ends one lane's tricks (§10), not its neighbours'
        return no
    if same(yes, no):
        return yes
    if isinstance(yes, Symbol) and isinstance(no, Symbol) and yes.op == no.op:
        shared = [same(*both) for both in zip(yes.args, no.args, strict=True)]
        if yes.op == "choose" and shared[0] and (shared[1] or shared[2]):
            parts = [select(condition, *both) for both in zip(yes.args[1:], no.args[1:], strict=True)]
            return select(yes.args[0], *parts)
        if yes.op == "add" and shared[0]:
            return yes.args[0] + select(condition, yes.args[1], no.args[1])
    truths = [
        isinstance(value, bool) or (isinstance(value, Symbol) and value.condition) for value in (yes, no)
    ]
    (alo, ahi, abits), (blo, bhi, bbits) = bounds(yes), bounds(no)
    symbol = interned("choose", (condition, yes, no), min(alo, blo), max(ahi, bhi), abits | bbits)
    symbol.condition = all(truths)
    return fold_by_leader(symbol)


class UndecidedBranch(Exception):  # control flow, not an error
    """A branch on a condition that differs between lanes."""

    def __init__(self, condition: Symbol) -> None:
        super().__init__()
        self.condition = condition


_path_answers: list[dict[Symbol, bool]] = [{}]
"""The conditions decided on the current path."""


def decide(condition: Any) -> bool:
    """A condition's truth value on the current path. Raises `UndecidedBranch` if it is not determined."""
    if not isinstance(condition, Symbol):
        return bool(condition)
    if condition.op == "not":
        return not decide(condition.args[0])
    answers = _path_answers[-1]
    if condition in answers:
        return answers[condition]
    if condition.leader is not None:
        known = [
            (asked.by_leader, answer) for asked, answer in answers.items() if asked.leader is condition.leader
        ]
        possible = {
            value
            for nth, value in enumerate(condition.by_leader)
            if all(values[nth] == answer for values, answer in known)
        }
        if len(possible) == 1:
            return bool(possible.pop())
    raise UndecidedBranch(condition)


def trace_all_paths(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function: run it along every path and join the results with selects."""

    @wraps(function)
    def joined(*args: Any) -> Any:
        def follow(answers: dict[Symbol, bool]) -> Any:
            _path_answers.append(answers)
            try:
                return function(*args)
            except UndecidedBranch as question:
                condition = question.condition
            finally:
                _path_answers.pop()
            return select(
                condition, follow({**answers, condition: True}), follow({**answers, condition: False})
            )

        return follow(_path_answers[-1])

    return joined
