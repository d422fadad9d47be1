"""The JSON objects of the API. The routes read and write these, and `document.py` describes them.

Docstrings and descriptions are published in `/api/1/openapi.json`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Letter = Annotated[str, Meta(pattern="^[a-d]$", description="a seat, in order of play")]
CommandId = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{1,32}$",
        description="your own name for this command: sent again with the same, it is carried out once",
    ),
]
Name = Annotated[str, Meta(max_length=200, description="the name that others see; a bot's is always its own")]


class Error(Struct):
    """Why a request was refused; nothing was done."""

    error: Annotated[str, Meta(description="a code for programs")]
    message: Annotated[str, Meta(description="a sentence for people, in the language of Accept-Language")]
    where: Annotated[str, Meta(description="for `invalid`: which field, and what it should be")] = ""


class Account(Struct):
    """Whom the token stands for."""

    bot: Annotated[bool, Meta(description="whether this is a program's account")]
    name: Annotated[str, Meta(description="a bot's name with its mark; empty for a person")]
    token: Annotated[str, Meta(description="the token's own name")]
    scopes: Annotated[list[str], Meta(description="what it allows: `play`, `tables`, `matches`")]


class Seat(Struct):
    """A seat and who holds it."""

    seat: Letter
    name: str
    kind: Annotated[
        Literal["person", "bot", "computer", "empty"], Meta(description="computer: played by this server")
    ]
    mine: bool
    link: Annotated[str, Meta(description="the link that seats whoever has it; empty unless the seat is")] = (
        ""
    )


class Clock(Struct):
    """The clock, in seconds. A seat on turn has `move`, then what is left of its `reserve`."""

    move: int
    reserve: int
    left: Annotated[list[float], Meta(description="of the reserve, by seat, at the last entry")]


class Finished(Struct):
    """A finished partie, with all cards."""

    line: Annotated[str, Meta(description="the partie line of docs/notation.md")]
    winner: Letter | None
    points: Annotated[list[int], Meta(description="by seat")]
    by: Annotated[str, Meta(description="points, chouine, nulle, concede, forfeit, misdeal, fault")]


class Said(Struct):
    """A phrase said at the table."""

    seat: Letter
    phrase: str


class Table(Struct):
    """A table as one seat knows it: what has happened, and what is to be done."""

    id: str
    n: Annotated[int, Meta(description="entries of the table's log; it grows with every change")]
    seat: Annotated[Letter, Meta(description="your seat")]
    rules: str
    format: Annotated[str, Meta(description="parties to a manche x manches to the match, such as `5x2`")]
    phase: Literal["seating", "tirage", "cut", "play", "count", "over"]
    seats: list[Seat]
    awaited: Annotated[list[Letter], Meta(description="the seats that the table waits for")]
    todo: Annotated[
        Literal["pick", "cut", "act", "go-on", "nothing"],
        Meta(description="what it waits for from your seat: the last part of the address to post to"),
    ]
    view: Annotated[str, Meta(description="in play: the partie line as your seat knows it; else empty")]
    shown: Annotated[
        list[str], Meta(description="for each declaration whose cards were shown: a hand, or `?`")
    ]
    exchanged: Annotated[list[str], Meta(description="for each `7x` in the view: its seat, or `?`")]
    trick: Annotated[list[str], Meta(description="cards on the table, as `a:Qd`")]
    legal: Annotated[list[str], Meta(description='every act open to you; `-` lets "au sept" pass')]
    picked: Annotated[
        list[int], Meta(description="tirage: places of the spread pack, 0 to 31, drawn already")
    ]
    digest: Annotated[str, Meta(description="SHA-256 of the shuffled pack, before it is cut; else empty")]
    manche: int
    partie: int
    score: Annotated[str, Meta(description="manches, then parties of this manche, by seat: `0-1 2-0`")]
    dealer: Letter | None
    winner: Annotated[Letter | None, Meta(description="of the match")]
    last: Annotated[Finished | None, Meta(description="the partie that ended last")]
    clock: Annotated[Clock | None, Meta(description="null without a clock, as against computers")]
    seconds: Annotated[
        float | None,
        Meta(description="until the awaited seats are late, counted from when this was written"),
    ]
    paused: bool
    pausing: Annotated[list[Letter], Meta(description="seats that ask for a pause")]
    ready: Annotated[list[Letter], Meta(description="seats ready for the next partie, or for a revanche")]
    said: Said | None
    next: Annotated[str, Meta(description="the table of the revanche; empty while there is none")]
    unaided: Annotated[
        bool, Meta(description="no help, and no points before the count on anybody's screen")
    ] = False


class Tables(Struct):
    """Your tables whose match is not over, newest first."""

    tables: list[Table]


class Match(Struct):
    """A finished match of yours."""

    id: str
    seats: list[Seat]
    seat: Annotated[Letter, Meta(description="your seat")]
    manches: Annotated[list[int], Meta(description="won, by seat; empty where the match is one manche")]
    parties: Annotated[list[int], Meta(description="won in the last manche, by seat")]
    winner: Letter | None


class Matches(Struct):
    """Your finished matches, newest first."""

    matches: list[Match]


class Record(Struct):
    """The finished parties of a match of yours."""

    id: str
    record: Annotated[str, Meta(description="a file of records (.cgn) as docs/notation.md describes it")]


class Event(Struct):
    """A line of a stream.

    `start`: the first line for a table; `over`: its match is over, said again when somebody there speaks or wants a
    revanche; `end`: the stream ends.
    """

    type: Literal["start", "change", "over", "end"]
    table: Table | None = None
    error: Annotated[str, Meta(description="for `end`: why, as the `error` of a refusal")] = ""


class Terms(Struct, forbid_unknown_fields=True):
    """A clock, in seconds."""

    move: Annotated[int, Meta(ge=1, le=14 * 24 * 3600)]
    reserve: Annotated[int, Meta(ge=0, le=14 * 24 * 3600)] = 0


class Open(Struct, forbid_unknown_fields=True):
    """A table to open."""

    rules: Annotated[
        str, Meta(max_length=400, description="a preset, with options: `classic;head=always`")
    ] = "classic"
    format: Annotated[str, Meta(max_length=10, description="`5x2` if empty, or `5` for three and four")] = ""
    seats: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(max_length=4, description="`me` once; `open` for a link; or a computer, such as `level:6`"),
    ] = []
    name: Name = ""
    pace: Annotated[
        Literal["lively", "normal", "calm"], Meta(description="how long computers wait before they act")
    ] = "normal"
    clock: Annotated[Terms | None, Meta(description="for tables without computers")] = None
    unaided: Annotated[
        bool, Meta(description="no help, and no points before the count on anybody's screen")
    ] = False
    id: CommandId | None = None


class Join(Struct, forbid_unknown_fields=True):
    """A seat to take."""

    link: Annotated[str, Meta(max_length=400, description="the link of an empty seat")]
    name: Name = ""


class Command(Struct, forbid_unknown_fields=True):
    """A command without more to say."""

    id: CommandId | None = None


class Pick(Command, forbid_unknown_fields=True, kw_only=True):
    """Draw a card of the spread pack (§2)."""

    place: Annotated[int, Meta(ge=0, le=31, description="from 0; not one of `picked`")]


class CutAt(Command, forbid_unknown_fields=True, kw_only=True):
    """Cut the pack (§2)."""

    at: Annotated[int, Meta(ge=0, le=32, description="cards in the upper packet, 4 to 28")]


class Act(Command, forbid_unknown_fields=True, kw_only=True):
    """Act in the partie."""

    act: Annotated[str, Meta(max_length=20, description="one of `legal`, such as `Qd+20d`, `7x` or `-`")]


class Speak(Command, forbid_unknown_fields=True, kw_only=True):
    """Say a phrase."""

    phrase: Literal["hello", "well-played", "thanks", "good-luck", "oops", "laugh", "wow", "one-moment"]
