"""A partie's board as one observer sees it: a fold of the events this observer was told (§14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from chouine.cards import Card, CardSet, Suit
from chouine.partie import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Event,
    Exchanged,
    Played,
    Shown,
    Taken,
    TrumpFixed,
    View,
)

Value = TypeVar("Value")


class SeatBoard(NamedTuple):
    """The board after the last of `view.events`, which may be in the middle of an act.

    `view.position` is already after the whole act: a trick that is still shown here has been taken there.
    """

    view: View
    dealer: int
    hand: CardSet
    """The observer's cards; none for a spectator."""
    sizes: tuple[int, ...]
    """Cards in each hand."""
    talon: int
    """Cards left in the talon, the turnup included."""
    turnup: Card | None
    trump: Suit | None
    taken: tuple[tuple[Taken, ...], ...]
    """Tricks taken, by seat."""
    trick: tuple[Played, ...] = ()
    """The cards on the table, complete or not."""
    said: tuple[Declared, ...] = ()
    """Declarations made with those cards."""
    shown: tuple[Shown, ...] = ()
    """Cards shown for declarations in this trick (§9.5)."""
    exchanged: Exchanged | None = None
    """The exchange made since the last trick was taken (§11)."""
    called: int | None = None
    """The seat that has just said "au sept" (§11)."""
    last: Taken | None = None
    """The last trick taken."""

    @classmethod
    def of(cls, view: View) -> SeatBoard:
        """The board after all events of a view."""
        dealt = view.events[0]
        if not isinstance(dealt, Dealt):
            raise TypeError("a partie begins with its deal")
        board = cls(
            view=view,
            dealer=dealt.dealer,
            hand=CardSet() if view.observer is None else dealt.hands[view.observer].known,
            sizes=tuple(map(len, dealt.hands)),
            talon=dealt.talon + (dealt.turnup is not None),
            turnup=dealt.turnup,
            trump=None if dealt.turnup is None else dealt.turnup.suit,
            taken=((),) * len(dealt.hands),
        )
        return board.after(view.events[1:])

    def then(self, events: tuple[Event, ...]) -> SeatBoard:
        """The board after more events, as its observer was told them."""
        return self._replace(view=self.view.then(events)).after(events)

    def after(self, events: Iterable[Event]) -> SeatBoard:
        board = self
        for event in events:
            board = board._evolve(event)
        return board

    def _evolve(self, event: Event) -> SeatBoard:
        match event:
            case Played() | Drawn() | Exchanged() | Taken():
                return self._move(event)
            case Declared():
                return self._replace(said=(*self.said, event))
            case Shown():
                return self._replace(shown=(*self.shown, event))
            case AuSept(seat):
                return self._replace(called=seat)
            case TrumpFixed(suit):
                return self._replace(trump=suit)
            case _:
                return self

    def _move(self, event: Played | Drawn | Exchanged | Taken) -> SeatBoard:
        """The board after an event that moves cards."""
        own = event.seat is not None and event.seat == self.view.observer
        match event:
            case Played(seat, card):
                hand = self.hand - CardSet([card]) if own else self.hand
                sizes = put(self.sizes, seat, self.sizes[seat] - 1)
                return self._replace(trick=(*self.trick, event), hand=hand, sizes=sizes, called=None)
            case Drawn(seat, card, turnup):
                hand = self.hand | CardSet([card]) if own and card is not None else self.hand
                sizes, lies = put(self.sizes, seat, self.sizes[seat] + 1), None if turnup else self.turnup
                return self._replace(hand=hand, sizes=sizes, talon=self.talon - 1, turnup=lies)
            case Taken(seat):
                taken = put(self.taken, seat, (*self.taken[seat], event))
                return self._replace(taken=taken, last=event, trick=(), said=(), shown=(), exchanged=None)
            case Exchanged(_, card):
                seven = Card(8 * card.suit)
                hand = self.hand - CardSet([seven]) | CardSet([card]) if own else self.hand
                return self._replace(hand=hand, turnup=seven, exchanged=event, called=None)


def put(values: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    """A copy of `values` with `value` at index `at`."""
    return (*values[:at], value, *values[at + 1 :])
