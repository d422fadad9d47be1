"""The acts of a season (« challenge »). Nothing else changes it, and none is ever erased: an undo is an act too.

Acts name people by number. Their names are in a register beside the log, where they can be erased. `Undone` and
`Erased` are those of a contest.
"""

from __future__ import annotations

from dataclasses import dataclass

from chouine.contest.acts import Erased, Undone


@dataclass(frozen=True, slots=True)
class Points:
    """What an evening is worth."""

    places: tuple[int, ...] = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    """Points of each place, the first one's first; further places earn nothing."""
    win: int = 0
    """Points of each table won, the consolante included."""
    presence: int = 1
    """Points of whoever played."""

    def of(self, rank: int, wins: int) -> int:
        """The points of a place with these wins. Those who share a place have its points each."""
        return (self.places[rank - 1] if rank <= len(self.places) else 0) + self.win * wins + self.presence


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """How a season is counted."""

    points: Points = Points()
    best: int = 0
    """How many evenings count, each player's best; 0 for all."""
    squad: int = 3
    """How many of a village's players count for it each evening, its best."""


@dataclass(frozen=True, slots=True)
class SeasonOpened:
    """The season is opened: the first act."""

    title: str = ""
    club: str = ""
    rules: SeasonRules = SeasonRules()


@dataclass(frozen=True, slots=True)
class Ruled:
    """The club counts the whole season by other rules."""

    rules: SeasonRules
    reason: str


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player whom the season did not know."""

    number: int
    lady: bool = False
    junior: bool = False


@dataclass(frozen=True, slots=True)
class EveningRow:
    """A line of an evening's ranking: one player, or the members of a team."""

    players: tuple[int, ...]
    rank: int
    wins: int = 0


@dataclass(frozen=True, slots=True)
class EveningAdded:
    """The ranking of a contest. That of the same contest, corrected since, replaces what was taken before."""

    source: str
    """The seal of the first line of the contest's log, which no other contest has."""
    acts: int
    """The acts in the contest's log: more of them are newer."""
    day: str
    """ISO 8601, `2027-01-15`."""
    title: str
    club: str
    rows: tuple[EveningRow, ...]
    newcomers: tuple[Newcomer, ...] = ()


@dataclass(frozen=True, slots=True)
class Merged:
    """Two numbers are one person: `other` was another spelling of `kept`."""

    kept: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class MemberSet:
    """What the club knows of a person, as from now. A number that nobody has yet is a new person."""

    number: int
    lady: bool = False
    junior: bool = False
    since: str = ""
    """Member since this day, in ISO 8601; empty for whoever is no member."""
    consent: bool = False
    """Whether the person agreed to be named in what is published."""


@dataclass(frozen=True, slots=True)
class MembersListed:
    """The people of a list: one act, which one undo takes back."""

    members: tuple[MemberSet, ...]
    paid: tuple[tuple[int, int, int], ...] = ()
    """Number, year, cents."""


@dataclass(frozen=True, slots=True)
class FeePaid:
    """A member's fee for a year; negative for a refund."""

    number: int
    year: int
    cents: int


@dataclass(frozen=True, slots=True)
class Announced:
    """The next evening."""

    day: str
    """Day and hour by the club's clock, `2027-01-15T20:00`."""
    place: str
    title: str = ""
    fee: int = 0
    """Cents for an entry."""
    seats: int = 0
    """How many can play; 0 without a limit. Whoever books later waits."""
    evening: int = 0
    """The number of the announcement that this one corrects; its bookings stay. 0 for a new evening."""


@dataclass(frozen=True, slots=True)
class Booked:
    """A person is registered for an announced evening."""

    evening: int
    """The number of its announcement in the log."""
    number: int
    newcomer: bool = False


@dataclass(frozen=True, slots=True)
class BookingCancelled:
    evening: int
    number: int


SeasonAct = (
    SeasonOpened
    | Ruled
    | EveningAdded
    | Merged
    | MemberSet
    | MembersListed
    | FeePaid
    | Erased
    | Announced
    | Booked
    | BookingCancelled
    | Undone
)
KINDS: dict[str, type] = {
    "opened": SeasonOpened,
    "ruled": Ruled,
    "evening": EveningAdded,
    "merged": Merged,
    "member": MemberSet,
    "members": MembersListed,
    "paid": FeePaid,
    "erased": Erased,
    "announced": Announced,
    "booked": Booked,
    "cancelled": BookingCancelled,
    "undone": Undone,
}
"""Kinds of acts by their names in logs, which never change since logs are sealed."""
