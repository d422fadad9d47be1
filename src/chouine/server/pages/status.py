"""What a player may ask for at any moment with one key, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from chouine.partie import Taken
from chouine.server.pages.look import Look
from chouine.server.pages.parts import Parts, parts_of


def status(look: Look) -> Markup:
    """Hand, trump, talon, last trick, score: each a key, what it asks, and the answer."""
    _, parts = look.words.gettext, parts_of(look.words.language)
    partie = of_partie(look, parts) if look.told is not None else ()
    return Markup("".join((*partie, parts.row("s", _("Score"), score(look)))))  # noqa: S704  # rows


def of_partie(look: Look, parts: Parts) -> Iterator[Markup]:
    """What a partie in progress has to tell."""
    scene, words, _ = look.scene, look.words, look.words.gettext
    own = look.observer is not None and not look.curtain
    if own:
        yield parts.private_row("h", _("Your hand"), ", ".join(map(words.card, look.hand)) or _("no card"))
    yield parts.row("a", _("Trumps"), _("no trumps yet") if scene.trump is None else words.suit(scene.trump))
    cards = words.ngettext("%(num)s card", "%(num)s cards", scene.talon) % {"num": scene.talon}
    turnup = "" if scene.turnup is None else _(", the turnup is %(card)s") % {"card": words.the(scene.turnup)}
    yield parts.row("t", _("Talon"), cards + turnup)
    if look.visit.settings.recall and own:
        unseen = ", ".join(map(words.card, look.partie.unseen)) or _("none")
        yield parts.private_row("u", _("Cards not seen"), unseen)
    yield parts.row("l", _("Last trick"), _("none yet") if scene.last is None else trick(look, scene.last))


def trick(look: Look, taken: Taken) -> str:
    """A trick's cards in the order laid, and who took it."""
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


def score(look: Look) -> str:
    """Parties won in this manche, and manches won."""
    match, _ = look.room.match, look.words.gettext
    parties = ", ".join(f"{look.label(seat)} {won}" for seat, won in enumerate(match.score))
    if match.format.manches == 1:
        return parties
    manches = ", ".join(f"{look.label(seat)} {won}" for seat, won in enumerate(match.manches))
    return _("manche %(manche)s: %(parties)s; manches won: %(manches)s") % {
        "manche": match.manche,
        "parties": parties,
        "manches": manches,
    }
