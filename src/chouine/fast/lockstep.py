"""One trick of many parties in lockstep, from the rules' own functions run on symbols.

In lockstep all parties are at the same trick and the same card of it. A chouine ends some early: their cards go
on falling, for nothing (§10 counts nothing after it), until the others have finished too.
"""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import Any

from chouine.cards import ALL_CARDS
from chouine.fast import compiler, playout
from chouine.fast.symbols import Symbol, Uniform, choose, fresh, interned, leading, merged
from chouine.rules import combinations, play
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, DECLARATIONS, MARIAGE
from chouine.rules.position import NONE, Position


class Table(tuple[int, ...]):
    """A table of the rules, looked up by a symbol."""

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


class BySeat(tuple[Any, ...]):
    """A `Four` of symbols, whose seat may be a symbol too."""

    __slots__ = ()

    def __getitem__(self, seat: Any) -> Any:
        if not isinstance(seat, Symbol):
            return tuple.__getitem__(self, seat)
        last = max(min(seat.hi, 3), 0)
        value = tuple.__getitem__(self, last)
        for place in range(last - 1, -1, -1):
            value = choose(seat == place, tuple.__getitem__(self, place), value)
        return value


def put(four: Any, seat: Any, value: Any) -> BySeat:
    return BySeat(choose(seat == place, value, four[place]) for place in range(4))


def greater(a: Any, b: Any) -> Any:
    return choose(a < b, b, a) if isinstance(a, Symbol) or isinstance(b, Symbol) else max(a, b)


def span(first: Any, last: Any = None) -> Any:
    """`range`, from one number of a loop to another: their difference is known."""
    if not isinstance(first, Uniform):
        return range(first) if last is None else range(first, last)
    return [first + n for n in range(last.plus - first.plus)]


def one_bit_a_suit(queens: Any) -> Any:
    """The same in the low 32 bits of the product, which are those it takes."""
    return interned("product", (queens >> 4, 0x10204080), 0, ALL_CARDS) >> 28


def symbolic_rules() -> SimpleNamespace:
    """The rules' functions as they are, each joining the ways through it."""
    names: dict[str, Any] = {"put": put, "max": greater, "range": span}
    names |= {name: Table(vars(play)[name]) for name in ("ABOVE", "POINTS", "SUIT_CARDS", "FIGURE_VALUES")}
    everything: dict[str, Any] = {**vars(combinations), **vars(play), **names}
    for module, kernels in compiler.KERNELS.items():
        for name in kernels.split():
            function: FunctionType = getattr(module, name)
            everything[name] = merged(FunctionType(function.__code__, everything))
    everything["one_bit_a_suit"] = one_bit_a_suit
    return SimpleNamespace(**everything)


def counted(members: Any) -> Any:
    return interned("count", (members,), 0, members.bits.bit_count())


def highest(members: Symbol) -> Any:
    return interned("highest", (members,), members.lo.bit_length() - 1, members.hi.bit_length() - 1)


def nth(members: Any, n: Any, many: int) -> Any:
    """The member with `n` below it, of a set of at most so many."""
    for passed in range(many - 1):
        members = choose(n > passed, members & (members - 1), members)
    return interned("lowest", (members,), 0, 31)


