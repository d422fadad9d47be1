"""The truth of a partie: rules, deal, position and all that happened. Nothing else may hold it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from chouine.errors import IllegalAction
from chouine.partie.actions import Action, Exchange, check, spelled
from chouine.partie.course import take_action
from chouine.partie.deal import Deal, SeenHand, drawing_order, four_hands, turned
from chouine.partie.events import Dealt, Ended, Event, redact
from chouine.partie.result import Result
from chouine.partie.view import View
from chouine.rules.book import Book, book_of
from chouine.rules.options import Rules
from chouine.rules.play import exchanger, legal, legal_for, start
from chouine.rules.position import Position


@dataclass(frozen=True, slots=True)
class State:
    """A partie at one moment, immutable.

    >>> from random import Random
    >>> state = State.new(Rules(), Deal.random(Rules(), dealer=0, rng=Random(1)))
    >>> state.play(state.legal()[0]).position.table > 0
    True
    """

    rules: Rules
    deal: Deal
    position: Position
    events: tuple[Event, ...]
    result: Result | None = None
    """None while the partie goes on."""

    @classmethod
    def new(cls, rules: Rules, deal: Deal) -> Self:
        """The cards dealt and nothing played; `InvalidDeal` if these rules cannot have dealt them."""
        deal.check(rules)
        position = start(book_of(rules), four_hands(deal.hands), turned(deal.turnup), deal.dealer)
        hands = tuple(SeenHand(hand, 0) for hand in deal.hands)
        return cls(rules, deal, position, (Dealt(deal.dealer, hands, deal.turnup, len(deal.talon)),))

    @property
    def book(self) -> Book:
        return book_of(self.rules)

    @property
    def turn(self) -> int | None:
        """The seat to play a card, None when the partie is over."""
        return None if self.result or self.position.turn < 0 else self.position.turn

    def legal(self, seat: int | None = None) -> tuple[Action, ...]:
        """The legal acts of a seat, or of anyone; sorted by text."""
        if self.result:
            return ()
        p, book = self.position, self.book
        return spelled(book, legal(book, p) if seat is None else legal_for(book, p, seat))

    def play(self, action: Action, seat: int | None = None) -> Self:
        """The partie after an act, by the seat named or else by whoever may do it. Raises `IllegalAction`."""
        p, book = self.position, self.book
        if seat is None:
            seat = exchanger(book, p) if isinstance(action, Exchange) else p.turn
            seat = p.turn if seat < 0 else seat
        check(book, p._replace(turn=-1) if self.result else p, seat, action)
        after, happened = take_action(book, drawing_order(self.deal.talon), self.events, p, seat, action)
        state = replace(self, position=after, events=self.events + happened)
        return state.ended(Result.played(self.rules, book, after)) if after.turn < 0 else state

    def ended(self, result: Result) -> Self:
        """The partie with its result told."""
        return replace(self, events=(*self.events, Ended(result)), result=result)

    def concede(self, seat: int) -> Self:
        """A seat gives the partie up (§16); `IllegalAction` once it is over (§12)."""
        if self.result:
            raise IllegalAction("concede", "illegal/over")
        return self.ended(Result.stopped(self.book, self.position, "concede", seat))

    def view(self, observer: int | None) -> View:
        """The knowledge of a seat, or of a spectator (None)."""
        return View(self.rules, observer, tuple(redact(event, observer) for event in self.events))
