"""The entries of a table's log: accepted commands and the chances drawn. All the rest is computed from them."""

from __future__ import annotations

from dataclasses import dataclass

WINDOW = 12.0
"""Seconds that "au sept" stays open where nobody chose (§11)."""
SLOW = 3600
"""Seconds a card from which on a match is a slow one, played over days."""
DAILY = "daily"
"""The registry's name of the opponent of the deal of the day: nobody is helped or watched at its tables."""
NOBODY, LEFT = "", "…"
"""Guest and name at the seat of a player who was erased; nobody can give a name without letters."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat: `player` is "person" or a player's name; `guest` is None while a person's seat is empty."""

    player: str
    name: str
    guest: str | None = None
    emblem: str = ""
    """The face card chosen as a person's picture, as a token in lower case; empty: none."""
    rated: bool = False
    """Whether this person agreed that the match counts for the ratings."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """Seconds for each act, and a reserve for the whole match, which longer acts use up."""

    move: int
    reserve: int

    @property
    def slow(self) -> bool:
        """Whether the match is played over days."""
        return self.move >= SLOW


@dataclass(frozen=True, slots=True)
class Opened:
    """A table is opened. With `deal` it replays a finished partie's deal line.

    With `deals` it plays these, each once, as others do at other tables: nobody else sees the table meanwhile.
    """

    rules: str
    format: str
    chairs: tuple[SeatHolder, ...]
    clock: ClockTerms | None = None
    deal: str | None = None
    window: float = WINDOW
    """Seconds that "au sept" stays open, whoever holds the seven (§11)."""
    pace: float = 1.0
    """Factor for the time computers wait before they act; independent of their cards."""
    deals: tuple[str, ...] = ()
    """The sealed deals of a duplicate round, in order."""
    unaided: bool = False
    """Whether screens show all players what §14 allows, and no more: no help, and no points before the count."""


@dataclass(frozen=True, slots=True)
class Sat:
    """A guest takes an empty seat. One who is erased leaves it to `NOBODY`, or empty (None) before the start."""

    seat: int
    guest: str | None
    name: str
    emblem: str = ""
    rated: bool = False
    """Whether the guest agrees that the match counts for the ratings."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A pack is shuffled, for the tirage (§2) or to be cut and dealt (§3). Only its digest is public."""

    pack: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Picked:
    """A seat draws a card of the spread pack, named by its place from 0 (§2)."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The pack is cut: so many cards in the upper packet (§2)."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat lays a card, with a declaration or without, or exchanges; `action` is its token."""

    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat lets "au sept" pass (§11)."""

    seat: int


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """Nobody answered "au sept" in time, so that it closes (§11)."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A seat has read the count and is ready for the next partie."""

    seat: int


@dataclass(frozen=True, slots=True)
class Conceded:
    """A seat gives up the partie (§16)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A seat gives up the match, or its time ran out (§16)."""

    seat: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """A seat asks for a pause; with a clock every person must."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """A seat ends the pause."""

    seat: int


@dataclass(frozen=True, slots=True)
class Spoke:
    """A seat says one of the preset phrases."""

    seat: int
    phrase: str


@dataclass(frozen=True, slots=True)
class RevancheAsked:
    """A seat proposes another match (§13)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Followed:
    """The revanche is played at another table."""

    game: str


@dataclass(frozen=True, slots=True)
class Missed:
    """A computer has not answered in time; the table keeps waiting for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Credited:
    """An outage of the server: these seconds do not count against clocks."""

    seconds: float


@dataclass(frozen=True, slots=True)
class WentOnHoliday:
    """A seat's holder goes on holiday: at this slow table their clock stands still until they come back."""

    seat: int
    until: float
    """When the holiday ends by itself, in seconds since the epoch."""
    last: str
    """Its last day as its holder chose it, such as `2026-12-05`."""


@dataclass(frozen=True, slots=True)
class CameBack:
    """A seat's holder is back from their holiday, or it is over."""

    seat: int


@dataclass(frozen=True, slots=True)
class Explained:
    """A seat turns explanations on or off."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class RatedAct:
    """An act's token and win probability, with bounds; all equal if it is exact."""

    token: str
    win: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GivenAdvice:
    """Advice on a seat's decision, from what that seat may know."""

    best: str
    acts: tuple[RatedAct, ...] = ()
    """Acts, best first; empty for advice by the heuristic."""
    reasons: tuple[tuple[str, float], ...] = ()
    """Traits in which the best act is better, and by how much (`ai/reasons.py`), …"""
    beside: str = ""
    """… than this act."""
    worlds: int = 0
    """Number of sampled worlds; 0 if the probabilities are exact."""
    solved: bool = False
    """Whether the seat knows all cards."""


@dataclass(frozen=True, slots=True)
class Advised:
    """A seat asks for advice on its decision and gets an idea first."""

    seat: int
    counsel: GivenAdvice


@dataclass(frozen=True, slots=True)
class AskedMore:
    """The seat asks for the next part of its advice: the act, then the reason."""

    seat: int


@dataclass(frozen=True, slots=True)
class TookBack:
    """A seat takes its last act back, and what the computers did since."""

    seat: int


LogEntry = (
    Opened | Sat | Shuffled | Picked | Cut | Acted | Passed | WindowClosed | Ready | Conceded | Forfeited
    | PauseAsked | Resumed | Spoke | RevancheAsked | Followed | Missed | Credited | Explained | Advised
    | AskedMore | TookBack | WentOnHoliday | CameBack
)  # fmt: skip
