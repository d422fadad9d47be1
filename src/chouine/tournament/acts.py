"""What is done in a contest. Nothing else changes it, and nothing done is ever erased: an undo is an act too.

Acts name entries by number. What could name a person (name, village, family) is kept in a register beside the log,
where it can be blanked when asked; here a family or a village is a number, 0 for none.
"""

from __future__ import annotations

from dataclasses import dataclass

from chouine.tournament.formula import Formula, Stage
from chouine.tournament.score import Score


@dataclass(frozen=True, slots=True)
class ContestOpened:
    """The first act."""

    formula: Formula
    commit: str
    """SHA-256 of the seed, in hexadecimal: told before the first draw."""
    title: str = ""
    fee: int = 0
    """Cents an entry."""
    meal: int = 0
    """Cents a meal."""
    rooms: tuple[tuple[str, int], ...] = ()
    """Each room's name and how many tables stand in it; tables are numbered through."""


@dataclass(frozen=True, slots=True)
class Details:
    lady: bool = False
    junior: bool = False
    family: int = 0
    village: int = 0
    meals: int = 0


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry. Once round 1 is drawn, who enters takes an empty place of it, until it closes."""

    number: int
    details: Details = Details()
    here: bool = True
    """False for who has put down their name and has not turned up yet."""


@dataclass(frozen=True, slots=True)
class Amended:
    """An entry's details set right."""

    number: int
    details: Details


@dataclass(frozen=True, slots=True)
class Present:
    """Whether an entry has turned up: who is not here is not drawn in round 1."""

    number: int
    here: bool


@dataclass(frozen=True, slots=True)
class Paid:
    """Money taken, or given back where negative."""

    number: int
    cents: int


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A round as the draw made it."""

    stage: Stage
    round: int
    """From 1."""
    card: str
    """Cut in public and mixed in; empty where nobody cut."""
    match: str
    """What is played in this round, as `match.Format` reads it."""
    first: int
    """The number of its first table."""
    places: tuple[tuple[int, ...], ...]
    """The tables in order, an exempt as a table of one; in the rounds of poules, the poules."""


@dataclass(frozen=True, slots=True)
class Called:
    """A round's tables are called to play; until then the time of its draw counts."""

    stage: Stage
    round: int


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A table's result."""

    stage: Stage
    round: int
    table: int
    score: Score


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected result. The rightful winner takes the place of the entry that had advanced."""

    stage: Stage
    round: int
    table: int
    score: Score
    reason: str


@dataclass(frozen=True, slots=True)
class TableForfeited:
    """An entry gives up its table."""

    stage: Stage
    round: int
    table: int
    number: int


@dataclass(frozen=True, slots=True)
class Withdrew:
    """An entry leaves the contest: it forfeits the table it sits at and is drawn no more."""

    number: int


@dataclass(frozen=True, slots=True)
class Swapped:
    """The referee lets two entries of the last round drawn change places."""

    stage: Stage
    round: int
    one: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class Paired:
    """The referee sets two entries against one another: the second changes places with the first's opponent."""

    stage: Stage
    round: int
    one: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class Settled:
    """How the club decides between entries that the ranking leaves equal, the best first."""

    order: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Undone:
    """An act reversed: the contest is as if it had not been done. Refused where later acts stand on it."""

    act: int
    """Its number in the log."""
    reason: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The last act: the seed, so that anybody can make the draws again."""

    seed: str


Act = (
    ContestOpened
    | Entered
    | Amended
    | Present
    | Paid
    | RoundDrawn
    | Called
    | ResultEntered
    | Corrected
    | TableForfeited
    | Withdrew
    | Swapped
    | Paired
    | Settled
    | Undone
    | Revealed
)
