"""What may be asked of a table. A command names the seat it comes from; who may speak for a seat is checked before."""

from __future__ import annotations

from dataclasses import dataclass

from chouine.errors import ChouineError


class Refused(ChouineError):
    """A command the table does not take now; `code` is `room/…` or `illegal/…`. Nothing has changed."""


class NotYours(Refused):
    """The seat it names is held by somebody else."""


@dataclass(frozen=True, slots=True)
class Sit:
    """`instead_of`: the guest who held the chair, when the same person comes back from elsewhere."""

    seat: int
    guest: str
    name: str
    instead_of: str | None = None


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
class Forfeit:
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
class Follow:
    """The server tells where the revanche is played."""

    game: str


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
    Sit | Pick | CutAt | Act | Pass | GoOn | Concede | Forfeit | Pause | Resume | Speak | Revanche
    | Follow | Tick | Miss | Credit
)  # fmt: skip
