"""Many parties at once, stored as arrays: the legal actions of each, and one action played in each.

    batch = PartieBatch.random(Rules(), 1000, seed=1)
    while batch.active.any():
        actions = ...                    # int64[1000]: a member of batch.legal each, NO_ACTION where the partie is over
        batch.step(actions)

All parties of a batch share one set of rules. Actions are numbered as in `rules.combinations`.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from chouine.errors import ChouineError, InvalidDeal, check_each, check_type, count_of, int_of
from chouine.fast.bits import as_int64, high_half, random_member, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE
from chouine.fast.playout import deal_position, shuffle
from chouine.fast.soa_layout import FOURS, ROW_COUNT, ROWS, load, store
from chouine.partie.deal import Deal, drawing_order, four_hands, turnup_number
from chouine.rules.combinations import ACTIONS
from chouine.rules.explain import explain
from chouine.rules.options import Rules
from chouine.rules.play import legal, start, step, winner
from chouine.rules.position import UNKNOWN, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

if TYPE_CHECKING:
    from numpy import bool_, dtype, int64, ndarray

    Ints = ndarray[Any, dtype[int64]]
    Flags = ndarray[Any, dtype[bool_]]

try:
    import numpy as np
except ModuleNotFoundError:
    np = None  # type: ignore[assignment]

NO_ACTION = -1
"""The action to pass for a partie that is over."""
MOST_THREADS = 1024
"""More than any machine of today gains by."""


class BatchError(ChouineError, ValueError):
    """An invalid batch or action.

    `row` is the index of the first invalid partie, or None if the whole batch is invalid.
    """

    def __init__(self, code: str, row: int | None = None, **data: object) -> None:
        super().__init__(code, row=row, **data)
        self.row = row


def write_legal_rows(rule_table: RuleTable, cells: Any, actions: Any, first: int, last: int) -> None:
    """Write the legal actions of parties `first` to `last - 1` as bit sets into `actions: int64[parties]`."""
    for row in range(first, last):
        actions[row] = legal(rule_table, load(cells, row))


def step_rows(
    rule_table: RuleTable, cells: Any, talons: Any, taken: Any, actions: Any, first: int, last: int
) -> None:
    """Play one legal action in each active partie of these rows, then write its new legal actions."""
    for row in range(first, last):
        if taken[row] >= 0:
            p = step(rule_table, talons[row], load(cells, row), taken[row])
            store(cells, row, p)
            actions[row] = legal(rule_table, p)


def deal_rows(
    rule_table: RuleTable, cells: Any, packs: Any, dealer: int, stream: int, first: int, last: int
) -> None:
    """Shuffle and deal each of these parties from its own random stream."""
    for row in range(first, last):
        shuffle(packs[row], splitmix64(stream + row))
        store(cells, row, deal_position(rule_table, packs[row], (dealer + row) % rule_table.seats))


def sample_rows(actions: Any, taken: Any, stream: int, first: int, last: int) -> None:
    """Sample one legal action uniformly for each of these parties; `NO_ACTION` where there is none."""
    for row in range(first, last):
        taken[row] = (
            random_member(actions[row], high_half(splitmix64(stream + row))) if actions[row] else NO_ACTION
        )


def winner_rows(rule_table: RuleTable, cells: Any, winners: Any, first: int, last: int) -> None:
    """Write the current winner of each of these parties."""
    for row in range(first, last):
        winners[row] = winner(rule_table, load(cells, row))


@cache
def compiled_rows(function: Callable[..., None]) -> Callable[..., None]:
    return compiled(function)


class PlainRows(list[Any]):
    """A 2-D array as a list of rows, so that plain Python reads and writes Python ints."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, tuple):
            return super().__getitem__(key)
        row, column = key
        return super().__getitem__(row)[column]

    def __setitem__(self, key: Any, value: Any) -> None:
        row, column = key
        super().__getitem__(row)[column] = value


def as_plain(array: Any) -> Any:
    """An array in the form that uncompiled kernels read and write."""
    return array.data if array.ndim == 1 else PlainRows(array[row].data for row in range(len(array)))


