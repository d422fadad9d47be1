"""What the table shows of each seat."""

from __future__ import annotations

from collections.abc import Iterator

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


CLOSES = "</section>\n"


def of_seat(look: Look, place: int) -> Iterator[str]:
    """A seat as others see it."""
    reader = look.reader
    seat = (reader.bottom + place) % len(reader.chairs)
    yield opens(look, seat)
    yield from person(look, seat)
    yield reader.pictures.backs[place][look.scene.sizes[seat]]
    yield from pile(look, seat)
    yield CLOSES


def opens(look: Look, seat: int) -> str:
    """The beginning of a seat."""
    reader, awaited = look.reader, not look.held and seat in look.waiting
    return reader.tags[seat].join(reader.parts.seat(reader.place(seat), awaited))


def person(look: Look, seat: int) -> Iterator[str]:
    """Who sits there, with what it has said and shown."""
    scene, reader, parts = look.scene, look.reader, look.reader.parts
    leads = scene.trick[0].seat if scene.trick else look.partie.position.leader
    yield reader.tags[seat].join(parts.heading(seat == scene.dealer, seat == leads))
    ends = until(look, seat)
    if ends is not None:
        time, reserve, left = parts.clock()
        yield f"{time}{ends}{reserve}{minutes(look.room.reserves[seat])}{left}"
    if reader.place(seat):
        yield parts.counted(look.partie.points[seat] if may_count(look, seat) else None, scene.points[seat])
    shown = scene.shown.get(seat)
    cards = tuple(shown.cards) if shown and shown.cards is not None else ()
    yield parts.speech(reader.pictures, tuple(aloud(look, seat)), cards)


def pile(look: Look, seat: int) -> Iterator[str]:
    """Its tricks: the last, or all that may be looked at."""
    reader, parts, own = look.reader, look.reader.parts, seat == look.observer
    tricks, all_open = look.scene.taken[seat], may_count(look, seat)
    top, count = parts.pile(reader.place(seat), len(tricks))
    yield top
    for card in tricks[-1].cards if tricks else ():
        yield reader.pictures.moving[card]
    yield count
    yield reader.tags[seat].join(parts.tricks(own, all_open))
    for taken in reversed(tricks if all_open else tricks[-1:]):
        yield parts.trick(reader.pictures, taken.cards)
    yield parts.piled(look.partie.points[seat] if all_open else None)


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
