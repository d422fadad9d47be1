"""Many parties at once, held as arrays: what may be done in each, and one action done in each.

    parties = Parties.random(Rules(), 1000, seed=1)
    while parties.going.any():
        actions = ...                    # one number a party, of those in parties.legal; -1 for those that are over
        parties.step(actions)

All parties of a batch have the same rules. Actions are numbered as in `rules.combinations`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from chouine.errors import ChouineError, InvalidDeal
from chouine.fast.bits import chosen, high_half, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.playout import dealt_hands, dealt_turnup, shuffle
from chouine.fast.seats import FOURS, ROWS, WIDTH, load, seated, store
from chouine.partie.deal import Deal, drawing_order, four_hands, turned
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import ACTIONS
from chouine.rules.explain import explain
from chouine.rules.options import Rules
from chouine.rules.play import legal, start, step, winner
from chouine.rules.position import UNKNOWN, Position

if TYPE_CHECKING:
    from numpy import bool_, dtype, int64, ndarray

    Ints = ndarray[Any, dtype[int64]]
    Flags = ndarray[Any, dtype[bool_]]

try:
    import numpy as np
except ModuleNotFoundError:
    np = None  # type: ignore[assignment]

NO_ACTION = -1
"""What is given for a party that is over."""


class BatchError(ChouineError, ValueError):
    """A batch that cannot be played on: `row` is the party at fault, counted from 0, or None for the whole batch."""

    def __init__(self, code: str, row: int | None = None, **data: object) -> None:
        super().__init__(code, row=row, **data)
        self.row = row


def open_rows(book: Book, cells: Any, actions: Any, first: int, last: int) -> None:
    """Write what is legal in each of these parties."""
    for row in range(first, last):
        actions[row] = legal(book, load(cells, row))


def step_rows(book: Book, cells: Any, talons: Any, taken: Any, actions: Any, first: int, last: int) -> None:
    """Do one legal action in each of these parties that goes on, and write what is legal then."""
    for row in range(first, last):
        if taken[row] >= 0:
            p = step(book, talons[row], load(cells, row), taken[row])
            store(cells, row, p)
            actions[row] = legal(book, p)


def deal_rows(book: Book, cells: Any, packs: Any, dealer: int, stream: int, first: int, last: int) -> None:
    """Shuffle and deal each of these parties from a stream of its own."""
    for row in range(first, last):
        shuffle(packs[row], mixed(stream + row))
        hands, turnup = dealt_hands(book, packs[row]), dealt_turnup(book, packs[row])
        store(cells, row, seated(start(book, hands, turnup, (dealer + row) % book.seats)))


def choose_rows(actions: Any, taken: Any, stream: int, first: int, last: int) -> None:
    """One legal action for each of these parties, each as likely; `NO_ACTION` where there is none."""
    for row in range(first, last):
        taken[row] = chosen(actions[row], high_half(mixed(stream + row))) if actions[row] else NO_ACTION


def win_rows(book: Book, cells: Any, winners: Any, first: int, last: int) -> None:
    """Who wins each of these parties as it stands."""
    for row in range(first, last):
        winners[row] = winner(book, load(cells, row))


@cache
def rows_compiled(function: Callable[..., None]) -> Callable[..., None]:
    return compiled(function)


class Lines(list[Any]):
    """Rows of an array, read and written as ints of Python's own."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, tuple):
            return super().__getitem__(key)
        row, column = key
        return super().__getitem__(row)[column]

    def __setitem__(self, key: Any, value: Any) -> None:
        row, column = key
        super().__getitem__(row)[column] = value


def entries(array: Any) -> Any:
    """An array as plain Python reads and writes it."""
    return array.data if array.ndim == 1 else Lines(array[row].data for row in range(len(array)))


