"""A partie in progress, put together from its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import escape

from chouine.cards import Card
from chouine.partie import Action, Exchange
from chouine.server.pages.look import Look
from chouine.server.pages.offers import offers, plain
from chouine.server.pages.seats import CLOSES, of_seat, opens, person, pile


def playing(look: Look) -> Iterator[str]:
    """The seats, the middle of the table, one's own hand."""
    many = len(look.room.chairs)
    others, middle, trick, laid_so, end, below = look.reader.parts.play(many - 1)
    yield others
    for place in range(1, many):
        yield from of_seat(look, place)
    yield middle
    yield stock(look)
    yield trick
    yield from laid(look)
    yield laid_so
    yield from past(look)
    yield exchanged(look)
    yield end
    yield window(look)
    yield from nearest(look)
    yield below


def stock(look: Look) -> str:
    """The talon, the turnup and trumps."""
    scene, reader = look.scene, look.reader
    strict = sum(map(len, scene.taken)) >= look.partie.book.drawing
    pieces = reader.parts.stock(reader.pictures, look.words, scene.turnup, scene.talon, scene.trump, strict)
    return str(escape(look.rules(8))).join(pieces) if strict else pieces[0]


def laid(look: Look) -> Iterator[str]:
    """The cards on the table: where each comes from, and who laid it."""
    reader = look.reader
    for each in look.scene.trick:
        place, picture = reader.place(each.seat), reader.pictures.laid[each.card]
        yield reader.tags[each.seat].join(reader.parts.laid(place, *picture))


def past(look: Look) -> Iterator[str]:
    """The last trick, until the next is led."""
    last, parts = look.scene.last, look.reader.parts
    if look.scene.trick or last is None:
        return
    *taken, end = parts.past(last.seat == look.you)
    yield str(escape(look.name(last.seat))).join(taken)
    yield parts.listed(look.reader.pictures, last.cards)
    yield end


def exchanged(look: Look) -> str:
    """The exchange made since the last trick (§11)."""
    made, _ = look.scene.exchanged, look.words.gettext
    if made is None or made.seat is None:
        return ""
    ways = _("You exchanged the seven for %(card)s."), _("%(name)s exchanged the seven for %(card)s.")
    told = look.about(made.seat, *ways, card=look.words.the(made.card))
    return str(escape(told)).join(look.reader.parts.exchanged())


def window(look: Look) -> str:
    """While "au sept" is open (§11): the same whoever holds the seven."""
    open_to = look.room.window
    answering = look.acting if look.acting in open_to else None
    if answering is None and (not open_to or look.observer is None):
        return ""
    return str(look.reader.parts.window(look, answering, look.reader.bottom == look.partie.position.leader))


def nearest(look: Look) -> Iterator[str]:
    """The seat at the bottom of the screen: one's own hand, the curtain before it, or the back of another's."""
    if look.observer is None and not look.curtain:
        yield from of_seat(look, 0)
        return
    yield opens(look, look.reader.bottom)
    if look.curtain:
        yield str(look.reader.parts.curtain(look))
    else:
        yield from own(look, look.reader.bottom)
    yield CLOSES


def own(look: Look, seat: int) -> Iterator[str]:
    """One's own hand, and what may be done with it."""
    parts, may_act = look.reader.parts, look.acting is not None and look.acting == look.observer
    to_play = may_act and not look.room.window
    legal = look.partie.legal if may_act else ()
    top, sort, line, cards, end = parts.own(len(look.hand), to_play)
    yield top
    yield from person(look, seat)
    yield prompt(look, to_play=to_play)
    yield sort
    yield from pile(look, seat)
    yield line
    yield form(look, seat)
    yield offered(look, legal, to_play=to_play)
    yield cards
    yield from hand(look, plain(legal) if to_play else None)
    yield end


def prompt(look: Look, *, to_play: bool) -> str:
    """Whose turn it is."""
    waits_for = "" if look.held or look.room.window else look.others_awaited
    whose = "own" if to_play else "other" if waits_for else ""
    return str(escape(waits_for)).join(look.reader.parts.prompt(whose))


def form(look: Look, seat: int) -> str:
    """The beginning of what is sent with a card."""
    to, fields, end = look.reader.parts.acting()
    return f"{to}{escape(look.action('act'))}{fields}{look.hidden_fields(seat)}{end}"


def offered(look: Look, legal: Sequence[Action], *, to_play: bool) -> str:
    """Declarations and the exchange, where they are open."""
    words, turnup = look.words, look.scene.turnup
    declared = offers(look.partie, legal, words) if to_play else ()
    exchange = Exchange() in legal and look.acting not in look.room.window and turnup is not None
    gained = words.the(turnup) if exchange and turnup is not None else ""
    return str(look.reader.parts.offered(declared, gained, words)) if declared or gained else ""


def hand(look: Look, playable: frozenset[Card] | None) -> Iterator[str]:
    """The cards of a hand as buttons; `playable` None while nobody may play."""
    held = look.reader.pictures.held
    for card in look.hand:
        yield held["idle" if playable is None else "ready" if card in playable else "barred"][card]
