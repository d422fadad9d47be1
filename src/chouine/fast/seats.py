"""Positions as compiled code takes them, one or many."""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.fast.compiler import kernel
from chouine.rules.position import Four, Position

Cells = Any
"""An array of ints by row and column, or a memoryview of one."""


class Seats(NamedTuple):
    """A `Four`; compiled, its places are chosen without jumps."""

    a: int
    b: int
    c: int
    d: int


@kernel
def seats(four: Four) -> Seats:
    return Seats(four[0], four[1], four[2], four[3])


@kernel
def seated(p: Position) -> Position:
    """The same position, its fours as `Seats`."""
    return Position(
        seats(p.hands), p.turnup, p.trump, p.leader, p.turn, p.table, p.best, p.taker, p.pot, p.tricks,
        seats(p.points), seats(p.declared), seats(p.before), seats(p.said), seats(p.counted), p.pending, p.chouine,
    )  # fmt: skip


# Many positions are one array, a column a party, so that the same field of neighbours lies side by side.
FOURS = ("hands", "points", "declared", "before", "said", "counted")
ROWS: dict[str, slice] = {}
"""The rows of each field of `Position`, in its order: four for those that go by seat."""
for _field in Position._fields:
    _first = max((rows.stop for rows in ROWS.values()), default=0)
    ROWS[_field] = slice(_first, _first + (4 if _field in FOURS else 1))
WIDTH = ROWS["chouine"].stop


@kernel
def four_in(cells: Cells, first: int, column: int) -> Seats:
    return Seats(
        cells[first, column], cells[first + 1, column], cells[first + 2, column], cells[first + 3, column]
    )


@kernel
def put_four(cells: Cells, first: int, column: int, four: Four) -> None:
    for seat in range(4):
        cells[first + seat, column] = four[seat]


@kernel
def load(cells: Cells, column: int) -> Position:
    """One position out of many."""
    return Position(
        four_in(cells, 0, column), cells[4, column], cells[5, column], cells[6, column], cells[7, column],
        cells[8, column], cells[9, column], cells[10, column], cells[11, column], cells[12, column],
        four_in(cells, 13, column), four_in(cells, 17, column), four_in(cells, 21, column),
        four_in(cells, 25, column), four_in(cells, 29, column), cells[33, column], cells[34, column],
    )  # fmt: skip


@kernel
def store(cells: Cells, column: int, p: Position) -> None:
    """Write one position among many."""
    put_four(cells, 0, column, p.hands)
    for row, value in (
        (4, p.turnup), (5, p.trump), (6, p.leader), (7, p.turn), (8, p.table), (9, p.best), (10, p.taker),
        (11, p.pot), (12, p.tricks), (33, p.pending), (34, p.chouine),
    ):  # fmt: skip
        cells[row, column] = value
    put_four(cells, 13, column, p.points)
    put_four(cells, 17, column, p.declared)
    put_four(cells, 21, column, p.before)
    put_four(cells, 25, column, p.said)
    put_four(cells, 29, column, p.counted)
