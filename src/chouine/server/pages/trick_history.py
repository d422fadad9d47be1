"""A finished partie trick by trick, with every hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from chouine.cards import Card, CardSet, Rank, Suit
from chouine.notation.lines import actions_of
from chouine.partie import AuSept, Declared, Drawn, Event, Exchanged, Play, Played, State, Taken
from chouine.partie.result import points_of

EventType = TypeVar("EventType")


@dataclass(frozen=True, slots=True)
class TrickRecord:
    """The deal (trick 0), or one trick; the last may be incomplete."""

    trick: int
    leader: int | None
    """None for the deal."""
    hands: tuple[CardSet, ...]
    """Each seat's hand before its card, after any exchange."""
    events: tuple[Event, ...]
    trump: Suit | None
    turnup: Card | None
    """The turnup by the talon when the trick was led."""
    talon: tuple[Card, ...]
    """Hidden talon cards when the trick was led, in drawing order."""
    before: tuple[int, ...]
    after: tuple[int, ...]
    """Every seat's points before and after."""

    @property
    def laid(self) -> tuple[Played, ...]:
        return self.events_of(Played)

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        return self.events_of(Drawn)

    @property
    def taken(self) -> Taken | None:
        """None for the deal, and if a chouine or a concession ended the partie within the trick."""
        return next(iter(self.events_of(Taken)), None)

    def declared_by(self, seat: int) -> tuple[Declared, ...]:
        """The declaration a seat made with its card."""
        return tuple(event for event in self.events_of(Declared) if event.seat == seat)

    def events_of(self, kind: type[EventType]) -> tuple[EventType, ...]:
        """The events of a kind."""
        return tuple(event for event in self.events if isinstance(event, kind))


def trick_history(finished: State) -> list[TrickRecord]:
    """The deal, then every trick in order."""
    lead = state = State.new(finished.rules, finished.deal)
    history = [trick_record(0, lead, lead, {})]
    held: dict[int, CardSet] = {}
    for action in actions_of(finished.events):
        before, state = state, state.play(action)
        if isinstance(action, Play):
            seat = before.position.turn
            held[seat] = CardSet(before.position.hands[seat])
            if not state.position.table:
                history.append(trick_record(len(history), lead, state, held))
                lead, held = state, {}
    if state is not lead:
        history.append(trick_record(len(history), lead, state, held))
    return history


def trick_record(trick: int, lead: State, end: State, held: dict[int, CardSet]) -> TrickRecord:
    """One trick from the lead to its end; `held`: the players' hands."""
    hands = tuple(held.get(seat, CardSet(end.position.hands[seat])) for seat in range(end.rules.seats))
    events = end.events[first_event(lead) : None if end.result else first_event(end)]
    trump = Suit(end.position.trump) if end.position.trump >= 0 else None
    turnup = Card(lead.position.turnup) if lead.position.turnup >= 0 else None
    if trump is not None and any(isinstance(event, Exchanged) for event in events):
        turnup = Card(trump * 8 + Rank.SEVEN)
    return TrickRecord(
        trick=trick,
        leader=lead.position.leader if trick else None,
        hands=hands,
        events=events,
        trump=trump,
        turnup=turnup,
        talon=lead.deal.talon[lead.position.tricks * lead.rules.seats :],
        before=points_of(lead.book, lead.position),
        after=points_of(end.book, end.position),
    )


def first_event(lead: State) -> int:
    """Index of the coming trick's first event, which may be an "au sept" before the lead (§11)."""
    return len(lead.events) - isinstance(lead.events[-1], AuSept)
