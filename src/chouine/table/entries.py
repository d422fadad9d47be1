"""The entries of a table's log: accepted commands and the chances drawn. All the rest is computed from them."""

from __future__ import annotations

from dataclasses import dataclass

WINDOW = 12.0
"""Seconds that "au sept" stays open where nobody chose (§11)."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who holds a seat: `player` is "person" or a player's name; a person's `guest` is None while the seat is empty."""

    player: str
    name: str
    guest: str | None = None
    emblem: str = ""
    """The figure of the deck that a person is shown by, as a card in small letters; empty: none was chosen."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """Seconds for each act, and a reserve a match for what goes beyond."""

    move: int
    reserve: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The table is set. `deal` replays a partie: its hands are those of a finished partie's deal line."""

    rules: str
    format: str
    chairs: tuple[SeatHolder, ...]
    clock: ClockTerms | None = None
    deal: str | None = None
    window: float = WINDOW
    """Seconds that "au sept" stays open, whoever holds the seven (§11)."""
    pace: float = 1.0
    """How long computers wait before they act, 1 as usual: the same whatever they hold."""


@dataclass(frozen=True, slots=True)
class Sat:
    """A guest takes an empty seat."""

    seat: int
    guest: str
    name: str
    emblem: str = ""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A pack is shuffled, secret but for its digest: spread for the tirage (§2), or to be cut and dealt (§3)."""

    pack: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Picked:
    """A seat draws a card of the spread pack, by its place from 0 (§2)."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The pack is cut: so many cards in the upper packet (§2)."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Acted:
    """A card, a card with a declaration, or the exchange, as a token."""

    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat lets "au sept" go by (§11)."""

    seat: int


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """Nobody answered "au sept" in time (§11)."""


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
    """The revanche is at another table."""

    game: str


@dataclass(frozen=True, slots=True)
class Missed:
    """A computer has not answered: the table waits for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Credited:
    """The server was away: so many seconds do not count."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Explained:
    """A seat has the play explained from now on, or no more."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class RatedAct:
    """An act, as a token, and its chance to win with the bounds of that; all equal where it is exact."""

    token: str
    win: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Counsel:
    """What an adviser makes of a seat's choice, by what that seat may know."""

    best: str
    acts: tuple[RatedAct, ...] = ()
    """The best first; empty where it goes by rules of thumb."""
    reasons: tuple[tuple[str, float], ...] = ()
    """Traits in which the best act is better, and by how much (`ai/reasons.py`) …"""
    beside: str = ""
    """… than this act."""
    worlds: int = 0
    """In how many lays of the hidden cards the acts were tried; 0 where the chances are worked out."""
    solved: bool = False
    """Whether the seat knows all cards."""


@dataclass(frozen=True, slots=True)
class Advised:
    """A seat asks for advice on the act that it is to make, and is given an idea first."""

    seat: int
    counsel: Counsel


@dataclass(frozen=True, slots=True)
class AskedMore:
    """It asks for more of the same advice: the act, then the reason."""

    seat: int


@dataclass(frozen=True, slots=True)
class TookBack:
    """A seat takes its last act back, and what the computers did since."""

    seat: int


LogEntry = (
    Opened | Sat | Shuffled | Picked | Cut | Acted | Passed | WindowClosed | Ready | Conceded | Forfeited
    | PauseAsked | Resumed | Spoke | RevancheAsked | Followed | Missed | Credited | Explained | Advised
    | AskedMore | TookBack
)  # fmt: skip
