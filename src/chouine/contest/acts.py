"""The acts of a contest. Nothing else changes it, and no act is ever erased: an undo is an act too.

Acts name entries by number. Personal data (name, village, family) are in a register beside the log, where they can be
erased on request; in acts a family or a village is a number, 0 for none.
"""

from __future__ import annotations

from dataclasses import dataclass

from chouine.contest.formula import Formula, Stage
from chouine.contest.score import Score


@dataclass(frozen=True, slots=True)
class ContestOpened:
    """The contest is opened: the first act."""

    formula: Formula
    commit: str
    """SHA-256 of the seed, in hexadecimal, published before the first draw."""
    title: str = ""
    fee: int = 0
    """Cents for an entry."""
    meal: int = 0
    """Cents for a meal."""
    rooms: tuple[tuple[str, int], ...] = ()
    """Each room's name and number of tables; table numbers continue from room to room."""
    language: str = ""
    """The language of papers and exports, `fr` or `en`; empty for that of whoever asks for them."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Other settings than those with which the contest was opened; each until a step has used it."""

    formula: Formula
    title: str = ""
    fee: int = 0
    meal: int = 0
    rooms: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Details:
    lady: bool = False
    junior: bool = False
    family: int = 0
    village: int = 0
    meals: int = 0


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry. After the draw of round 1 it gets an empty place there, until round 1 closes."""

    number: int
    details: Details = Details()
    here: bool = True
    """False for an entry registered in advance that has not turned up yet."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What a list adds to somebody who is entered already."""

    number: int
    details: Details
    here: bool = False
    """True for one who was missing and is here by the list."""
    cents: int = 0
    """Paid besides what the entry had paid."""


@dataclass(frozen=True, slots=True)
class ListEntered:
    """The people of a list, entered by one act, so that all or none are, and one undo takes them back."""

    entries: tuple[Entered, ...]
    paid: tuple[int, ...] = ()
    """What each has paid, in cents; empty if nobody has."""
    merged: tuple[Merged, ...] = ()


@dataclass(frozen=True, slots=True)
class Amended:
    """Corrected details of an entry."""

    number: int
    details: Details


@dataclass(frozen=True, slots=True)
class Present:
    """Whether an entry has turned up; absent entries are not drawn. In rounds without knock-out one may be skipped."""

    number: int
    here: bool
    cents: int = 0
    """Paid on arrival."""
    meals: int = 0
    """Meals ordered on arrival, besides those of the entry."""


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment; negative for a refund."""

    number: int
    cents: int


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A drawn round."""

    stage: Stage
    round: int
    """From 1."""
    card: str
    """The card cut in public, which enters the draw's seed; empty if nobody cut."""
    match: str
    """The format of this round's matches, as `match.Format` reads it."""
    first: int
    """The number of its first table."""
    places: tuple[tuple[int, ...], ...]
    """The tables in order, an exempt entry as a table of one; for rounds of poules, the poules."""
    deals: tuple[str, ...] = ()
    """Of a duplicate round: the digests of its sealed deals (`duplicate.deal_digest`), in order."""


@dataclass(frozen=True, slots=True)
class Called:
    """A round is called to play, from when its tables are timed; before that, from its draw."""

    stage: Stage
    round: int


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A table's result."""

    stage: Stage
    round: int
    table: int
    score: Score
    confirmed: tuple[int, ...] = ()
    """The entries that confirmed it, each from a phone of its own."""


@dataclass(frozen=True, slots=True)
class DealsPlayed:
    """What a table made of the sealed deals of a duplicate round."""

    round: int
    table: int
    differences: tuple[int, ...]
    """At each deal the first entry's points less the second's (`duplicate.difference_of`)."""
    given_up: tuple[int, ...] = ()
    """Which of the round's deals, counted from 1, were lost by giving up."""
    left: int = 0
    """The entry that left before the deals that are missing; 0 if none is missing."""
    courses: tuple[str, ...] = ()
    """The acts of each deal as tokens, so that anybody can play them again; empty where nobody wrote them down."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected result. The new winner takes the place of the entry that had advanced."""

    stage: Stage
    round: int
    table: int
    score: Score
    reason: str


@dataclass(frozen=True, slots=True)
class TableForfeited:
    """An entry forfeits its table."""

    stage: Stage
    round: int
    table: int
    number: int


@dataclass(frozen=True, slots=True)
class Erased:
    """The name of an entry, or of a person of a season, is erased from the register; number and results stay."""

    number: int


@dataclass(frozen=True, slots=True)
class Withdrew:
    """An entry leaves the contest: it forfeits its current table and is not drawn again."""

    number: int


@dataclass(frozen=True, slots=True)
class Swapped:
    """The referee swaps two entries of the last round drawn."""

    stage: Stage
    round: int
    one: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class Paired:
    """The referee pairs two entries: the second swaps places with the first's opponent."""

    stage: Stage
    round: int
    one: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The club's order of entries that the ranking leaves equal, best first."""

    order: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class PrizesSet:
    """Which prizes the club gives."""

    counts: tuple[tuple[str, int], ...]
    """How many of each kind (see `ranking.PRIZES`), in the order in which they are given."""
    once: bool = False
    """Whether nobody gets two: later prizes go to the next."""


@dataclass(frozen=True, slots=True)
class Undone:
    """An act is undone, as if it had never been done. Refused if later acts depend on it."""

    act: int
    """Its number in the log."""
    reason: str
    commit: str = ""
    """Of an undone `Revealed`: the commitment to a new seed for further draws, since the old one is public."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The contest ends here, before everything is played."""

    reason: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The contest is over and closed: its seed is revealed, so that anybody can verify the draws."""

    seed: str


ContestAct = (
    ContestOpened
    | Changed
    | Entered
    | ListEntered
    | Amended
    | Present
    | Paid
    | RoundDrawn
    | Called
    | ResultEntered
    | DealsPlayed
    | Corrected
    | TableForfeited
    | Withdrew
    | Swapped
    | Paired
    | Settled
    | PrizesSet
    | Undone
    | Erased
    | Ended
    | Revealed
)
