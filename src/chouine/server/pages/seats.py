"""What the table shows of each seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chouine.cards import Card
from chouine.partie import Taken
from chouine.server.pages.look import Look
from chouine.server.pages.words import N_

PHRASES = {
    "hello": N_("Hello!"),
    "good-luck": N_("Good luck!"),
    "well-played": N_("Well played!"),
    "thanks": N_("Thank you!"),
    "wow": N_("What a hand!"),
    "oops": N_("Oh dear…"),
    "laugh": N_("Ha ha!"),
    "one-moment": N_("One moment…"),
}
"""What may be said at the table."""
FRESH = 4
"""For how many entries a phrase stays on the table."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat as one observer sees it."""

    seat: int
    place: int
    """Round the table from the bottom of the screen."""
    name: str
    """ "You", or the player's name."""
    dealer: bool
    leads: bool
    """Whether it leads the trick in progress or to come."""
    awaited: bool
    size: int
    """Cards in its hand."""
    tricks: tuple[Taken, ...]
    """Those that may be looked at: one's own, of another the last (§14), or all of them by choice."""
    taken: int
    """How many tricks it has taken."""
    declared: int
    points: int | None
    """Where it may be counted."""
    words: tuple[str, ...]
    """What it has just said aloud."""
    until: int | None
    """When its time is out, seconds since the epoch; None when no clock runs for it."""
    reserve: str
    """Its reserve for the match, minutes and seconds."""
    shown: tuple[Card, ...]
    """Cards it lays open for its declaration (§9.5)."""


def seats_of(look: Look) -> list[Seat]:
    """Every seat in order of play from the bottom of the screen."""
    many = len(look.room.chairs)
    return [seat_of(look, (look.bottom + place) % many) for place in range(many)]


def seat_of(look: Look, seat: int) -> Seat:
    """One seat."""
    scene, view, recall = look.scene, look.partie, look.visit.settings.recall
    tricks = tuple(scene.taken[seat])
    open_to_see = recall or (seat == look.observer and not look.curtain)
    shown = scene.shown.get(seat)
    return Seat(
        seat=seat,
        place=look.place(seat),
        name=look.label(seat),
        dealer=seat == scene.dealer,
        leads=seat == (scene.trick[0].seat if scene.trick else view.position.leader),
        awaited=not look.held and seat in look.room.awaited,
        size=scene.sizes[seat],
        tricks=tricks if open_to_see else tricks[-1:],
        taken=len(tricks),
        declared=scene.points[seat],
        points=view.points[seat] if open_to_see else None,
        words=tuple(aloud(look, seat)),
        until=until(look, seat),
        reserve=minutes(look.room.reserves[seat]),
        shown=tuple(shown.cards) if shown and shown.cards is not None else (),
    )


def until(look: Look, seat: int) -> int | None:
    """When an awaited seat's time is out."""
    deadline = look.room.deadline
    if look.room.clock is None or look.room.window or seat not in look.room.awaited or deadline is None:
        return None
    return int(deadline)


def minutes(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def aloud(look: Look, seat: int) -> Iterator[str]:
    """Declarations with the cards on the table, "au sept", and the last phrase."""
    scene, words = look.scene, look.words
    for said in scene.said:
        if said.seat == seat:
            yield words.said(said.declaration)
    if scene.called == seat:
        yield words.gettext("Au sept!")
    for who, phrase, n in look.room.spoken[-1:]:
        if who == seat and look.room.n - n < FRESH:
            yield words.gettext(PHRASES[phrase])
