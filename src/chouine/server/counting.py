"""Records of the counting trainer: right counts in a row, of each kind of count and by each clock."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.cards import Card

SHOWN = {"calm": (30, 60), "quick": (10, 25)}
"""By clock: for how many seconds the pile is shown, where brisques are counted and where every card is."""
MEDALS = ((5, Card("Jc")), (10, Card("Tc")), (20, Card("Ac")))
"""Right counts in a row for a medal, and the card that is the medal."""


def kind_of(brisques: bool, clock: str) -> str:  # noqa: FBT001
    """The name of a record: what is counted, and by which clock if any."""
    return ("brisques" if brisques else "full") + (f"-{clock}" if clock else "")


KINDS = [kind_of(brisques, clock) for brisques in (True, False) for clock in ("", *SHOWN)]
"""The names of all records."""
MOST = 1_000_000_000
"""No number of a record is greater: a file of progress may hold anything."""


@dataclass(frozen=True, slots=True)
class CountRecord:
    """Right counts in a row of one kind: now, and at most. Raises `ValueError` for what cannot be one."""

    kind: str
    row: int = 0
    best: int = 0
    pile: int = -1
    """The pile answered last, whose second answer counts for nothing."""

    def __post_init__(self) -> None:
        if len(self.kind) > 20 or not (0 <= self.row <= self.best <= MOST and -1 <= self.pile <= MOST):
            raise ValueError("record")

    def after(self, pile: int, *, right: bool) -> CountRecord:
        """The record after an answer about a pile."""
        if pile == self.pile:
            return self
        row = self.row + 1 if right else 0
        return CountRecord(self.kind, row, max(row, self.best), pile)


Records = tuple[CountRecord, ...]


def record_of(records: Records, kind: str) -> CountRecord:
    """The record of a kind; an empty one if there is none."""
    return next((record for record in records if record.kind == kind), CountRecord(kind))


def put_record(records: Records, record: CountRecord) -> Records:
    """The records with this one in place of that of its kind."""
    return (*(other for other in records if other.kind != record.kind), record)


def join_records(here: Records, other: Records) -> Records:
    """The best of both; a row that is going on is the one here."""
    return tuple(
        CountRecord(kind, mine.row, max(mine.best, theirs.best, theirs.row), mine.pile)
        for kind in KINDS
        for mine, theirs in [(record_of(here, kind), record_of(other, kind))]
        if mine.best or theirs.best or mine.pile >= 0
    )


def medal_for(best: int) -> Card | None:
    """The medal of so many right counts in a row."""
    return next((card for least, card in reversed(MEDALS) if best >= least), None)
