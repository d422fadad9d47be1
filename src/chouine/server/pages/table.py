"""The table: a page for the first sight of it, and its inside alone for each moment that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from chouine.match.score import Match
from chouine.server.pages.cards import back
from chouine.server.pages.env import environment, render
from chouine.server.pages.look import Look
from chouine.server.pages.outcome import outcome
from chouine.server.pages.playing import playing
from chouine.server.pages.reader import Reader
from chouine.server.pages.seats import PHRASES
from chouine.server.pages.seen import Seen
from chouine.server.pages.status import status
from chouine.server.pages.visit import Visit
from chouine.server.room import Phase, Room


@dataclass(frozen=True, slots=True)
class Frame:
    """The table at one moment, as one observer sees it."""

    parts: tuple[str, ...]
    """The inside of `<main id="table">`, in pieces: many are those of the frame before."""
    hold: bool
    """Whether it stays until it can be read: a full trick, a tirage."""
    say: tuple[str, ...]
    """Sentences for the live region."""
    sound: str
    """A sound's name, or none."""

    @property
    def html(self) -> str:
        """The inside of `<main id="table">`."""
        return "".join(self.parts)


def table_page(visit: Visit, game: str, room: Room, observer: int | None, notice: str = "") -> str:
    """The whole page. `observer` None: a spectator, or several players of one device between turns."""
    look = replace(look_at(visit, game, room, Seen(observer)), notice=notice, alone=True)
    seat = next((seat for seat in (observer, *look.mine) if seat is not None), None)
    return render(
        visit,
        "table/page.html",
        look.reader.here,
        look=look,
        seat=seat,
        inside="".join(inside(look)),
        waits=look.acting is None and room.phase is not Phase.OVER,
        phrases=PHRASES,
    )


def frame_of(visit: Visit, game: str, room: Room, observer: int | None) -> Frame:
    """The table now."""
    return Frame(inside(look_at(visit, game, room, Seen(observer))), hold=False, say=(), sound="")


def look_at(visit: Visit, game: str, room: Room, seen: Seen) -> Look:
    """A look at the table as it is now."""
    told = seen.at(room.state) if room.state is not None and room.phase is Phase.PLAY else None
    return Look(seen.reader(visit, game, room), room, told)


def inside(look: Look) -> tuple[str, ...]:
    """The inside of `<main id="table">`, in pieces."""
    reader, room = look.reader, look.room
    top, words, moment, end = reader.parts.board()
    score = reader.once("score", room.match, lambda: score_of(reader, room.match))
    aside = str(reader.parts.banner(look, room)) if look.aside else ""
    shown = playing(look) if look.told is not None else (elsewhere(look),)
    return (top, score, words, *status(look), moment, reader.parts.notice(look.notice), aside, *shown, end)


def score_of(reader: Reader, match: Match) -> str:
    """Parties and manches won."""
    several = match.format.manches > 1
    manches = match.manches
    sides = tuple(
        (reader.labels[seat], seat == reader.observer, won, manches[seat] if several else 0)
        for seat, won in enumerate(match.score)
    )
    return reader.parts.score(sides, match.manche if several else 0, match.belle)


def elsewhere(look: Look) -> str:
    """Before and after a partie."""
    template, context = CONTEXTS[look.room.phase]
    page = environment(look.visit.language).get_template(template)
    return page.render(
        look=look,
        room=look.room,
        match=look.room.match,
        words=look.words,
        pictures=look.reader.pictures,
        parts=look.reader.parts,
        back=back,
        **context(look),
    )


def nothing(_: Look) -> dict[str, Any]:
    return {}


def tirage(look: Look) -> dict[str, Any]:
    """The spread pack, or the cards just drawn from it."""
    picks = look.room.picks
    return {
        "drawn": None if None in picks else look.room.tirages[-1],
        "takers": {place: seat for seat, place in enumerate(picks) if place is not None},
    }


def cutting(look: Look) -> dict[str, Any]:
    """The pack to be cut, after the tirage that said who deals if it was just made."""
    first = not look.room.played or look.room.match.partie == 1
    return {"drawn": look.room.tirages[-1] if first and look.room.tirages else None}


CONTEXTS = {
    Phase.SEATING: ("table/seating.html", nothing),
    Phase.TIRAGE: ("table/tirage.html", tirage),
    Phase.CUT: ("table/cut.html", cutting),
    Phase.COUNT: ("table/count.html", outcome),
    Phase.OVER: ("table/count.html", outcome),
}
