"""What a table's log holds: accepted commands and the chances that were drawn. All the rest is computed."""

from __future__ import annotations

import msgspec


class Entry(msgspec.Struct, frozen=True, tag_field="kind", gc=False):
    """One line of the log; never part of a circle, so that garbage is not looked for in it."""


class Chair(msgspec.Struct, frozen=True):
    """Who sits: `player` is "person" or a player's spec; a person's `guest` is None until someone takes the chair."""

    player: str
    name: str
    guest: str | None = None


class ClockTerms(msgspec.Struct, frozen=True):
    """Seconds for each act, and a reserve a match for what goes beyond."""

    move: int
    reserve: int


class Opened(Entry, frozen=True, tag="opened"):
    """The table is set. `deal` replays a partie: its hands are those of a finished partie's deal line."""

    rules: str
    format: str
    chairs: tuple[Chair, ...]
    clock: ClockTerms | None = None
    deal: str | None = None


class Sat(Entry, frozen=True, tag="sat"):
    """A guest takes an empty chair."""

    seat: int
    guest: str
    name: str


class Shuffled(Entry, frozen=True, tag="shuffled"):
    """A pack is shuffled, secret but for its digest: spread for the tirage (§2), or to be cut and dealt (§3)."""

    pack: str
    nonce: str


class Picked(Entry, frozen=True, tag="picked"):
    """A seat draws a card of the spread pack, by its place from 0 (§2)."""

    seat: int
    place: int


class Cut(Entry, frozen=True, tag="cut"):
    """The pack is cut: so many cards in the upper packet (§2)."""

    seat: int
    at: int


class Acted(Entry, frozen=True, tag="acted"):
    """A card, a card with a declaration, or the exchange, as a token."""

    seat: int
    token: str


class Passed(Entry, frozen=True, tag="passed"):
    """A seat lets "au sept" go by (§11)."""

    seat: int


class WindowClosed(Entry, frozen=True, tag="window-closed"):
    """Nobody answered "au sept" in time (§11)."""


class Ready(Entry, frozen=True, tag="ready"):
    """A seat has read the count and is ready for the next partie."""

    seat: int


class Conceded(Entry, frozen=True, tag="conceded"):
    """A seat gives up the partie (§16)."""

    seat: int


class Forfeited(Entry, frozen=True, tag="forfeited"):
    """A seat gives up the match, or its time ran out (§16)."""

    seat: int
    late: bool = False


class PauseAsked(Entry, frozen=True, tag="pause-asked"):
    """A seat asks for a pause; with a clock every person must."""

    seat: int


class Resumed(Entry, frozen=True, tag="resumed"):
    """A seat ends the pause."""

    seat: int


class Spoke(Entry, frozen=True, tag="spoke"):
    """A seat says one of the preset phrases."""

    seat: int
    phrase: str


class RevancheAsked(Entry, frozen=True, tag="revanche-asked"):
    """A seat proposes another match (§13)."""

    seat: int


class Followed(Entry, frozen=True, tag="followed"):
    """The revanche is at another table."""

    game: str


class Missed(Entry, frozen=True, tag="missed"):
    """A computer has not answered: the table waits for it."""

    seat: int


class Credited(Entry, frozen=True, tag="credited"):
    """The server was away: so many seconds do not count."""

    seconds: float


AnyEntry = (
    Opened
    | Sat
    | Shuffled
    | Picked
    | Cut
    | Acted
    | Passed
    | WindowClosed
    | Ready
    | Conceded
    | Forfeited
    | PauseAsked
    | Resumed
    | Spoke
    | RevancheAsked
    | Followed
    | Missed
    | Credited
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEntry).decode
