"""Positions as compiled code stores them: one as a NamedTuple, many as a structure of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from chouine.fast.kernels import kernel
from chouine.rules.options import Rules
from chouine.rules.play import start
from chouine.rules.position import NONE, Four, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

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


def seat_values(rule_table: RuleTable) -> SeatValues:
    """The kind of `Four` for code that is compiled for these rules alone."""
    return TwoSeats if rule_table.seats == 2 else PerSeat


@kernel
def per_seat(four: Four) -> PerSeat:
    return PerSeat(four[0], four[1], four[2], four[3])


@kernel
def as_kind(kind: SeatValues, four: Four) -> Four:
    return kind(four[0], four[1], four[2], four[3])


def of_its_kind(_four: Four, a: int, b: int, c: int, d: int) -> Four:
    """These values as the same kind of `Four`."""
    return (a, b, c, d)


def places_of(record: tuple[Any, ...]) -> dict[str, slice]:
    """Where the fields of a record stand when all its ints are written one after another."""
    places, at = dict[str, slice](), 0
    for field, value in record._asdict().items():  # type: ignore[attr-defined]  # a NamedTuple
        many = len(value) if isinstance(value, tuple) else 1
        places[field] = slice(at, at + many)
        at += many
    return places


def kernel_of_fields(
    text: str, places: dict[str, slice], group: str, one: str, names: dict[str, Any]
) -> Callable[..., Any]:
    """A kernel whose source names every field, written from the type's own list: none can be forgotten.

    In `text` `{}` stands for all fields, each as `group` says, or `one` if it is a single int. In these `{field}` is
    its name, `{at}` its first place, `{all}` `one` for each of its places.
    """
    parts = []
    for field, place in places.items():
        ints = [one.format(field=field, at=at) for at in range(place.start, place.stop)]
        many = group.format(field=field, at=place.start, all=", ".join(ints))
        parts.append(many if len(ints) > 1 else ints[0])
    space = dict(names)
    exec(text.format(", ".join(parts)), space)  # noqa: S102  # our own text
    made: Callable[..., Any] = kernel(space[text[len("def ") : text.index("(")]])
    return made


BOOK = rule_table_of(Rules())
RULE_TABLE_PLACES = places_of(BOOK)
# Structure of arrays: one column per partie, so that a field of neighbouring parties is contiguous.
ROWS = places_of(start(BOOK, ZEROS, NONE, 0))
"""The rows of each `Position` field in order: four rows for a field with one value per seat."""
FOURS = tuple(field for field, rows in ROWS.items() if rows.stop - rows.start > 1)
ROW_COUNT = ROWS[Position._fields[-1]].stop


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
def store_one(cells: PositionArray, row: int, column: int, value: int) -> None:
    cells[row, column] = value


compiled_position: Callable[..., Position] = kernel_of_fields(
    "def compiled_position(p, kind=PerSeat): return Position({})",
    ROWS, "as_kind(kind, p.{field})", "p.{field}", globals(),
)  # fmt: skip
"""A copy of a position whose fields per seat are `PerSeat` or `TwoSeats`, as compiled code expects."""
load: Callable[..., Position] = kernel_of_fields(
    "def load(cells, column, kind=PerSeat, seats=4): return Position({})",
    ROWS, "load_four(cells, {at}, column, kind, seats)", "cells[{at}, column]", globals(),
)  # fmt: skip
"""Read the position in one column, of so many seats, 2 or 4."""
store: Callable[..., object] = kernel_of_fields(
    "def store(cells, column, p, seats=4): {}",
    ROWS, "store_four(cells, {at}, column, p.{field}, seats)", "store_one(cells, {at}, column, p.{field})", globals(),
)  # fmt: skip
"""Write a position to one column; its values of so many seats, 2 or 4."""