class PartieBatch:
    """A batch of parties in play.

    `legal: int64[parties]` is a bit set of the legal actions of everyone who may act; 0 once the partie is over.
    `cells: int64[ROW_COUNT, parties]` are the positions (`fast.soa_layout`), `talons: int64[parties, places]` the
    hidden talons in drawing order.

    >>> import numpy as np
    >>> from chouine.rules import Rules
    >>> batch = PartieBatch.random(Rules(), 4, seed=1)
    >>> batch.step(batch.sample(seed=2))
    >>> batch.position(0).table > 0, len(batch)
    (True, 4)
    """

    def __init__(self, rules: Rules, cells: Ints, talons: Ints, threads: int = 1) -> None:
        check_settings(rules, threads)
        for name, array in (("cells", cells), ("talons", talons)):
            check_type(name, array, np.ndarray, "a table of int64, as PartieBatch has it")
            if array.dtype != np.int64 or array.ndim != 2:
                raise TypeError(f"{name} is a table of int64, not {array.ndim} dimensions of {array.dtype}")
        self.rules = rules
        self.rule_table = rule_table_of(rules)
        count = cells.shape[-1]
        if (
            cells.shape != (ROW_COUNT, count)
            or len(talons) != count
            or talons.shape[1] < self.rule_table.hidden
        ):
            raise BatchError("batch/arrays", cells=cells.shape, talons=talons.shape)
        self.cells = cells
        self.talons = np.ascontiguousarray(talons)  # one layout: each is compiled for
        self.threads = int(threads)
        self.legal: Ints = np.zeros(cells.shape[1], np.int64)
        self._each(write_legal_rows, self.rule_table, self.cells, self.legal)

    @classmethod
    def random(cls, rules: Rules, count: int, seed: int, threads: int = 1) -> Self:
        """`count` shuffled parties. Partie 0 is dealt by the last seat, the next by seat a, and so on."""
        check_settings(rules, threads)
        count, seed = count_of("count", count, "a number of parties"), int_of("seed", seed, "an int")
        cells, packs = allocate(count)
        packs[:] = np.arange(32)
        rule_table = rule_table_of(rules)
        for_rows(
            deal_rows,
            threads,
            count,
            rule_table,
            cells,
            packs,
            rule_table.seats - 1,
            as_int64(splitmix64(seed)),
        )
        return cls(rules, cells, packs[:, rule_table.seats * rule_table.hand :], threads)

    @classmethod
    def of(cls, rules: Rules, deals: Sequence[Deal], threads: int = 1) -> Self:
        """Parties from existing deals. Raises `BatchError` for the first deal that these rules cannot produce."""
        check_settings(rules, threads)
        check_each("deals", deals, Deal, "Deals")
        cells, packs = allocate(len(deals))
        rule_table = rule_table_of(rules)
        for row, deal in enumerate(deals):
            reasons = deal_faults(rules, deal)
            if reasons:
                raise BatchError("batch/deal", row, reasons=reasons)
            p = start(rule_table, four_hands(deal.hands), turnup_number(deal.turnup), deal.dealer)
            store(cells, row, p)
            packs[row, : rule_table.hidden] = drawing_order(deal.talon)
        return cls(rules, cells, packs, threads)

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.cells, _ = allocate(
            len(self)
        )  # the layout that the kernels are compiled for, which no copy keeps
        self.cells[:] = state["cells"]

    def __len__(self) -> int:
        return len(self.legal)

    @property
    def active(self) -> Flags:
        """`bool[parties]`: which parties are still in play."""
        return self["turn"] >= 0

    def __getitem__(self, field: str) -> Ints:
        """A field of every `Position`.

        `int64[parties]`, or `int64[4, parties]` for a field that has one value per seat.
        """
        rows = self.cells[ROWS[field]]
        return rows if len(rows) > 1 else rows[0]

    def position(self, row: int) -> Position:
        """One partie's position as a plain `Position`."""
        row = int_of("row", row, "a row's number")
        if not 0 <= row < len(self):
            raise ValueError(f"row is one of the {len(self)} of the batch, not {row}")
        p = load(self.cells.data, row)
        fours: dict[str, Any] = {field: tuple(getattr(p, field)) for field in FOURS}
        return p._replace(**fours)

    @property
    def points(self) -> Ints:
        """`int64[seats, parties]`: points as they stand, declarations included (§12)."""
        return (self["points"] + self["declared"])[: self.rule_table.seats]

    @property
    def winners(self) -> Ints:
        """`int64[parties]`: the winning or leading seat; `NONE` where the top score is shared (§10, §12)."""
        won: Ints = np.empty(len(self), np.int64)
        self._each(winner_rows, self.rule_table, self.cells, won)
        return won

    def sample(self, seed: int) -> Ints:
        """`int64[parties]`: one legal action per partie, uniformly at random; `NO_ACTION` where the partie is over."""
        seed = int_of("seed", seed, "an int")
        taken: Ints = np.empty(len(self), np.int64)
        self._each(sample_rows, self.legal, taken, as_int64(splitmix64(seed)))
        return taken

    def step(self, actions: Sequence[int] | Ints) -> None:
        """Play one action in every partie, all or none.

        `actions: int64[parties]`. Raises `BatchError` for the first row whose action is illegal; then no partie has
        changed.
        """
        taken = self._check_actions(actions)
        self._each(step_rows, self.rule_table, self.cells, self.talons, taken, self.legal)

    def _check_actions(self, actions: Sequence[int] | Ints) -> Ints:
        try:
            taken = np.asarray(actions)
        except ValueError:
            raise TypeError(f"actions are an int for each partie, not {reprlib.repr(actions)}") from None
        if taken.shape != self.legal.shape or not np.issubdtype(taken.dtype, np.integer):
            raise BatchError("batch/shape", shape=str(taken.shape), dtype=str(taken.dtype), count=len(self))
        over = self.legal == 0
        known = (taken >= 0) & (taken < ACTIONS)
        fine = np.where(over, taken == NO_ACTION, known & (self.legal >> np.where(known, taken, 0) & 1 == 1))
        if not fine.all():
            row = int(fine.argmin())
            raise self.illegal_action(row, int(taken[row]))
        return taken.astype(np.int64, copy=False)

    def illegal_action(self, row: int, action: int) -> BatchError:
        """The error for an illegal action, with the code of the rule that it breaks."""
        p, why = self.position(row), "no such action"
        if 0 <= action < ACTIONS:
            why = explain(self.rule_table, p, p.turn, action) or "illegal"
        return BatchError("batch/illegal", row, action=action, why=why)

    def _each(self, function: Callable[..., None], *args: Any) -> None:
        for_rows(function, self.threads, len(self), *args)


