"""What the table shows of each seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from chouine.server.pages.cards import pictures_of
from chouine.server.pages.look import Look
from chouine.server.pages.parts import parts_of
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
    awaited: bool
    person: Markup
    """Who sits there, with what it has said and shown."""
    backs: Markup
    """Its hand, face down."""
    pile: Markup
    """Its tricks."""


def seats_of(look: Look) -> list[Seat]:
    """Every seat in order of play from the bottom of the screen."""
    many = len(look.room.chairs)
    return [seat_of(look, (look.bottom + place) % many) for place in range(many)]


def seat_of(look: Look, seat: int) -> Seat:
    """One seat."""
    scene, view, pictures = look.scene, look.partie, pictures_of(look.words)
    place, name, parts = look.place(seat), look.label(seat), parts_of(look.words.language)
    shown = scene.shown.get(seat)
    open_to_see = may_count(look, seat)
    points = view.points[seat] if open_to_see else None
    tricks, ends = scene.taken[seat], until(look, seat)
    return Seat(
        seat=seat,
        place=place,
        name=name,
        awaited=not look.held and seat in look.waiting,
        person=parts.person(
            pictures,
            name,
            seat == scene.dealer,
            seat == (scene.trick[0].seat if scene.trick else view.position.leader),
            ends,
            "" if ends is None else minutes(look.room.reserves[seat]),
            scene.points[seat] if place else 0,
            points if place else None,
            tuple(aloud(look, seat)),
            tuple(shown.cards) if shown and shown.cards is not None else (),
        ),
        backs=pictures.backs[place][scene.sizes[seat]],
        pile=parts.pile(
            pictures,
            place,
            name,
            seat == look.observer,
            len(tricks),
            tuple(taken.cards for taken in (tricks if open_to_see else tricks[-1:])),
            points,
        ),
    )


def may_count(look: Look, seat: int) -> bool:
    """Whether all tricks of a seat may be looked at: one's own, of another the last alone (§14), or all by choice."""
    return look.visit.settings.recall or (seat == look.observer and not look.curtain)


def until(look: Look, seat: int) -> int | None:
    """When an awaited seat's time is out, seconds since the epoch; None when no clock runs for it."""
    if look.room.clock is None or look.room.window or seat not in look.waiting:
        return None
    deadline = look.room.deadline
    return None if deadline is None else int(deadline)


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
