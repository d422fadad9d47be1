"""The full state of a partie: rules, deal, position, events. Nothing else may hold hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

from chouine.errors import IllegalAction
from chouine.partie.actions import Action, Exchange, Play, check, spelled
from chouine.partie.course import position_after, take_action
from chouine.partie.deal import Deal, SeenHand, four_hands, turned
from chouine.partie.events import Dealt, Ended, Event, redact
from chouine.partie.result import Result
from chouine.partie.view import View
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import au_sept, exchanger, legal, legal_for, playable, start
from chouine.rules.position import Position

Act = tuple["State", int, Action, Result | None]
"""An act: the state before it, its seat, and the result if it ended the partie."""


class History:
    """The events of a partie, computed when first asked for."""

    __slots__ = ("act", "cached")

    def __init__(self, cached: tuple[Event, ...], act: Act | None = None) -> None:
        """Store the events, or the act from which they can be computed."""
        self.cached, self.act = cached, act

    @property
    def events(self) -> tuple[Event, ...]:
        history, pending = self, []
        while act := history.act:
            pending.append((history, act))
            history = act[0].history
        events = history.cached
        for history, act in reversed(pending):
            events += happened(act, events)
            # In this order, so that another thread finds the act or the events. Earlier states are released.
            history.cached, history.act = events, None
        return events

    def __eq__(self, other: object) -> bool:
        return self.events == other.events if isinstance(other, History) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.events)

    def __repr__(self) -> str:
        return repr(self.events)


def lays_playable(book: Book, p: Position, seat: int, action: Action) -> bool:
    """Whether the seat on turn lays a card it may, alone: sooner seen than by `check`."""
    if seat != p.turn or not isinstance(action, Play) or action.declaration is not None:
        return False
    return playable(book, p) >> action.card & 1 == 1


def happened(act: Act, past: tuple[Event, ...]) -> tuple[Event, ...]:
    """All events up to an act."""
    before, seat, action, result = act
    _, events = take_action(before.book, before.deal.drawing_order, past, before.position, seat, action)
    return (*events, Ended(result)) if result else events


class State(NamedTuple):
    """A partie at one moment, immutable.

    >>> from random import Random
    >>> state = State.new(Rules(), Deal.random(Rules(), dealer=0, rng=Random(1)))
    >>> state.play(state.legal()[0]).position.table > 0
    True
    """

    rules: Rules
    book: Book
    deal: Deal
    position: Position
    history: History
    result: Result | None
    """None while the partie goes on."""

    @classmethod
    def new(cls, rules: Rules, deal: Deal) -> Self:
        """The state after the deal. Raises `InvalidDeal` if these rules cannot produce it."""
        deal.check(rules)
        book = book_of(rules)
        position = start(book, four_hands(deal.hands), turned(deal.turnup), deal.dealer)
        hands = tuple(SeenHand(hand, 0) for hand in deal.hands)
        dealt = Dealt(deal.dealer, hands, deal.turnup, len(deal.talon))
        return cls(rules, book, deal, position, History((dealt,)), None)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events from the deal on."""
        return self.history.events

    @property
    def turn(self) -> int | None:
        """The seat to play a card, None when the partie is over."""
        return None if self.result or self.position.turn < 0 else self.position.turn

    def legal(self, seat: int | None = None) -> tuple[Action, ...]:
        """The legal acts of a seat, or of all seats, sorted by text."""
        if self.result:
            return ()
        book, p = self.book, self.position
        return spelled(book, legal(book, p) if seat is None else legal_for(book, p, seat))

    def next_act(self, ask: Callable[[int], Action | None]) -> tuple[int, Action | None]:
        """The next act and its seat: an exchange at "au sept" (§11), else that of the seat on turn.

        `ask` gives a seat's decision, None to let "au sept" pass.
        """
        turn = self.position.turn
        if au_sept(self.book, self.position):
            for seat in range(self.rules.seats):
                action = ask(seat) if seat != turn else None
                if action is not None:
                    return seat, action
        return turn, ask(turn)

    def play(self, action: Action, seat: int | None = None) -> Self:
        """The state after an act, by this seat or else by the seat that may do it. Raises `IllegalAction`."""
        rules, book, deal, p, _, result = self
        if seat is None:
            seat = exchanger(book, p) if isinstance(action, Exchange) else p.turn
            seat = p.turn if seat < 0 else seat
        if result or not lays_playable(book, p, seat, action):
            check(book, p._replace(turn=-1) if result else p, seat, action)
        after = position_after(book, deal.drawing_order, p, seat, action)
        if after.turn < 0:
            result = Result.played(rules, book, after)
        return type(self)(rules, book, deal, after, History((), (self, seat, action, result)), result)

    def ended(self, result: Result) -> Self:
        """The state with the result as its last event."""
        return self._replace(history=History((*self.events, Ended(result))), result=result)

    def concede(self, seat: int) -> Self:
        """The state after a seat concedes the partie (§16). Raises `IllegalAction` once it is over (§12)."""
        if self.result:
            raise IllegalAction("concede", "illegal/over")
        return self.ended(Result.stopped(self.book, self.position, "concede", seat))

    def view(self, observer: int | None) -> View:
        """The knowledge of a seat, or of a spectator (None)."""
        return View(self.rules, observer, tuple(redact(event, observer) for event in self.events))
