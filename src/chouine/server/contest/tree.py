"""Draws as a tree: a column for each round, blank for rounds to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from chouine.contest import Contest, RoundTable
from chouine.contest.field import pool_rounds
from chouine.contest.formula import Stage
from chouine.contest.timing import to_come

PIECE = 16
"""Places of a tree's first column that fit on one A4 sheet."""


@dataclass(frozen=True, slots=True)
class TreeRound:
    """One round of the tree."""

    round: int
    tables: tuple[RoundTable | None, ...]
    """None for a table not known yet."""


def columns(contest: Contest, stage: Stage) -> tuple[TreeRound, ...]:
    """One column per round, then empty columns for the rounds to come; poule rounds are left out."""
    first = pool_rounds(contest) if stage == "main" else 0
    rounds = contest.rounds(stage)
    drawn = [TreeRound(round_.number, round_.tables) for round_ in rounds[first:]]
    if not rounds or len(rounds) < first:
        return tuple(drawn)
    blank = [
        TreeRound(nth, (None,) * tables)
        for nth, tables in enumerate(to_come(contest, stage), len(rounds) + 1)
    ]
    return (*drawn, *blank)


def has_bracket(contest: Contest, stage: Stage, found: Sequence[TreeRound]) -> bool:
    """Whether winners advance to adjacent places: a fixed tree without empty places."""
    fixed = stage == "main" and contest.formula.kind in {"tree", "poules"} and contest.formula.seats == 2
    halves = all(len(near.tables) == 2 * len(far.tables) for near, far in pairwise(found))
    return fixed and halves


def printed_pieces(found: Sequence[TreeRound]) -> tuple[tuple[TreeRound, ...], ...]:
    """A tree cut into pieces of `PIECE` places of the first column, then the piece that joins them."""
    if not found or len(found[0].tables) <= PIECE:
        return (tuple(found),)
    many = len(found[0].tables) // PIECE
    whole = [column for column in found if len(column.tables) >= many]
    pieces = tuple(tuple(part(column, nth, many) for column in whole) for nth in range(many))
    return (*pieces, tuple(found[len(whole) - 1 :]))


def part(column: TreeRound, nth: int, many: int) -> TreeRound:
    size = len(column.tables) // many
    return TreeRound(column.round, column.tables[nth * size : (nth + 1) * size])


def last_columns(found: Sequence[TreeRound], most: int) -> tuple[TreeRound, ...]:
    """The last columns, from the first drawn round with at most this many tables; none before that."""
    late = tuple(column for column in found if len(column.tables) <= most)
    return late if late and None not in late[0].tables else ()
