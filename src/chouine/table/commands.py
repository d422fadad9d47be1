"""What may be asked of a table. A command names the seat it comes from; who may speak for a seat is checked before."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.errors import ChouineError
from chouine.table.entries import Counsel


class Refused(ChouineError):
    """A command the table does not take now; `code` is `room/…` or `illegal/…`. Nothing has changed."""


class NotYours(Refused):
    """The seat it names is held by somebody else."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat. `instead_of` is the guest who held it, when the same person comes back on another device."""

    seat: int
    guest: str
    name: str
    instead_of: str | None = None
    emblem: str = ""


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
class Speak:
    seat: int
    phrase: str


@dataclass(frozen=True, slots=True)
class Revanche:
    seat: int


@dataclass(frozen=True, slots=True)
class Explain:
    """Have the play explained, or no more."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class Advise:
    """Ask for advice. `counsel` is what an adviser found; None for more of what was already given."""

    seat: int
    counsel: Counsel | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    seat: int


@dataclass(frozen=True, slots=True)
class Follow:
    """The revanche is played at another table."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A deadline has come."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A computer has not answered: nobody thinks for it at the moment."""

    seat: int


@dataclass(frozen=True, slots=True)
class Credit:
    """The server was away so long."""

    seconds: float


Command = (
    Sit | Pick | CutAt | Act | Pass | GoOn | Concede | ForfeitMatch | Pause | Resume | Speak | Revanche
    | Explain | Advise | TakeBack | Follow | Tick | Miss | Credit
)  # fmt: skip
