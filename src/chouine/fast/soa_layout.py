"""Positions as compiled code stores them: one as a NamedTuple, many as a structure of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.fast.kernels import kernel
from chouine.rules.book import Book
from chouine.rules.position import Four, Position

PositionArray = Any
"""`int64[ROW_COUNT, positions]`, or a memoryview of one."""


ZEROS: Four = (0, 0, 0, 0)


class PerSeat(NamedTuple):
    """A `Four` whose entries compiled code selects without branches."""

    a: int
    b: int
    c: int
    d: int


class TwoSeats(NamedTuple):
    """A `Four` of two seats: compiled code selects from the first two entries, the others stay 0."""

    a: int
    b: int
    c: int
    d: int


SeatValues = type[PerSeat] | type[TwoSeats]


def seat_values(book: Book) -> SeatValues:
    """The kind of `Four` for code that is compiled for these rules alone."""
    return TwoSeats if book.seats == 2 else PerSeat


@kernel
def per_seat(four: Four) -> PerSeat:
    return PerSeat(four[0], four[1], four[2], four[3])


@kernel
def as_kind(kind: SeatValues, four: Four) -> Four:
    return kind(four[0], four[1], four[2], four[3])


@kernel
def compiled_position(p: Position, kind: SeatValues = PerSeat) -> Position:
    """A copy of a position whose fields per seat are `PerSeat` or `TwoSeats`, as compiled code expects."""
    return Position(
        as_kind(kind, p.hands), p.turnup, p.trump, p.leader, p.turn, p.table, p.best, p.taker, p.pot,
        p.tricks, as_kind(kind, p.points), as_kind(kind, p.declared), as_kind(kind, p.before),
        as_kind(kind, p.said), as_kind(kind, p.counted), p.pending, p.chouine,
    )  # fmt: skip


def of_its_kind(_four: Four, a: int, b: int, c: int, d: int) -> Four:
    """These values as the same kind of `Four`."""
    return (a, b, c, d)


# Structure of arrays: one column per partie, so that a field of neighbouring parties is contiguous.
FOURS = ("hands", "points", "declared", "before", "said", "counted")
ROWS: dict[str, slice] = {}
"""The rows of each `Position` field in order: four rows for a field with one value per seat."""
for _field in Position._fields:
    _first = max((rows.stop for rows in ROWS.values()), default=0)
    ROWS[_field] = slice(_first, _first + (4 if _field in FOURS else 1))
ROW_COUNT = ROWS["chouine"].stop


@kernel
def load_four(
    cells: PositionArray, first: int, column: int, kind: SeatValues = PerSeat, seats: int = 4
) -> Four:
    """A value a seat; those of seats beyond `seats`, 2 or 4, are 0."""
    c, d = 0, 0
    if seats > 2:
        c, d = cells[first + 2, column], cells[first + 3, column]
    return kind(cells[first, column], cells[first + 1, column], c, d)


@kernel
def store_four(cells: PositionArray, first: int, column: int, four: Four, seats: int = 4) -> None:
    """Write the values of `seats` seats, 2 or 4."""
    cells[first, column], cells[first + 1, column] = four[0], four[1]
    if seats > 2:
        cells[first + 2, column], cells[first + 3, column] = four[2], four[3]


@kernel
def load(cells: PositionArray, column: int, kind: SeatValues = PerSeat, seats: int = 4) -> Position:
    """Read the position in one column, of so many seats, 2 or 4."""
    return Position(
        load_four(cells, 0, column, kind, seats), cells[4, column], cells[5, column], cells[6, column],
        cells[7, column], cells[8, column], cells[9, column], cells[10, column], cells[11, column], cells[12, column],
        load_four(cells, 13, column, kind, seats), load_four(cells, 17, column, kind, seats),
        load_four(cells, 21, column, kind, seats), load_four(cells, 25, column, kind, seats),
        load_four(cells, 29, column, kind, seats), cells[33, column], cells[34, column],
    )  # fmt: skip


@kernel
def store(cells: PositionArray, column: int, p: Position, seats: int = 4) -> None:
    """Write a position to one column; its values of so many seats, 2 or 4."""
    store_four(cells, 0, column, p.hands, seats)
    for row, value in (
        (4, p.turnup), (5, p.trump), (6, p.leader), (7, p.turn), (8, p.table), (9, p.best), (10, p.taker),
        (11, p.pot), (12, p.tricks), (33, p.pending), (34, p.chouine),
    ):  # fmt: skip
        cells[row, column] = value
    store_four(cells, 13, column, p.points, seats)
    store_four(cells, 17, column, p.declared, seats)
    store_four(cells, 21, column, p.before, seats)
    store_four(cells, 25, column, p.said, seats)
    store_four(cells, 29, column, p.counted, seats)
