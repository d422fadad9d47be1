"""The first page: one button that starts a match, and what one is playing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from chouine.server.pages import wording
from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.opponents import opponents, usual
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.room import Phase, Room

SEATS = range(4)
NAME_LENGTH = 24
"""Letters of a name: what the table has room for."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One of a guest's matches in a line."""

    game: str
    names: tuple[str, ...]
    others: tuple[str, ...]
    """Names of those who play elsewhere than on this device."""
    manches: tuple[int, ...]
    parties: tuple[int, ...]
    """Won in the manche being played, or the last."""
    my_turn: bool
    """Whether the table waits for this guest."""
    seating: bool
    over: bool
    won: bool
    """Over, and won by one of this guest's chairs."""

    @classmethod
    def of(cls, game: str, room: Room, guest: str, words: Words) -> Self:
        """A table as one of its guests sees it in a list."""
        mine, names = frozenset(room.held_by(guest)), names_of(room, words)
        return cls(
            game=game,
            names=names,
            others=tuple(name for seat, name in enumerate(names) if seat not in mine),
            manches=room.match.manches if room.match.format.manches > 1 else (),
            parties=room.match.score,
            my_turn=bool(mine & room.awaited),
            seating=room.phase is Phase.SEATING,
            over=room.phase is Phase.OVER,
            won=room.match.winner in mine,
        )


def home_page(visit: Visit, matches: Sequence[tuple[str, Room]], error: str = "") -> str:
    """The first page; `matches` newest first, `error` why the last form was refused."""
    words = words_of(visit)
    mine = [Summary.of(game, room, visit.guest, words) for game, room in matches]
    return render(
        visit,
        "home.html",
        error=error,
        going=[match for match in mine if not match.over],
        finished=[match for match in mine if match.over],
        wording=wording,
        seats=SEATS,
        opponents=opponents(visit.language),
        usual=usual(visit),
        name_length=NAME_LENGTH,
    )