class Program:
    """The greedy way to play, as `fast.lane` has it plainly, for all parties at once."""

    def __init__(self, book: Book) -> None:
        Symbol.made.clear()
        Symbol.alike.clear()
        self.book = book
        self.rules = symbolic_rules()
        self.may_say = Table(
            sum(
                1 << declaration
                for declaration in range(MARIAGE, ACTIONS)
                if play.companions(book, declaration) >> card & 1
            )
            for card in range(32)
        )
        """The declarations each card may accompany (§9.3)."""

    def card(self, talon: Any, p: Position, number: Symbol) -> Position:
        """Exchange if it may be done, choose a card by 24 random bits, declare the best with it, and lay it."""
        book, rules = self.book, self.rules
        holder = rules.exchanger(book, p)
        if isinstance(holder, Symbol) or holder != NONE:
            p = choose(holder >= 0, rules.exchange(p, holder), p)
        hand = p.hands[p.turn]
        cards = rules.playable(book, p)
        said = rules.declarable(book, p, hand)
        card = nth(cards, number * counted(cards) >> 24, book.hand)
        with_it = said & self.may_say[card] if isinstance(said, Symbol) else 0
        if isinstance(with_it, Symbol):
            best = highest(with_it | 1 << MARIAGE)
            p = choose(with_it != 0, rules.declare(book, p, best), p)
        return rules.lay(book, talon, p, card)  # type: ignore[no-any-return]

    def trick(self, tricks: Any) -> dict[str, Any]:
        """What a whole trick makes of what it is given, by name."""
        p = self.position(tricks)
        over = p.chouine
        for place in range(self.book.seats):
            p = self.card(Talon(self.book.seats * self.book.hand), p, fresh(f"number{place}", 0, 2**24 - 1))
        return named(p._replace(chouine=choose(over >= 0, over, p.chouine)))

    def position(self, tricks: Any) -> Position:
        """Between tricks, with all that is not settled by the rules a symbol."""
        seats = self.book.seats
        leader: Any = leading("leader", seats)
        trump: Any = fresh("trump", 0 if self.book.turned else NONE, 3)
        turnup: Any = fresh("turnup", 0, 31)
        chouine: Any = fresh("chouine", NONE, seats - 1)
        declared = given_by_seat("declared", seats, 1023)
        drawing = tricks < self.book.drawing
        return Position(
            hands=given_by_seat("hands", seats, ALL_CARDS),
            turnup=turnup if self.book.turned and drawing else NONE,
            trump=trump,
            leader=leader,
            turn=leader,
            table=0,
            best=NONE,
            taker=NONE,
            pot=0,
            tricks=tricks,
            points=given_by_seat("points", seats, 255),
            declared=declared,
            before=declared,
            said=given_by_seat("said", seats, DECLARATIONS),
            counted=given_by_seat("counted", seats, ALL_CARDS),
            pending=NONE,
            chouine=chouine,
        )

    def deal(self) -> dict[str, Any]:
        """The shuffled pack dealt; who leads changes from lane to lane."""
        pack: Any = Talon(0)
        hands, turnup = playout.dealt_hands(self.book, pack), playout.dealt_turnup(self.book, pack)
        return named(
            self.rules.start(self.book, hands, turnup, 0)._replace(leader=leading("lane", self.book.seats))
        )

    def count(self) -> dict[str, Any]:
        """What a partie that is over adds to the count: who won, by a chouine or not, every seat's points."""
        p = self.position(self.book.tricks)
        winner = self.rules.winner(self.book, p)
        seats = range(self.book.seats)
        added = {f"won{seat}": choose(winner == seat, 1, 0) for seat in seats}
        added["chouines"] = choose(p.chouine >= 0, 1, 0)
        return added | {f"points{seat}": self.rules.total(p, seat) for seat in seats}


class Talon:
    """Cards of the shuffled pack from a place on."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __getitem__(self, place: Any) -> Symbol:
        """A card, by a number or by one of a loop."""
        times, plus = (place.times, place.plus) if isinstance(place, Uniform) else (0, place)
        return interned("card", (times, plus + self.first), 0, 31)


BETWEEN_TRICKS = ("hands", "turnup", "trump", "leader", "points", "declared", "said", "counted", "chouine")
"""What goes on from trick to trick."""


def given_by_seat(field: str, seats: int, bits: int) -> BySeat:
    return BySeat(fresh(f"{field}{seat}", 0, bits, bits) if seat < seats else 0 for seat in range(4))


def named(p: Position) -> dict[str, Any]:
    """What goes on from trick to trick, by name."""
    told: dict[str, Any] = {}
    for field in BETWEEN_TRICKS:
        value = getattr(p, field)
        told |= (
            {f"{field}{seat}": value[seat] for seat in range(4)}
            if isinstance(value, tuple)
            else {field: value}
        )
    return told
