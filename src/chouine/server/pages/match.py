"""A match's permanent page: who played, every manche and partie, and the way to each of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from chouine.partie import Result
from chouine.server.pages import wording
from chouine.server.pages.cards import face
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.room import Phase, Room


@dataclass(frozen=True, slots=True)
class Line:
    """One partie: its number in the whole match, its number in the manche, how it ended."""

    number: int
    partie: int
    dealer: int
    result: Result


@dataclass(frozen=True, slots=True)
class Manche:
    """One manche and its parties. `score` is the parties won, None while it goes on."""

    number: int
    lines: tuple[Line, ...]
    score: tuple[int, ...] | None
    winner: int | None
    under: tuple[int, ...]
    """Who went under the table (§13)."""


def match_page(visit: Visit, game: str, room: Room) -> str:
    """All that is finished of a match; nothing of a partie in progress."""
    words = words_of(visit)
    return render(
        visit,
        "match.html",
        here=f"/match/{game}",
        game=game,
        room=room,
        names=names_of(room, words),
        manches=manches_of(room),
        tirages=[tirage.cards for tirage in room.tirages],
        over=room.phase is Phase.OVER,
        words=words,
        face=face,
        wording=wording,
        changed=wording.differences(room.match.rules),
    )


def names_of(room: Room, words: Words) -> tuple[str, ...]:
    """Everyone's name."""
    return tuple(words.player(chair.name, seat) for seat, chair in enumerate(room.chairs))


def manches_of(room: Room) -> list[Manche]:
    """The finished parties by manche."""
    numbered = list(enumerate(room.played, 1))
    history = room.match.history
    manches = []
    for manche, played in groupby(numbered, key=lambda pair: pair[1].manche):
        lines = tuple(
            line_of(number, one.partie, one.state.deal.dealer, one.state.result) for number, one in played
        )
        score = history[manche - 1] if manche <= len(history) else None
        winner = score.index(room.match.format.parties) if score else None
        under = tuple(seat for seat, won in enumerate(score or ()) if not won)
        manches.append(Manche(manche, lines, score, winner, under))
    return manches


def line_of(number: int, partie: int, dealer: int, result: Result | None) -> Line:
    """A finished partie's line."""
    if result is None:
        raise ValueError(f"partie {number} is not over")
    return Line(number, partie, dealer, result)