def check_settings(rules: Rules, threads: int) -> None:
    """Raise `TypeError` or `ValueError` unless these are rules, and threads that a machine can start."""
    check_type("rules", rules, Rules, "Rules, such as Rules.parse('three')")
    if count_of("threads", threads, "a number of threads", 1) > MOST_THREADS:
        raise ValueError(f"threads is at most {MOST_THREADS}, not {threads}")


def allocate(count: int) -> tuple[Ints, Ints]:
    """Zeroed positions `int64[ROW_COUNT, count]` and packs `int64[count, 32]`."""
    if np is None:
        raise BatchError("batch/numpy")
    # An odd number of cache lines per field, so that a partie's fields fall into different cache sets; never full, so
    # that numba sees the same layout, and compiles once, however many parties there are.
    lines = count // 8 + 1 | 1
    cells: Ints = np.zeros((ROW_COUNT, 8 * lines), np.int64)
    return cells[:, :count], np.full((count, 32), UNKNOWN, np.int64)


def deal_faults(rules: Rules, deal: Deal) -> tuple[str, ...]:
    """Why these rules cannot have produced this deal, as error codes; empty if they can."""
    try:
        deal.check(rules)
    except InvalidDeal as error:
        return error.reasons
    return ()


def for_rows(function: Callable[..., None], threads: int, count: int, *args: Any) -> None:
    """Call a row kernel over `count` rows, split between threads."""
    run = compiled_rows(function)
    if not AVAILABLE:
        run(*(as_plain(arg) if isinstance(arg, np.ndarray) else arg for arg in args), 0, count)
    elif threads == 1:
        run(*args, 0, count)
    else:
        shares = [count * nth // threads for nth in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(run, *args, first, last) for first, last in pairwise(shares)]:
                done.result()
