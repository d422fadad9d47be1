"""A partie in progress, put together from its parts."""

from __future__ import annotations

from markupsafe import Markup, escape

from chouine.partie import Exchange
from chouine.server.pages.cards import Pictures, face, pictures_of
from chouine.server.pages.look import Look
from chouine.server.pages.offers import offers, plain
from chouine.server.pages.parts import Parts, parts_of
from chouine.server.pages.seats import Seat, seats_of

NOTHING = Markup("")


def playing(look: Look) -> Markup:
    """The seats, the middle of the table, one's own hand."""
    parts, pictures = parts_of(look.words.language), pictures_of(look.words)
    me, *others = seats_of(look)
    return parts.play(
        others,
        stock(look, parts, pictures),
        laid(look),
        past(look, parts, pictures),
        exchanged(look),
        window(look, parts),
        me,
        nearest(look, parts, pictures, me),
    )


def stock(look: Look, parts: Parts, pictures: Pictures) -> Markup:
    """The talon, the turnup and trumps."""
    scene = look.scene
    draws = sum(map(len, scene.taken)) < look.partie.book.drawing
    rules = "" if draws else look.rules(8)
    return parts.stock(pictures, look.words, scene.turnup, scene.talon, scene.trump, rules)


def laid(look: Look) -> list[tuple[int, str, str, str, Markup]]:
    """The cards on the table: place, name in the markup, who laid it, name, drawing."""
    return [
        (
            look.place(each.seat),
            str(each.card).lower(),
            look.label(each.seat),
            look.words.card(each.card),
            face(each.card),
        )
        for each in look.scene.trick
    ]


def past(look: Look, parts: Parts, pictures: Pictures) -> Markup:
    """The last trick, until the next is led."""
    last = look.scene.last
    if look.scene.trick or last is None:
        return NOTHING
    return parts.past(pictures, last.seat == look.you, look.name(last.seat), last.cards)


def exchanged(look: Look) -> str:
    """The exchange made since the last trick (§11)."""
    made, _ = look.scene.exchanged, look.words.gettext
    if made is None or made.seat is None:
        return ""
    ways = _("You exchanged the seven for %(card)s."), _("%(name)s exchanged the seven for %(card)s.")
    return look.about(made.seat, *ways, card=look.words.the(made.card))


def window(look: Look, parts: Parts) -> Markup:
    """While "au sept" is open (§11): the same whoever holds the seven."""
    open_to = look.room.window
    answering = look.acting if look.acting in open_to else None
    if answering is None and (not open_to or look.observer is None):
        return NOTHING
    return parts.window(look, answering, look.bottom == look.partie.position.leader)


def nearest(look: Look, parts: Parts, pictures: Pictures, me: Seat) -> Markup:
    """The seat at the bottom of the screen: one's own hand, the curtain before it, or the back of another's."""
    if look.curtain:
        return parts.curtain(look)
    return parts.watched(me) if look.observer is None else own(look, parts, pictures, me)


def own(look: Look, parts: Parts, pictures: Pictures, me: Seat) -> Markup:
    """One's own hand, and what may be done with it."""
    scene, words, view = look.scene, look.words, look.partie
    open_to = look.room.window
    may_act = look.acting is not None and look.acting == look.observer
    to_play = may_act and not open_to
    legal = view.legal if may_act else ()
    exchange = Exchange() in legal and look.acting not in open_to and scene.turnup is not None
    waits_for = "" if look.held or open_to else look.others_awaited
    declared = offers(view, legal, words) if to_play else ()
    turnup = words.the(scene.turnup) if exchange and scene.turnup is not None else ""
    return parts.own(
        me,
        parts.prompt(to_play, waits_for),
        escape(look.action("act")),
        look.hidden_fields(me.seat),
        parts.offered(declared, turnup, words) if declared or turnup else NOTHING,
        len(look.hand),
        hand(look, pictures, plain(legal) if to_play else None),
        to_play,
    )


def hand(look: Look, pictures: Pictures, playable: frozenset[int] | None) -> Markup:
    """The cards of a hand as buttons; `playable` None while nobody may play."""
    if playable is None:
        cards = [pictures.held["idle"][card] for card in look.hand]
    else:
        cards = [pictures.held["ready" if card in playable else "barred"][card] for card in look.hand]
    return Markup("\n".join(cards))  # noqa: S704  # pictures
