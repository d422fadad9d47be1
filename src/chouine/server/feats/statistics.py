"""Statistics and feats of a person: tallies added up in the order of the matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from chouine.ai.levels import LEVELS
from chouine.server.feats.marks import OF_MATCH, OF_PARTIE
from chouine.server.feats.tally import Tally

STREAK, MANY = 10, 100
"""Parties won in a row, and parties in all, that are feats."""
OF_PERSON = ("strongest", "valley", "streak", "hundred")
"""Feats of several matches: the strongest level beaten in a match, all levels in a partie, ten in a row, a hundred."""
FEATS = (*OF_PARTIE, *OF_MATCH, *OF_PERSON)
"""All twenty, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A tally with its match."""

    table_id: str
    at: float
    other: str
    """The only other person at a table of two; empty for computers, larger tables and whoever was erased."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class Earned:
    """The first time that a feat was done."""

    table_id: str
    partie: int
    """From 1; 0 for the whole match."""
    at: float


@dataclass(slots=True)
class PartieCounts:
    """Parties of some kind."""

    won: int = 0
    lost: int = 0
    nulles: int = 0

    def add(self, letters: str) -> None:
        """Add the parties of a match."""
        self.won += letters.count("w")
        self.lost += letters.count("l")
        self.nulles += letters.count("n")

    @property
    def parties(self) -> int:
        return self.won + self.lost + self.nulles


@dataclass(slots=True)
class Statistics:
    """A person's statistics."""

    matches: int = 0
    matches_won: int = 0
    matches_lost: int = 0
    parties: PartieCounts = field(default_factory=PartieCounts)
    manches_won: int = 0
    manches_lost: int = 0
    under_given: int = 0
    under_taken: int = 0
    chouines: int = 0
    quintes: int = 0
    sevens: int = 0
    streak: int = 0
    """Most parties won in a row."""
    levels: dict[int, PartieCounts] = field(default_factory=dict)
    people: dict[str, PartieCounts] = field(default_factory=dict)
    """Against the only other person at a table, by guest; those who were erased together under an empty name."""
    variants: dict[str, PartieCounts] = field(default_factory=dict)
    seats: dict[int, PartieCounts] = field(default_factory=dict)
    feats: dict[str, Earned] = field(default_factory=dict)


def statistics_of(counted: Iterable[Counted]) -> Statistics:
    """The statistics; `counted` are the matches, oldest first."""
    found, row = Statistics(), 0
    beaten: set[int] = set()
    for each in counted:
        tally = each.tally
        add_match(found, each)
        for number, letter in enumerate(tally.parties, 1):
            row = row + 1 if letter == "w" else 0
            found.streak = max(found.streak, row)
            if row == STREAK:
                earn(found, "streak", each, number)
        if not tally.helped and "w" in tally.parties:
            beaten.add(tally.level)
        reached: dict[str, bool] = {
            "strongest": tally.level == LEVELS[-1] and tally.won is True and not tally.helped,
            "valley": beaten >= {*LEVELS},
            "hundred": found.parties.parties >= MANY,
        }
        for name, is_reached in reached.items():
            if is_reached:
                earn(found, name, each, 0)
    return found


def add_match(found: Statistics, each: Counted) -> None:
    """Add a match to the sums, and its own feats."""
    tally = each.tally
    found.matches += 1
    found.matches_won += tally.won is True
    found.matches_lost += tally.won is False
    for name in (
        "manches_won",
        "manches_lost",
        "under_given",
        "under_taken",
        "chouines",
        "quintes",
        "sevens",
    ):
        setattr(found, name, getattr(found, name) + getattr(tally, name))
    found.parties.add(tally.parties)
    found.variants.setdefault(tally.variant, PartieCounts()).add(tally.parties)
    found.seats.setdefault(tally.seat, PartieCounts()).add(tally.parties)
    if tally.level:
        found.levels.setdefault(tally.level, PartieCounts()).add(tally.parties)
    elif tally.variant in TWO:
        found.people.setdefault(each.other, PartieCounts()).add(tally.parties)
    for name, partie in tally.feats.items():
        earn(found, name, each, partie)


def earn(found: Statistics, name: str, each: Counted, partie: int) -> None:
    """Note a feat, unless it was done before."""
    found.feats.setdefault(name, Earned(each.table_id, partie, each.at))


TWO = ("classic", "mondoubleau")
"""The presets of two seats."""