class Parties:
    """A batch. `legal` holds a set of actions for each party, those of all who may act; 0 once it is over."""

    def __init__(self, rules: Rules, cells: Ints, talons: Ints, threads: int = 1) -> None:
        self.rules = rules
        self.book = book_of(rules)
        count = cells.shape[-1]
        if cells.shape != (WIDTH, count) or len(talons) != count or talons.shape[1] < self.book.hidden:
            raise BatchError("batch/arrays", cells=cells.shape, talons=talons.shape)
        self.cells = cells
        self.talons = talons
        self.threads = threads
        self.legal: Ints = np.zeros(cells.shape[1], np.int64)
        self._each(open_rows, self.book, self.cells, self.legal)

    @classmethod
    def random(cls, rules: Rules, count: int, seed: int, threads: int = 1) -> Self:
        """So many parties, each shuffled from a stream of its own; the first is dealt by the last seat."""
        cells, packs = empty(count)
        packs[:] = np.arange(32)
        book = book_of(rules)
        each(deal_rows, threads, count, book, cells, packs, book.seats - 1, signed(mixed(seed)))
        return cls(rules, cells, packs[:, book.seats * book.hand :], threads)

    @classmethod
    def of(cls, rules: Rules, deals: Sequence[Deal], threads: int = 1) -> Self:
        """Parties from deals made elsewhere; `BatchError` names the first that these rules cannot have dealt."""
        cells, packs = empty(len(deals))
        book = book_of(rules)
        for row, deal in enumerate(deals):
            reasons = faults(rules, deal)
            if reasons:
                raise BatchError("batch/deal", row, reasons=reasons)
            p = start(book, four_hands(deal.hands), turned(deal.turnup), deal.dealer)
            store(cells, row, p)
            packs[row, : book.hidden] = drawing_order(deal.talon)
        return cls(rules, cells, packs, threads)

    def __len__(self) -> int:
        return len(self.legal)

    @property
    def going(self) -> Flags:
        """Which parties are not over."""
        return self["turn"] >= 0

    def __getitem__(self, field: str) -> Ints:
        """A field of every position: by party, or by seat and party for those that go by seat."""
        rows = self.cells[ROWS[field]]
        return rows if len(rows) > 1 else rows[0]

    def position(self, row: int) -> Position:
        """One party's position as plain rules take it."""
        p = load(self.cells.data, row)
        fours: dict[str, Any] = {field: tuple(getattr(p, field)) for field in FOURS}
        return p._replace(**fours)

    @property
    def points(self) -> Ints:
        """By seat and party, as they stand (§12)."""
        return (self["points"] + self["declared"])[: self.book.seats]

    @property
    def winners(self) -> Ints:
        """Who wins, or is ahead; `NONE` where the top is equal (§10, §12)."""
        won: Ints = np.empty(len(self), np.int64)
        self._each(win_rows, self.book, self.cells, won)
        return won

    def choose(self, seed: int) -> Ints:
        """A legal action for every party, each as likely; `NO_ACTION` for those that are over."""
        taken: Ints = np.empty(len(self), np.int64)
        self._each(choose_rows, self.legal, taken, signed(mixed(seed)))
        return taken

    def step(self, actions: Sequence[int] | Ints) -> None:
        """Do an action in every party, all or none: `BatchError` names the first row whose action is not legal."""
        taken = self._checked(actions)
        self._each(step_rows, self.book, self.cells, self.talons, taken, self.legal)

    def _checked(self, actions: Sequence[int] | Ints) -> Ints:
        taken = np.asarray(actions)
        if taken.shape != self.legal.shape or not np.issubdtype(taken.dtype, np.integer):
            raise BatchError("batch/shape", shape=taken.shape, dtype=str(taken.dtype), count=len(self))
        over = self.legal == 0
        known = (taken >= 0) & (taken < ACTIONS)
        fine = np.where(over, taken == NO_ACTION, known & (self.legal >> np.where(known, taken, 0) & 1 == 1))
        if not fine.all():
            row = int(fine.argmin())
            raise self.refused(row, int(taken[row]))
        return taken.astype(np.int64, copy=False)

    def refused(self, row: int, action: int) -> BatchError:
        """The error of an action that is not legal there, with the code of the rule that it breaks."""
        p, why = self.position(row), "no such action"
        if 0 <= action < ACTIONS:
            why = explain(self.book, p, p.turn, action) or "illegal"
        return BatchError("batch/illegal", row, action=action, why=why)

    def _each(self, function: Callable[..., None], *args: Any) -> None:
        each(function, self.threads, len(self), *args)


def empty(count: int) -> tuple[Ints, Ints]:
    """Room for so many positions and their packs."""
    if np is None:
        raise BatchError("batch/numpy")
    lines = (
        count + 7
    ) // 8 | 1  # an odd number of cache lines a field, or all of a party's would fall into one set
    cells: Ints = np.zeros((WIDTH, 8 * lines), np.int64)
    return cells[:, :count], np.full((count, 32), UNKNOWN, np.int64)


def faults(rules: Rules, deal: Deal) -> tuple[str, ...]:
    """Why these rules cannot have dealt this, as codes."""
    try:
        deal.check(rules)
    except InvalidDeal as error:
        return error.reasons
    return ()


def each(function: Callable[..., None], threads: int, count: int, *args: Any) -> None:
    """Run a function of rows over all of them, each thread taking its share."""
    run = rows_compiled(function)
    if not AVAILABLE:
        run(*(entries(arg) if isinstance(arg, np.ndarray) else arg for arg in args), 0, count)
    elif threads == 1:
        run(*args, 0, count)
    else:
        shares = [count * nth // threads for nth in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(run, *args, first, last) for first, last in pairwise(shares)]:
                done.result()
