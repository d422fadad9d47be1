"""The table: a page for the first sight of it, and its inside alone for each moment that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chouine.server.pages.cards import back, face, pictures_of, sign
from chouine.server.pages.env import environment, render
from chouine.server.pages.look import Look
from chouine.server.pages.offers import may_exchange, offers, plain
from chouine.server.pages.outcome import outcome
from chouine.server.pages.seats import PHRASES, seats_of
from chouine.server.pages.status import status
from chouine.server.pages.visit import Visit
from chouine.server.room import Phase, Room


@dataclass(frozen=True, slots=True)
class Frame:
    """The table at one moment, as one observer sees it."""

    html: str
    """The inside of `<main id="table">`."""
    hold: bool
    """Whether it stays until it can be read: a full trick, a tirage."""
    say: tuple[str, ...]
    """Sentences for the live region."""
    sound: str
    """A sound's name, or none."""


def table_page(visit: Visit, game: str, room: Room, observer: int | None, notice: str = "") -> str:
    """The whole page. `observer` None: a spectator, or several players of one device between turns."""
    look = look_at(visit, game, room, observer, notice)
    seat = next((seat for seat in (observer, *look.mine) if seat is not None), None)
    return render(
        visit,
        "table/page.html",
        look.here,
        look=look,
        seat=seat,
        inside=inside(look),
        waits=look.acting is None and room.phase is not Phase.OVER,
        phrases=PHRASES,
    )


def frame_of(visit: Visit, game: str, room: Room, observer: int | None, notice: str = "") -> Frame:
    """The table now."""
    return Frame(inside(look_at(visit, game, room, observer, notice)), hold=False, say=(), sound="")


def look_at(visit: Visit, game: str, room: Room, observer: int | None, notice: str = "") -> Look:
    """A look at the table as it is now."""
    view = room.state.view(observer) if room.state is not None and room.phase is Phase.PLAY else None
    return Look(visit, game, room, observer, view, notice=notice)


def inside(look: Look) -> str:
    """The inside of `<main id="table">`."""
    phase = Phase.PLAY if look.view is not None else look.room.phase
    template, context = CONTEXTS[phase]
    page = environment(look.visit.language).get_template(template)
    return page.render(
        visit=look.visit,
        look=look,
        room=look.room,
        match=look.room.match,
        words=look.words,
        pictures=pictures_of(look.words),
        face=face,
        back=back,
        sign=sign,
        status=status(look),
        **context(look),
    )


def nothing(_: Look) -> dict[str, Any]:
    return {}


def playing(look: Look) -> dict[str, Any]:
    """A partie in progress."""
    view, scene = look.partie, look.scene
    may_act = look.acting is not None and look.acting == look.observer
    to_play = may_act and not look.room.window
    me, *others = seats_of(look)
    return {
        "scene": scene,
        "draws": sum(map(len, scene.taken)) < view.book.drawing,
        "me": me,
        "others": others,
        "hand": look.hand,
        "to_play": to_play,
        "playable": plain(view) if to_play else frozenset(),
        "offers": offers(view, look.words) if to_play else (),
        "exchange": may_act and look.acting not in look.room.window and may_exchange(view),
        "answering": look.acting if look.acting in look.room.window else None,
    }


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
    Phase.PLAY: ("table/play.html", playing),
    Phase.COUNT: ("table/count.html", outcome),
    Phase.OVER: ("table/count.html", outcome),
}
