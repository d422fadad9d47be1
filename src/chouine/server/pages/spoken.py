"""What has happened, in sentences for who listens: each observer hears only what it was told.

Behind the curtain nobody hears of a hand: another may be listening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chouine.cards import Card
from chouine.notation.french import arranged
from chouine.partie import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Result,
    Shown,
    Taken,
    TrumpFixed,
)

if TYPE_CHECKING:
    from chouine.server.pages.look import Look


def sentences(look: Look, events: Iterable[Event]) -> tuple[str, ...]:
    """The events told in order."""
    return tuple(sentence for event in events for sentence in told(look, event))


def told(look: Look, event: Event) -> Iterator[str]:
    """One event; nothing for a draw that was not seen."""
    match event:
        case Dealt():
            yield from dealt(look, event)
        case Declared() | Shown() | TrumpFixed() | AuSept():
            yield from declared(look, event)
        case Played() | Taken() | Drawn():
            yield from moved(look, event)
        case Exchanged(seat, card) if seat is not None:
            yield exchanged(look, seat, card)
        case Ended(result):
            yield ended(look, result)


def dealt(look: Look, event: Dealt) -> Iterator[str]:
    """Who deals, what is turned up, what one has."""
    words, _ = look.words, look.words.gettext
    yield look.about(event.dealer, _("You deal."), _("%(name)s deals."))
    if event.turnup is not None:
        yield _("The turnup is %(card)s.") % {"card": words.the(event.turnup)}
    if look.observer is not None and not look.curtain:
        hand = arranged(event.hands[look.observer].known)
        yield _("Your hand: %(cards)s.") % {"cards": ", ".join(map(words.card, hand))}


def declared(look: Look, event: Declared | Shown | TrumpFixed | AuSept) -> Iterator[str]:
    """What is said, and what is laid open for it (§9, §11, §17)."""
    words, _ = look.words, look.words.gettext
    match event:
        case Declared(seat, declaration):
            yield _("%(name)s: “%(said)s”") % {"name": look.label(seat), "said": words.said(declaration)}
        case Shown(seat, cards=cards) if cards is not None:
            shown = ", ".join(map(words.card, cards))
            yield look.about(seat, _("You show %(cards)s."), _("%(name)s shows %(cards)s."), cards=shown)
        case TrumpFixed(suit):
            yield _("Trumps are %(suit)s.") % {"suit": words.suit(suit)}
        case AuSept(seat):
            yield look.about(seat, _("You say “Au sept”."), _("%(name)s says: “Au sept”."))


def moved(look: Look, event: Played | Taken | Drawn) -> Iterator[str]:
    """Where a card went."""
    words, _ = look.words, look.words.gettext
    match event:
        case Played(seat, card):
            played = _("You play %(card)s."), _("%(name)s plays %(card)s.")
            yield look.about(seat, *played, card=words.the(card))
        case Taken(seat):
            yield look.about(seat, _("You take the trick."), _("%(name)s takes the trick."))
        case Drawn(seat, card, turnup) if turnup and card is not None:
            drawn = _("You draw the turnup, %(card)s."), _("%(name)s draws the turnup, %(card)s.")
            yield look.about(seat, *drawn, card=words.the(card))
        case Drawn(seat, card) if card is not None and not look.curtain:
            yield look.about(
                seat, _("You draw %(card)s."), _("%(name)s draws %(card)s."), card=words.the(card)
            )


def exchanged(look: Look, seat: int, card: Card) -> str:
    """The seven given for the turnup (§11)."""
    words, _ = look.words, look.words.gettext
    return look.about(
        seat,
        _("You exchange %(seven)s for %(card)s."),
        _("%(name)s exchanges %(seven)s for %(card)s."),
        seven=words.the(Card(8 * card.suit)),
        card=words.the(card),
    )


def ended(look: Look, result: Result) -> str:
    """How the partie ended (§10, §12, §16)."""
    _ = look.words.gettext
    if result.winner is None:
        return _("Nobody wins the partie.")
    if result.by == "chouine":
        won = _("Chouine! You win the partie."), _("Chouine! %(name)s wins the partie.")
    else:
        won = _("You win the partie."), _("%(name)s wins the partie.")
    return look.about(result.winner, *won)
