"""The expression graph of one lockstep trick, traced from the rules' own functions.

All lanes play the same trick and the same place in it. A chouine ends some parties early; those lanes continue to lay
cards without effect (§10 counts nothing afterwards) until the others finish.
"""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import Any

from chouine.cards import ALL_CARDS
from chouine.fast import compiler, playout
from chouine.fast.symbolic import (
    LoopIndex,
    Symbol,
    interned,
    leader_variable,
    select,
    trace_all_paths,
    variable,
)
from chouine.rules import combinations, play
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, DECLARATIONS, MARIAGE
from chouine.rules.position import NONE, Position


class LookupTable(tuple[int, ...]):
    """A table of the rules, indexed by a symbol."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, Symbol):
            return tuple.__getitem__(self, index)
        entries = tuple(self)
        within = entries[max(index.lo, 0) : index.hi + 1]
        bits = 0
        for entry in within:
            bits |= entry
        return interned("table", (index, entries), min(within), max(within), bits)


class SymbolicFour(tuple[Any, ...]):
    """A `Four` of symbols, indexed by a seat that may be a symbol."""

    __slots__ = ()

    def __getitem__(self, seat: Any) -> Any:
        if not isinstance(seat, Symbol):
            return tuple.__getitem__(self, seat)
        last = max(min(seat.hi, 3), 0)
        value = tuple.__getitem__(self, last)
        for place in range(last - 1, -1, -1):
            value = select(seat == place, tuple.__getitem__(self, place), value)
        return value


def put(four: Any, seat: Any, value: Any) -> SymbolicFour:
    return SymbolicFour(select(seat == place, value, four[place]) for place in range(4))


def maximum(a: Any, b: Any) -> Any:
    return select(a < b, b, a) if isinstance(a, Symbol) or isinstance(b, Symbol) else max(a, b)


def symbolic_range(first: Any, last: Any = None) -> Any:
    """`range` between two loop indices whose difference is constant."""
    if not isinstance(first, LoopIndex):
        return range(first) if last is None else range(first, last)
    return [first + n for n in range(last.plus - first.plus)]


def one_bit_a_suit(queens: Any) -> Any:
    """`rules.combinations.one_bit_a_suit` by a product of which only the low 32 bits are used."""
    return interned("product", (queens >> 4, 0x10204080), 0, ALL_CARDS) >> 28


def symbolic_rules() -> SimpleNamespace:
    """The rules' functions, each wrapped by `trace_all_paths`."""
    names: dict[str, Any] = {"put": put, "max": maximum, "range": symbolic_range}
    names |= {
        name: LookupTable(vars(play)[name]) for name in ("ABOVE", "POINTS", "SUIT_CARDS", "FIGURE_VALUES")
    }
    everything: dict[str, Any] = {**vars(combinations), **vars(play), **names}
    for module, kernels in compiler.KERNELS.items():
        for name in kernels.split():
            function: FunctionType = getattr(module, name)
            everything[name] = trace_all_paths(FunctionType(function.__code__, everything))
    everything["one_bit_a_suit"] = one_bit_a_suit
    return SimpleNamespace(**everything)


def popcount(members: Any) -> Any:
    return interned("count", (members,), 0, members.bits.bit_count())


def highest_bit(members: Symbol) -> Any:
    return interned("highest", (members,), members.lo.bit_length() - 1, members.hi.bit_length() - 1)


def nth_bit(members: Any, n: Any, size: int) -> Any:
    """The member of a set of at most `size` members that has `n` members below it."""
    for passed in range(size - 1):
        members = select(n > passed, members & (members - 1), members)
    return interned("lowest", (members,), 0, 31)


