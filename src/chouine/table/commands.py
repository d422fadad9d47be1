"""The commands of a table. A command names its seat; the caller has checked who may speak for the seat."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.errors import ChouineError
from chouine.table.entries import GivenAdvice


class Refused(ChouineError):
    """The table refuses a command in its present state. `code` is `table/…` or `illegal/…`; nothing has changed."""


class NotYours(Refused):
    """The seat of the command is held by somebody else."""


@dataclass(frozen=True, slots=True)
class SeatCommand:
    """A command that names its seat, and nothing else."""

    seat: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat. `instead_of` is the guest who held it, when the same person comes back on another device."""

    seat: int
    guest: str
    name: str
    instead_of: str | None = None
    emblem: str = ""
    rated: bool = False
    """Whether the guest agrees that the match counts for the ratings; once agreed it stays so on another device."""


class Leave(SeatCommand):
    """Give a seat up for good, and the match with it: whoever held it is erased."""


@dataclass(frozen=True, slots=True)
class Pick:
    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class CutAt:
    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Act:
    seat: int
    token: str


class Pass(SeatCommand):
    """Let "au sept" pass (§11)."""


class GoOn(SeatCommand):
    """Be ready for the next partie."""


class Concede(SeatCommand):
    """Give up the partie (§16)."""


class ForfeitMatch(SeatCommand):
    """Give up the match (§16)."""


class Pause(SeatCommand):
    """Ask for a pause; with a clock every person must."""


class Resume(SeatCommand):
    """End the pause."""


@dataclass(frozen=True, slots=True)
class GoOnHoliday:
    """Let a seat's clock stand still at a slow table; `until` and `last` as in the entry."""

    seat: int
    until: float
    last: str


class ComeBack(SeatCommand):
    """End a holiday before its time."""


@dataclass(frozen=True, slots=True)
class Speak:
    seat: int
    phrase: str


class Revanche(SeatCommand):
    """Propose another match (§13)."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Turn explanations on or off."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class Advise:
    """Ask for advice. `advice` is what was computed; None to reveal more of the advice already given."""

    seat: int
    advice: GivenAdvice | None = None


class TakeBack(SeatCommand):
    """Take the last act back, and what the computers did since."""


@dataclass(frozen=True, slots=True)
class Follow:
    """Record the table at which the revanche is played."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Let a deadline that has passed take effect."""


class Miss(SeatCommand):
    """Mark a computer as away: it has not answered in time."""


@dataclass(frozen=True, slots=True)
class Credit:
    """Credit an outage of the server, in seconds, to the clocks."""

    seconds: float


Command = (
    Sit | Leave | Pick | CutAt | Act | Pass | GoOn | Concede | ForfeitMatch | Pause | Resume | Speak | Revanche
    | GoOnHoliday | ComeBack | Explain | Advise | TakeBack | Follow | Tick | Miss | Credit
)  # fmt: skip
