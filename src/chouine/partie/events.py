"""The events of a partie. Each seat gets the same events in the same order, redacted by what it may know."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chouine.cards import Card, CardSet, Suit
from chouine.partie.actions import Declaration
from chouine.partie.deal import SeenDeal, SeenHand
from chouine.partie.result import Result


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards are dealt (§3)."""

    dealer: int
    hands: tuple[SeenHand, ...]
    turnup: Card | None
    talon: int
    """Number of hidden talon cards."""


@dataclass(frozen=True, slots=True)
class AuSept:
    """The leader says "au sept" (§11): the holder of the seven may exchange before the lead."""

    seat: int


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A seat takes the turnup and leaves the seven of trumps (§11). `seat` is None if unknown."""

    seat: int | None
    card: Card


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration is made with the card that follows (§9.5); `counts`: the points it adds."""

    seat: int
    declaration: Declaration
    counts: int


@dataclass(frozen=True, slots=True)
class TrumpFixed:
    """A declaration fixed trump (§17)."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class Played:
    """A card is laid (§5)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Shown:
    """A declaration's cards are shown when the trick is complete (§9.5). None: unknown, since a text did not say."""

    seat: int
    declaration: Declaration
    cards: CardSet | None


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick is taken (§6): its cards in the order laid, from `leader`; `points` with dix de der in the last."""

    seat: int
    leader: int
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat draws from the talon (§5). None: a card that the observer may not see."""

    seat: int
    card: Card | None
    turnup: bool = False
    """Whether it was the turnup, which everyone has seen."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The partie is over (§10, §12, §16)."""

    result: Result


Event = Dealt | AuSept | Exchanged | Declared | TrumpFixed | Played | Shown | Taken | Drawn | Ended


def redact(event: Event, observer: int | None) -> Event:
    """The event as a seat may know it (§14), or as a spectator may (None)."""
    match event:
        case Dealt(hands=hands):
            seen = tuple(
                hand if seat == observer else SeenHand(CardSet(), len(hand))
                for seat, hand in enumerate(hands)
            )
            return replace(event, hands=seen)
        case Drawn(seat=seat, turnup=False) if seat != observer:
            return replace(event, card=None)
        case _:
            return event


def seen_deal(events: tuple[Event, ...]) -> SeenDeal:
    """The deal as far as events reveal it: hands as dealt, and the talon cards whose drawing was seen."""
    dealt = events[0] if events else None
    if not isinstance(dealt, Dealt):
        raise TypeError("what happened in a partie begins with the deal")
    drawn = [event.card for event in events if isinstance(event, Drawn) and not event.turnup]
    talon = (*drawn, *[None] * (dealt.talon - len(drawn)))
    return SeenDeal(dealt.dealer, dealt.hands, dealt.turnup, talon)
