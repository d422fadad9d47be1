"""The full state of a partie: rules, deal, position, events. Nothing else may hold hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Self

from chouine.errors import IllegalAction, check_seat, check_type
from chouine.partie.actions import Action, Exchange, Play, check, spell_actions
from chouine.partie.deal import Deal, SeenHand, four_hands, turnup_number
from chouine.partie.events import Dealt, Ended, Event, hide_cards, position_after, take_action
from chouine.partie.result import Result
from chouine.partie.view import View
from chouine.plaintext import repr_of
from chouine.rules.options import Rules
from chouine.rules.play import au_sept, beats, exchanger, lay, legal, legal_for, playable, start
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable, rule_table_of

if TYPE_CHECKING:
    from chouine.phrases import Language


Step = tuple["State", int, Action, Result | None]
"""An act: the state before it, its seat, and the result if it ended the partie."""


class EventHistory:
    """The events of a partie, computed when first asked for."""

    __slots__ = ("act", "cached")

    def __init__(self, cached: tuple[Event, ...], act: Step | None = None) -> None:
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
            events += events_after(act, events)
            # In this order, so that another thread finds the act or the events. Earlier states are released.
            history.cached, history.act = events, None
        return events

    def __eq__(self, other: object) -> bool:
        return self.events == other.events if isinstance(other, EventHistory) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.events)

    def __repr__(self) -> str:
        return repr(self.events)


def events_after(act: Step, past: tuple[Event, ...]) -> tuple[Event, ...]:
    """All events up to an act."""
    before, seat, action, result = act
    _, events = take_action(before.rule_table, before.deal.drawing_order, past, before.position, seat, action)
    return (*events, Ended(result)) if result else events


class State(NamedTuple):
    """A partie at one moment, immutable.

    >>> from random import Random
    >>> state = State.new(Rules(), Deal.random(Rules(), dealer=0, rng=Random(1)))
    >>> state.play(state.legal()[0]).position.table > 0
    True
    """

    rules: Rules
    rule_table: RuleTable
    deal: Deal
    position: Position
    history: EventHistory
    result: Result | None
    """None while the partie goes on."""

    @classmethod
    def new(cls, rules: Rules, deal: Deal) -> Self:
        """The state after the deal. Raises `InvalidDeal` if these rules cannot produce it."""
        check_type("rules", rules, Rules, "Rules, such as Rules.parse('classic')")
        check_type("deal", deal, Deal, "a complete Deal (a record's states are Record.states())")
        deal.check(rules)
        rule_table = rule_table_of(rules)
        position = start(rule_table, four_hands(deal.hands), turnup_number(deal.turnup), deal.dealer)
        hands = tuple([SeenHand(hand, 0) for hand in deal.hands])
        dealt = Dealt(deal.dealer, hands, deal.turnup, len(deal.talon))
        return cls(rules, rule_table, deal, position, EventHistory((dealt,)), None)

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
        rule_table, p = self.rule_table, self.position
        if seat is None:
            return spell_actions(rule_table, legal(rule_table, p))
        check_seat("seat", seat, rule_table.seats)
        return spell_actions(rule_table, legal_for(rule_table, p, seat))

    def next_act(self, ask: Callable[[int], Action | None]) -> tuple[int, Action | None]:
        """The next act and its seat: an exchange at "au sept" (§11), else that of the seat on turn.

        `ask` gives a seat's decision, None to let "au sept" pass.
        """
        if not callable(ask):
            raise TypeError(f"ask is a function of a seat, not {repr_of(ask)}")
        turn = self.position.turn
        if au_sept(self.rule_table, self.position):
            for seat in range(self.rules.seats):
                action = ask(seat) if seat != turn else None
                if action is not None:
                    return seat, action
        return turn, ask(turn)

    def play(self, action: Action, seat: int | None = None) -> Self:
        """The state after an act, by this seat or else by the seat that may do it. Raises `IllegalAction`."""
        rules, rule_table, deal, p, _, result = self
        turn = p.turn
        if seat is None:
            seat = exchanger(rule_table, p) if type(action) is Exchange else turn
            seat = turn if seat < 0 else seat
        else:
            check_seat("seat", seat, rule_table.seats)
        # A card that the seat on turn lays alone, the usual act, is checked and laid without the general way's calls.
        if (
            result is None
            and seat == turn
            and isinstance(action, Play)
            and action.declaration is None
            and playable(rule_table, p) >> action.card & 1
        ):
            after = lay(rule_table, deal.drawing_order, p, action.card)
        else:
            check(rule_table, p._replace(turn=-1) if result else p, seat, action)
            after = position_after(rule_table, deal.drawing_order, p, seat, action)
        if after.turn < 0:
            result = Result.of_position(rules, rule_table, after)
        history = EventHistory((), (self, seat, action, result))
        # Of its tuple, which takes half the time of a call of the class.
        return tuple.__new__(type(self), (rules, rule_table, deal, after, history, result))

    def end(self, result: Result) -> Self:
        """The state with the result as its last event."""
        check_type("result", result, Result, "a Result")
        return self._replace(history=EventHistory((*self.events, Ended(result))), result=result)

    def concede(self, seat: int) -> Self:
        """The state after a seat concedes the partie (§16). Raises `IllegalAction` once it is over (§12)."""
        if self.result:
            raise IllegalAction("concede", "illegal/over")
        check_seat("seat", seat, self.rules.seats)
        return self.end(Result.of_stop(self.rule_table, self.position, "concede", seat))

    def __str__(self) -> str:
        """All hands, as lines of text: for whoever may see everything."""
        return str(self.open_view)

    def svg(self, language: Language = "en") -> str:
        """A drawing of all hands, an SVG; notebooks show it."""
        return self.open_view.svg(language)

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def open_view(self) -> View:
        """All that has happened, with every card, as no seat knows it."""
        return View(self.rules, None, self.events)

    def view(self, observer: int | None) -> View:
        """The knowledge of a seat, or of a spectator (None)."""
        if observer is not None:
            check_seat("observer", observer, self.rules.seats)
        return View(self.rules, observer, tuple(hide_cards(event, observer) for event in self.events))


def fixed_draws(rule_table: RuleTable) -> int:
    """The number of first tricks after which each seat draws cards fixed for it, whoever took the trick."""
    return min(rule_table.drawing, rule_table.hidden // rule_table.seats)


def arrange_draw(state: State, action: Action) -> State:
    """The state with the coming draw reordered for duplicate: a seat draws the same cards whoever takes the tricks.

    The hidden talon is dealt out beforehand: of each trick's draws one card is for each seat. Nobody knows the order of
    these cards in the talon and any is as likely, so putting them into the order in which the seats will draw changes
    no chance and tells nobody anything. What the seats then have drawn is an ordinary deal, which replays as any other.
    A draw that ends with the turnup is left as it lies: that card is known (§5, §11).

    Only an action that completes a trick, and is thus followed by a draw, changes anything.
    """
    p, rule_table = state.position, state.rule_table
    if not isinstance(action, Play) or p.tricks >= fixed_draws(rule_table) or not completes(rule_table, p):
        return state
    taker = p.turn if beats(action.card, p.best, p.trump) else p.taker
    first = p.tricks * rule_table.seats
    talon = state.deal.talon
    own = talon[first : first + rule_table.seats]
    drawn = (*own[taker:], *own[:taker])
    talon = (*talon[:first], *drawn, *talon[first + rule_table.seats :])
    return state._replace(deal=replace(state.deal, talon=talon))


def completes(rule_table: RuleTable, p: Position) -> bool:
    """Whether the next card is the trick's last."""
    return (p.turn + 1) % rule_table.seats == p.leader
