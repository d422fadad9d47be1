"""Numbers that are not known yet, so that the rules' own functions, run on them once, write down what they compute.

`1 << card` on a `Symbol` gives a `Symbol` that remembers the shift. A condition on symbols cannot be true or false
yet: `merged` runs a function for either answer and joins what comes out by a choice. The whole is a program without
jumps, in which each step is one instruction for many parties side by side.

Every symbol knows its bounds and which bits it may have; what these settle is settled at once and leaves no trace.
One that depends on nothing but the trick's leader also knows its value for each of them.
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
    """A number, kept in 32 bits `shift` places to the right; or a condition, whose bounds are 0 and 1."""

    __slots__ = ("args", "bits", "by_leader", "condition", "hi", "leader", "lo", "op", "serial", "shift")
    made: dict[tuple[Any, ...], Symbol] = {}  # noqa: RUF012  # one table for the whole of a program
    alike: dict[tuple[Any, ...], Symbol] = {}  # noqa: RUF012  # those that have the same value for every leader

    def __init__(self, op: str, args: tuple[Any, ...], lo: int, hi: int, bits: int) -> None:
        self.op, self.args, self.lo = op, args, lo
        self.bits = bits & (1 << hi.bit_length()) - 1 if lo >= 0 else -1
        self.hi = min(hi, self.bits) if lo >= 0 else hi
        self.shift = (self.bits & -self.bits).bit_length() - 1 if self.hi > WORD else 0
        self.condition = False
        self.leader: Symbol | None = None
        self.by_leader: tuple[Any, ...] = ()
        self.serial = len(Symbol.made)
        if self.hi >> self.shift > WORD:
            raise OverflowError(f"{op} does not fit in 32 bits")

    def __bool__(self) -> bool:
        return decided(self if self.condition else self != 0)

    def __invert__(self) -> Inverse:
        return Inverse(self)

    __hash__ = object.__hash__

    def __and__(self, other: Any) -> Any:
        return made("andnot", self, other.symbol) if isinstance(other, Inverse) else made("and", self, other)

    def __or__(self, other: Any) -> Any:
        return made("or", self, other)

    def __xor__(self, other: Any) -> Any:
        return made("xor", self, other)

    def __add__(self, other: Any) -> Any:
        return made("add", self, other)

    def __mul__(self, other: Any) -> Any:
        return made("mul", self, other)

    __rand__, __ror__, __rxor__, __radd__, __rmul__ = __and__, __or__, __xor__, __add__, __mul__

    def __sub__(self, other: Any) -> Any:
        return made("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return made("sub", other, self)

    def __lshift__(self, other: Any) -> Any:
        return made("shl", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return made("shl", other, self)

    def __rshift__(self, other: Any) -> Any:
        return made("shr", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return made("shr", other, self)

    def __mod__(self, many: int) -> Any:
        if self.lo < 0:
            return choose(self < 0, self + many, self)
        return choose(self < many, self, self - many)

    def __eq__(self, other: object) -> Any:
        return made("eq", self, other)

    def __ne__(self, other: object) -> Any:
        return negated(made("eq", self, other))

    def __lt__(self, other: Any) -> Any:
        return made("lt", self, other)

    def __gt__(self, other: Any) -> Any:
        return made("lt", other, self)

    def __ge__(self, other: Any) -> Any:
        return negated(made("lt", self, other))

    def __le__(self, other: Any) -> Any:
        return negated(made("lt", other, self))


class Inverse:
    """`~symbol`, which has endlessly many bits: it can only be met with a number (`hand & ~played`)."""

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol

    def __rand__(self, other: Any) -> Any:
        return made("andnot", other, self.symbol)


class Uniform:
    """A number that is the same in all parties side by side: the trick of a loop, times and plus something."""

    def __init__(self, lo: int, hi: int, times: int = 1, plus: int = 0) -> None:
        self.lo, self.hi, self.times, self.plus = lo, hi, times, plus

    def __add__(self, other: int) -> Uniform:
        return Uniform(self.lo, self.hi, self.times, self.plus + other)

    def __mul__(self, other: int) -> Uniform:
        return Uniform(self.lo, self.hi, self.times * other, self.plus * other)

    def ends(self) -> tuple[int, int]:
        return self.lo * self.times + self.plus, self.hi * self.times + self.plus

    def settled(self, relation: Callable[[int, int], bool], other: int) -> bool:
        """A comparison that comes out alike from end to end."""
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


def fresh(name: str, lo: int, hi: int, bits: int = -1) -> Symbol:
    """A symbol that depends on nothing: what a program is given."""
    return interned("given", (name, lo, hi), lo, hi, bits)


def leading(name: str, seats: int) -> Symbol:
    """The seat that leads a trick."""
    symbol = fresh(name, 0, seats - 1)
    symbol.leader, symbol.by_leader = symbol, tuple(range(seats))
    return symbol


def interned(op: str, args: tuple[Any, ...], lo: int, hi: int, bits: int = -1) -> Symbol:
    """The one symbol of this operation on these arguments."""
    key = (op, *(("symbol", arg.serial) if isinstance(arg, Symbol) else arg for arg in args))
    if key not in Symbol.made:
        Symbol.made[key] = Symbol(op, args, lo, hi, bits)
    return Symbol.made[key]


def bounds(number: Any) -> tuple[int, int, int]:
    """Least, greatest, possible bits."""
    if isinstance(number, Symbol):
        return number.lo, number.hi, number.bits
    return int(number), int(number), int(number)


def made(op: str, a: Any, b: Any) -> Any:
    """The symbol of an operation on two numbers, or its value where that is settled."""
    if op in ("and", "or", "xor", "add", "mul", "eq") and not isinstance(a, Symbol):
        a, b = b, a
    if op in ("eq", "lt"):
        return compared(op, a, b)
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
    return for_leaders(interned(op, (a, b), low, high, bits))


def compared(op: str, a: Any, b: Any) -> Any:
    """A condition, or its truth where that is settled."""
    (alo, ahi, abits), (blo, bhi, _) = bounds(a), bounds(b)
    if a is b:
        return op == "eq"
    if ahi < blo or bhi < alo or (op == "eq" and alo >= 0 and isinstance(b, int) and b & ~abits):
        return op == "lt" and ahi < blo
    if op == "lt" and alo >= bhi:
        return False
    condition = interned(op, (a, b), 0, 1)
    condition.condition = True
    return for_leaders(condition)


def for_leaders(symbol: Symbol) -> Any:
    """The symbol with its value for each leader, where it depends on that alone; the value, where all are alike."""
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
    alike = Symbol.alike.setdefault(key, symbol)
    if alike is symbol:
        symbol.leader, symbol.by_leader = leader, tuple(values)
        symbol.lo, symbol.hi = min(values), max(values)
        symbol.bits = reduce(operator.or_, values) if symbol.lo >= 0 else -1
        if symbol.condition and symbol.op != "not":
            Symbol.alike[True, leader.serial, *(not value for value in values)] = negated(symbol)
    return alike


def negated(condition: Any) -> Any:
    if not isinstance(condition, Symbol):
        return not condition
    if condition.op == "not":
        return condition.args[0]
    symbol = interned("not", (condition,), 0, 1)
    symbol.condition = True
    return for_leaders(symbol)


def same(a: Any, b: Any) -> bool:
    """Whether two values are known to be one."""
    return a is b or (not isinstance(a, Symbol) and not isinstance(b, Symbol) and a == b)


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """One of two values, tuples place by place."""
    if not isinstance(condition, Symbol):
        return yes if condition else no
    if isinstance(yes, tuple):
        parts = [choose(condition, *both) for both in zip(yes, no, strict=True)]
        if hasattr(yes, "_fields"):
            return type(yes)(*parts)
        return (type(no) if type(yes) is tuple else type(yes))(parts)
    if condition.op == "not":
        return choose(condition.args[0], no, yes)
    if isinstance(yes, Symbol) and yes.op == "choose" and yes.args[0] is condition:
        yes = yes.args[1]
    if isinstance(no, Symbol) and no.op == "choose" and no.args[0] is condition:
        no = no.args[2]
    if isinstance(yes, Uniform):  # a chouine stops a partie's tricks (§10), not those of its neighbours
        return no
    if same(yes, no):
        return yes
    if isinstance(yes, Symbol) and isinstance(no, Symbol) and yes.op == no.op:
        shared = [same(*both) for both in zip(yes.args, no.args, strict=True)]
        if yes.op == "choose" and shared[0] and (shared[1] or shared[2]):
            parts = [choose(condition, *both) for both in zip(yes.args[1:], no.args[1:], strict=True)]
            return choose(yes.args[0], *parts)
        if yes.op == "add" and shared[0]:
            return yes.args[0] + choose(condition, yes.args[1], no.args[1])
    truths = [
        isinstance(value, bool) or (isinstance(value, Symbol) and value.condition) for value in (yes, no)
    ]
    (alo, ahi, abits), (blo, bhi, bbits) = bounds(yes), bounds(no)
    symbol = interned("choose", (condition, yes, no), min(alo, blo), max(ahi, bhi), abits | bbits)
    symbol.condition = all(truths)
    return for_leaders(symbol)


class Undecided(Exception):  # not an error: a question
    """A condition that a program has to ask of every party."""

    def __init__(self, condition: Symbol) -> None:
        super().__init__()
        self.condition = condition


_answers: list[dict[Symbol, bool]] = [{}]
"""The conditions answered on the way to here."""


def decided(condition: Any) -> bool:
    """A condition's truth on the way that is being followed."""
    if not isinstance(condition, Symbol):
        return bool(condition)
    if condition.op == "not":
        return not decided(condition.args[0])
    answers = _answers[-1]
    if condition in answers:
        return answers[condition]
    if condition.leader is not None:
        known = [
            (asked.by_leader, answer) for asked, answer in answers.items() if asked.leader is condition.leader
        ]
        still = {
            value
            for nth, value in enumerate(condition.by_leader)
            if all(values[nth] == answer for values, answer in known)
        }
        if len(still) == 1:
            return bool(still.pop())
    raise Undecided(condition)


def merged(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that follows every way through itself and joins what they return."""

    @wraps(function)
    def joined(*args: Any) -> Any:
        def follow(answers: dict[Symbol, bool]) -> Any:
            _answers.append(answers)
            try:
                return function(*args)
            except Undecided as question:
                condition = question.condition
            finally:
                _answers.pop()
            return choose(
                condition, follow({**answers, condition: True}), follow({**answers, condition: False})
            )

        return follow(_answers[-1])

    return joined
