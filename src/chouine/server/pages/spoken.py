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
    words, _ = look.words, look.words.gettext
    match event:
        case Dealt():
            yield from dealt(look, event)
        case Declared(seat, declaration):
            yield _("%(name)s: “%(said)s”") % {"name": look.name(seat), "said": words.said(declaration)}
        case TrumpFixed(suit):
            yield _("Trumps are %(suit)s.") % {"suit": words.suit(suit)}
        case Played(seat, card):
            yield by(look, seat, _("You play %(card)s."), _("%(name)s plays %(card)s."), card)
        case Shown(seat, declaration, cards) if cards is not None:
            shown = ", ".join(words.card(card) for card in cards)
            yield _("%(name)s shows %(cards)s.") % {"name": look.name(seat), "cards": shown}
        case Taken(seat):
            yield by(look, seat, _("You take the trick."), _("%(name)s takes the trick."))
        case Drawn(seat, card, turnup) if turnup and card is not None:
            yield by(
                look,
                seat,
                _("You draw the turnup, %(card)s."),
                _("%(name)s draws the turnup, %(card)s."),
                card,
            )
        case Drawn(seat, card) if card is not None and not look.curtain:
            yield _("You draw %(card)s.") % {"card": words.the(card)}
        case AuSept(seat):
            yield by(look, seat, _("You say “Au sept”."), _("%(name)s says: “Au sept”."))
        case Exchanged():
            yield exchanged(look, event)
        case Ended(result):
            yield ended(look, result)
        case _:
            pass


def by(look: Look, seat: int, own: str, others: str, card: Card | None = None) -> str:
    """A sentence about the observer or about somebody else."""
    data = {"name": look.name(seat), "card": "" if card is None else look.words.the(card)}
    return (own if seat == look.observer else others) % data


def dealt(look: Look, event: Dealt) -> Iterator[str]:
    """Who deals, what is turned up, what one has."""
    words, _ = look.words, look.words.gettext
    yield by(look, event.dealer, _("You deal."), _("%(name)s deals."))
    if event.turnup is not None:
        yield _("The turnup is %(card)s.") % {"card": words.the(event.turnup)}
    if look.observer is not None and not look.curtain:
        hand = arranged(event.hands[look.observer].known)
        yield _("Your hand: %(cards)s.") % {"cards": ", ".join(map(words.card, hand))}


def exchanged(look: Look, event: Exchanged) -> str:
    """The seven given for the turnup (§11)."""
    words, _ = look.words, look.words.gettext
    seven = words.the(Card(8 * event.card.suit))
    data = {
        "seven": seven,
        "card": words.the(event.card),
        "name": "" if event.seat is None else look.name(event.seat),
    }
    if event.seat == look.observer:
        return _("You exchange %(seven)s for %(card)s.") % data
    return _("%(name)s exchanges %(seven)s for %(card)s.") % data


def ended(look: Look, result: Result) -> str:
    """How the partie ended (§10, §12, §16)."""
    _ = look.words.gettext
    if result.winner is None:
        return _("Nobody wins the partie.")
    if result.by == "chouine":
        return by(
            look, result.winner, _("Chouine! You win the partie."), _("Chouine! %(name)s wins the partie.")
        )
    return by(look, result.winner, _("You win the partie."), _("%(name)s wins the partie."))
