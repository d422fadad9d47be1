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
class Sit:
    """Take a seat. `instead_of` is the guest who held it, when the same person comes back on another device."""

    seat: int
    guest: str
    name: str
    instead_of: str | None = None
    emblem: str = ""
    rated: bool = False
    """Whether the guest agrees that the match counts for the ratings; once agreed it stays so on another device."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Give a seat up for good, and the match with it: whoever held it is erased."""

    seat: int


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


@dataclass(frozen=True, slots=True)
class Pass:
    seat: int


@dataclass(frozen=True, slots=True)
class GoOn:
    seat: int


@dataclass(frozen=True, slots=True)
class Concede:
    seat: int


@dataclass(frozen=True, slots=True)
class ForfeitMatch:
    seat: int


@dataclass(frozen=True, slots=True)
class Pause:
    seat: int


@dataclass(frozen=True, slots=True)
class Resume:
    seat: int


@dataclass(frozen=True, slots=True)
class GoOnHoliday:
    """Let a seat's clock stand still at a slow table; `until` and `last` as in the entry."""

    seat: int
    until: float
    last: str


@dataclass(frozen=True, slots=True)
class ComeBack:
    """End a seat's holiday before its time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Speak:
    seat: int
    phrase: str


@dataclass(frozen=True, slots=True)
class Revanche:
    seat: int


@dataclass(frozen=True, slots=True)
class Explain:
    """Turn explanations on or off."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class Advise:
    """Ask for advice. `counsel` is the computed advice; None to reveal more of the advice already given."""

    seat: int
    counsel: GivenAdvice | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    seat: int


@dataclass(frozen=True, slots=True)
class Follow:
    """Record the table at which the revanche is played."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Let a deadline that has passed take effect."""


@dataclass(frozen=True, slots=True)
class Miss:
    """Mark a computer as away: it has not answered in time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Credit:
    """Credit an outage of the server, in seconds, to the clocks."""

    seconds: float


Command = (
    Sit | Leave | Pick | CutAt | Act | Pass | GoOn | Concede | ForfeitMatch | Pause | Resume | Speak | Revanche
    | GoOnHoliday | ComeBack | Explain | Advise | TakeBack | Follow | Tick | Miss | Credit
)  # fmt: skip
