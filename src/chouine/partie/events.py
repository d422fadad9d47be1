"""The events of a partie, and how they follow from actions by the rules' steps: here alone.

Each seat gets the same events in the same order, redacted by what it may know. They follow from a seat's partial
knowledge as from the truth: unknown cards and seats are None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from chouine.cards import ALL_CARDS, BRISQUES, PACK, Card, CardSet, Suit
from chouine.errors import check_type, count_of
from chouine.partie.actions import Action, Declaration, Exchange, Figure, Play
from chouine.partie.deal import SeenDeal, SeenHand
from chouine.partie.result import Result
from chouine.rules.combinations import brisques_needed
from chouine.rules.play import au_sept, declare, exchange, lay
from chouine.rules.position import NONE, UNKNOWN, Four, Position, put
from chouine.rules.rule_table import RuleTable


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
    check_type("event", event, get_args(Event), "one of a State's or a View's events")
    if observer is not None:
        observer = count_of("observer", observer, "a seat's number, or None")
    return hide_cards(event, observer)


def hide_cards(event: Event, observer: int | None) -> Event:
    """As `redact`, of an event and a seat that are known to be ones."""
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
    dealt = first_event(events)
    return SeenDeal(dealt.dealer, dealt.hands, dealt.turnup, seen_talon(events))


def first_event(events: tuple[Event, ...]) -> Dealt:
    """The deal, with which every partie begins."""
    dealt = events[0] if events else None
    if not isinstance(dealt, Dealt):
        raise TypeError("what happened in a partie begins with the deal")
    return dealt


def seen_talon(events: tuple[Event, ...]) -> tuple[Card | None, ...]:
    """The hidden talon's cards in drawing order, as far as their drawing was seen."""
    drawn = [event.card for event in events if isinstance(event, Drawn) and not event.turnup]
    return (*drawn, *[None] * (first_event(events).talon - len(drawn)))


Step = tuple[Position, tuple[Event, ...]]


def take_action(
    rule_table: RuleTable,
    talon: Sequence[int],
    past: Sequence[Event],
    p: Position,
    seat: int | None,
    action: Action,
) -> Step:
    """The position after a legal action of `seat`, and the resulting events. `past` must contain the current trick."""
    if isinstance(action, Exchange):
        after = exchange(p, NONE if seat is None else seat)
        return after, (Exchanged(seat, PACK[p.turnup]),)
    said = say(rule_table, p, action)
    middle = said[0]
    after = lay(rule_table, talon, middle, action.card)
    happened: list[Event] = [*said[1], Played(p.turn, action.card)]
    if after.table == 0:
        happened += trick_complete(rule_table, talon, [*past, *happened], middle, after)
    return after, tuple(happened)


def position_after(
    rule_table: RuleTable, talon: Sequence[int], p: Position, seat: int, action: Action
) -> Position:
    """The position after a legal action of `seat`, without its events."""
    if isinstance(action, Exchange):
        return exchange(p, seat)
    if action.declaration is not None:
        p = declare(rule_table, p, action.declaration)
    return lay(rule_table, talon, p, action.card)


def say(rule_table: RuleTable, p: Position, action: Play) -> Step:
    """The declaration, if any, that accompanies a card."""
    if action.declaration is None:
        return p, ()
    after = declare(rule_table, p, action.declaration)
    counts = after.declared[p.turn] - p.declared[p.turn]
    happened: list[Event] = [Declared(p.turn, action.declaration, counts)]
    if after.trump != p.trump:
        happened.append(TrumpFixed(Suit(after.trump)))
    return after, tuple(happened)


def trick_complete(
    rule_table: RuleTable, talon: Sequence[int], past: Sequence[Event], before: Position, after: Position
) -> Iterator[Event]:
    """Events of a complete trick: figures shown, trick taken, cards drawn, "au sept".

    `before` lacks the trick's last card.
    """
    trick = current_trick(past)
    laid = {event.seat: event.card for event in trick if isinstance(event, Played)}
    for event in trick:
        if isinstance(event, Declared):
            held = before.hands[event.seat] | 1 << laid[event.seat]
            yield Shown(event.seat, event.declaration, figure_shown(rule_table, event.declaration, held))
    if after.chouine >= 0:
        return
    taken = after.points[after.leader] - before.points[after.leader]
    yield Taken(after.leader, before.leader, tuple(laid.values()), taken)
    if before.tricks < rule_table.drawing:
        for nth in range(rule_table.seats):
            place = before.tricks * rule_table.seats + nth
            seat = (after.leader + nth) % rule_table.seats
            turnup = place == rule_table.hidden
            card = before.turnup if turnup else talon[place]
            yield Drawn(seat, None if card == UNKNOWN else PACK[card], turnup)
    if au_sept(rule_table, after) and not fallen_cards(past) >> 8 * after.trump & 1:
        yield AuSept(after.leader)


def current_trick(past: Sequence[Event]) -> list[Event]:
    """The events since the last trick was taken, oldest first."""
    trick: list[Event] = []
    for event in reversed(past):
        if isinstance(event, Taken):
            break
        trick.append(event)
    return trick[::-1]


def figure_shown(rule_table: RuleTable, declaration: Declaration, held: int) -> CardSet | None:
    """Cards shown for a declaration; `held`: the declarer's known cards when it was declared."""
    if declaration.figure not in (Figure.QUINTE, Figure.TRENTE):
        return declaration.cards(rule_table)
    brisques = CardSet(held & BRISQUES)
    return brisques if len(brisques) >= brisques_needed(declaration) else None


def taken_by(past: Sequence[Event], seats: int) -> tuple[CardSet, ...]:
    """Cards taken by each seat."""
    tricks = [event for event in past if isinstance(event, Taken)]
    return tuple(
        CardSet(card for trick in tricks if trick.seat == seat for card in trick.cards)
        for seat in range(seats)
    )


def played_by_seat(past: Sequence[Event]) -> Four:
    """The cards each seat has played so far, as sets."""
    cards: Four = (0, 0, 0, 0)
    for event in past:
        if isinstance(event, Played):
            cards = put(cards, event.seat, cards[event.seat] | 1 << event.card)
    return cards


def fallen_cards(past: Sequence[Event]) -> int:
    """The cards played so far, as a set."""
    cards = 0
    for event in past:
        if isinstance(event, Played):
            cards |= 1 << event.card
    return cards & ALL_CARDS
