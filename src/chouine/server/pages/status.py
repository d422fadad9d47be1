"""What a player may ask for at any moment with one key, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from markupsafe import escape

from chouine.cards import Card, Suit
from chouine.match.score import Match
from chouine.partie import Taken
from chouine.server.pages.look import Look
from chouine.server.pages.parts import Parts
from chouine.server.pages.reader import Reader
from chouine.server.pages.words import Words


def status(look: Look) -> Iterator[str]:
    """Hand, trump, talon, last trick, score: each a key, what it asks, and the answer."""
    reader, match = look.reader, look.room.match
    if look.told is not None:
        yield from of_partie(look)
    yield reader.once("s", match, lambda: scores(reader, match))


def of_partie(look: Look) -> Iterator[str]:
    """What a partie in progress has to tell."""
    scene, reader, words, _ = look.scene, look.reader, look.words, look.words.gettext
    own = look.observer is not None and not look.curtain
    if own:
        yield row(reader.parts, "h", _("Your hand"), ", ".join(map(words.card, look.hand)) or _("no card"))
    yield trumps(reader.parts, words, scene.trump)
    yield talon(reader.parts, words, scene.talon, scene.turnup)
    if look.visit.settings.recall and own:
        unseen = ", ".join(map(words.card, look.partie.unseen)) or _("none")
        yield row(reader.parts, "u", _("Cards not seen"), unseen)
    last = scene.last
    yield reader.once("l", last, lambda: row(reader.parts, "l", _("Last trick"), trick(look, last)))


def row(parts: Parts, key: str, asks: str, says: str) -> str:
    """One answer."""
    return str(escape(says)).join(parts.row(key, asks))


@cache
def trumps(parts: Parts, words: Words, suit: Suit | None) -> str:
    """What trumps are."""
    _ = words.gettext
    return row(parts, "a", _("Trumps"), _("no trumps yet") if suit is None else words.suit(suit))


@cache
def talon(parts: Parts, words: Words, left: int, turnup: Card | None) -> str:
    """What is left to draw."""
    _, cards = words.gettext, words.ngettext("%(num)s card", "%(num)s cards", left) % {"num": left}
    lies = "" if turnup is None else _(", the turnup is %(card)s") % {"card": words.the(turnup)}
    return row(parts, "t", _("Talon"), cards + lies)


def trick(look: Look, taken: Taken | None) -> str:
    """A trick's cards in the order laid, and who took it."""
    if taken is None:
        return look.words.gettext("none yet")
    many = len(look.room.chairs)
    cards = [
        laid(look, (taken.leader + nth) % many, look.words.card(card)) for nth, card in enumerate(taken.cards)
    ]
    _ = look.words.gettext
    taker = look.about(taken.seat, _("taken by you"), _("taken by %(name)s"))
    return ", ".join([*cards, taker])


def laid(look: Look, seat: int, card: str) -> str:
    """A card and who laid it."""
    return look.words.gettext("%(name)s: %(card)s") % {"name": look.label(seat), "card": card}


def scores(reader: Reader, match: Match) -> str:
    """The score as a row."""
    return row(reader.parts, "s", reader.words.gettext("Score"), score(reader, match))


def score(reader: Reader, match: Match) -> str:
    """Parties won in this manche, and manches won."""
    _ = reader.words.gettext
    parties = ", ".join(f"{reader.labels[seat]} {won}" for seat, won in enumerate(match.score))
    if match.format.manches == 1:
        return parties
    manches = ", ".join(f"{reader.labels[seat]} {won}" for seat, won in enumerate(match.manches))
    return _("manche %(manche)s: %(parties)s; manches won: %(manches)s") % {
        "manche": match.manche,
        "parties": parties,
        "manches": manches,
    }