class TrickGraph:
    """The `eager` playout policy on symbols; `fast.lockstep_reference` is its scalar version."""

    def __init__(self, book: Book) -> None:
        Symbol.interned.clear()
        Symbol.same_by_leader.clear()
        self.book = book
        self.rules = symbolic_rules()
        self.declarations_with = LookupTable(
            sum(
                1 << declaration
                for declaration in range(MARIAGE, ACTIONS)
                if play.companions(book, declaration) >> card & 1
            )
            for card in range(32)
        )
        """The declarations each card may accompany (§9.3)."""

    def play_card(self, talon: Any, p: Position, number: Symbol) -> Position:
        """Exchange if possible, choose a card by 24 random bits, declare the best figure with it, and lay it."""
        book, rules = self.book, self.rules
        holder = rules.exchanger(book, p)
        if isinstance(holder, Symbol) or holder != NONE:
            p = select(holder >= 0, rules.exchange(p, holder), p)
        hand = p.hands[p.turn]
        cards = rules.playable(book, p)
        said = rules.declarable(book, p, hand)
        card = nth_bit(cards, number * popcount(cards) >> 24, book.hand)
        sayable = said & self.declarations_with[card] if isinstance(said, Symbol) else 0
        if isinstance(sayable, Symbol):
            best = highest_bit(sayable | 1 << MARIAGE)
            p = select(sayable != 0, rules.declare(book, p, best), p)
        return rules.lay(book, talon, p, card)  # type: ignore[no-any-return]

    def trick(self, tricks: Any) -> dict[str, Any]:
        """The fields after one whole trick as functions of the fields before it."""
        p = self.position(tricks)
        over = p.chouine
        for place in range(self.book.seats):
            p = self.play_card(
                SymbolicTalon(self.book.seats * self.book.hand), p, variable(f"number{place}", 0, 2**24 - 1)
            )
        return by_name(p._replace(chouine=select(over >= 0, over, p.chouine)))

    def position(self, tricks: Any) -> Position:
        """A position between tricks; everything that the rules do not fix is a symbol."""
        seats = self.book.seats
        leader: Any = leader_variable("leader", seats)
        trump: Any = variable("trump", 0 if self.book.turned else NONE, 3)
        turnup: Any = variable("turnup", 0, 31)
        chouine: Any = variable("chouine", NONE, seats - 1)
        declared = variables_by_seat("declared", seats, 1023)
        drawing = tricks < self.book.drawing
        return Position(
            hands=variables_by_seat("hands", seats, ALL_CARDS),
            turnup=turnup if self.book.turned and drawing else NONE,
            trump=trump,
            leader=leader,
            turn=leader,
            table=0,
            best=NONE,
            taker=NONE,
            pot=0,
            tricks=tricks,
            points=variables_by_seat("points", seats, 255),
            declared=declared,
            before=declared,
            said=variables_by_seat("said", seats, DECLARATIONS),
            counted=variables_by_seat("counted", seats, ALL_CARDS),
            pending=NONE,
            chouine=chouine,
        )

    def deal(self) -> dict[str, Any]:
        """The fields after dealing the shuffled pack; the leader differs between lanes."""
        pack: Any = SymbolicTalon(0)
        hands, turnup = playout.dealt_hands(self.book, pack), playout.dealt_turnup(self.book, pack)
        return by_name(
            self.rules.start(self.book, hands, turnup, 0)._replace(
                leader=leader_variable("lane", self.book.seats)
            )
        )

    def count(self) -> dict[str, Any]:
        """What a finished partie adds to the counters: winner, chouine, points of every seat."""
        p = self.position(self.book.tricks)
        winner = self.rules.winner(self.book, p)
        seats = range(self.book.seats)
        added = {f"won{seat}": select(winner == seat, 1, 0) for seat in seats}
        added["chouines"] = select(p.chouine >= 0, 1, 0)
        return added | {f"points{seat}": self.rules.total(p, seat) for seat in seats}


class SymbolicTalon:
    """Cards of the shuffled pack from a given place on."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __getitem__(self, place: Any) -> Symbol:
        """The card at a constant place or at a loop index."""
        times, plus = (place.times, place.plus) if isinstance(place, LoopIndex) else (0, place)
        return interned("card", (times, plus + self.first), 0, 31)


CARRIED_FIELDS = ("hands", "turnup", "trump", "leader", "points", "declared", "said", "counted", "chouine")
"""The fields carried from one trick to the next."""


def variables_by_seat(field: str, seats: int, bits: int) -> SymbolicFour:
    return SymbolicFour(variable(f"{field}{seat}", 0, bits, bits) if seat < seats else 0 for seat in range(4))


def by_name(p: Position) -> dict[str, Any]:
    """The carried fields, seat by seat, by name."""
    fields: dict[str, Any] = {}
    for field in CARRIED_FIELDS:
        value = getattr(p, field)
        fields |= (
            {f"{field}{seat}": value[seat] for seat in range(4)}
            if isinstance(value, tuple)
            else {field: value}
        )
    return fields
