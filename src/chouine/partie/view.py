"""A seat's knowledge with perfect recall, a fold of its redacted events; and what §14 lets it look at.

Neither has a reference to the full state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

from chouine.cards import ALL_CARDS, PACK, Card, CardSet, Suit
from chouine.errors import check_each, check_seat, check_type
from chouine.partie.actions import Action, spell_actions
from chouine.partie.deal import SEATS, SeenDeal, SeenHand, drawing_order, four_hands, turnup_number
from chouine.partie.events import (
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Shown,
    Taken,
    current_trick,
    fallen_cards,
    first_event,
    seen_deal,
    seen_talon,
)
from chouine.partie.result import Result, points_of
from chouine.rules.options import Rules
from chouine.rules.play import declare, exchange, lay, legal_for, start
from chouine.rules.position import NONE, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

if TYPE_CHECKING:
    from chouine.phrases import Language


class SeenPosition(NamedTuple):
    """What is seen of a partie at one moment, as far as the cards are known."""

    rules: Rules
    p: Position
    hands: list[SeenHand]
    table: list[Card]
    """The trick."""
    talon: int
    """Its number of cards, the turnup included."""
    result: Result | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points."""
        return self.result.points if self.result else points_of(rule_table_of(self.rules), self.p)

    def __str__(self) -> str:
        """The rules; a line a seat with its hand (♠.♥.♦.♣) and points, `>` before the one on turn; the trick."""
        p, result = self.p, self.result
        trump = Suit(p.trump).symbol if p.trump >= 0 else "none yet"
        head = [str(self.rules), f"trump {trump}", f"talon {self.talon}"]
        head += [f"turnup {PACK[p.turnup]}"] if p.turnup >= 0 and self.talon else []
        width = max(len(str(hand)) for hand in self.hands)
        lines = [
            f"{'>' if seat == p.turn and not result else ' '} {SEATS[seat]}  {hand!s:{width}}  {points:3} points"
            for seat, (hand, points) in enumerate(zip(self.hands, self.points, strict=True))
        ]
        trick = " ".join(map(str, self.table)) or "none yet"
        end = f"{result.text} ({result.by})" if result else f"trick: {trick}"
        return "\n".join([" · ".join(head), *lines, end])


@dataclass(frozen=True, slots=True)
class View:
    """A seat's knowledge, or a spectator's (`observer` None)."""

    rules: Rules
    observer: int | None
    events: tuple[Event, ...]
    position: Position = field(init=False, compare=False)
    """The rules' position without unknown cards: other hands contain only cards known to be there."""

    def __post_init__(self) -> None:
        check_type("rules", self.rules, Rules, "Rules, such as Rules.parse('classic')")
        if self.observer is not None:
            check_seat("observer", self.observer, self.rules.seats)
        check_type("events", self.events, tuple, "a tuple of what happened, the deal first")
        object.__setattr__(self, "position", fold(self.rules, self.events))

    def then(self, news: Sequence[Event]) -> View:
        """The view after further events; the position is continued and not folded anew."""
        check_each("news", news, Event, "a tuple of what happened since")
        after = object.__new__(View)
        events = (*self.events, *news)
        position = go_on(self.rule_table, self.position, events, len(self.events))
        put_in = object.__setattr__
        put_in(after, "rules", self.rules)
        put_in(after, "observer", self.observer)
        put_in(after, "events", events)
        put_in(after, "position", position)
        return after

    @property
    def rule_table(self) -> RuleTable:
        return rule_table_of(self.rules)

    @property
    def deal(self) -> SeenDeal:
        """The deal as far as known now, own draws included."""
        return seen_deal(self.events)

    @property
    def hand(self) -> CardSet:
        """One's own cards; none for a spectator."""
        return CardSet() if self.observer is None else CardSet(self.position.hands[self.observer])

    @property
    def turn(self) -> int | None:
        """The seat to play a card, None when the partie is over."""
        return None if self.result or self.position.turn < 0 else self.position.turn

    @property
    def legal(self) -> tuple[Action, ...]:
        """The seat's legal acts, sorted by text; empty if it may not act."""
        if self.observer is None or self.result:
            return ()
        return spell_actions(self.rule_table, legal_for(self.rule_table, self.position, self.observer))

    @property
    def trump(self) -> Suit | None:
        return Suit(self.position.trump) if self.position.trump >= 0 else None

    @property
    def turnup(self) -> Card | None:
        """The card lying face up by the talon."""
        return PACK[self.position.turnup] if self.position.turnup >= 0 else None

    @property
    def talon(self) -> int:
        """Cards left in the talon, the turnup included (§3)."""
        drawn = sum(isinstance(event, Drawn) for event in self.events)
        return self.rule_table.hidden + self.rule_table.turned - drawn

    @property
    def table(self) -> tuple[Played, ...]:
        """The trick in progress, in the order laid."""
        return tuple(event for event in current_trick(self.events) if isinstance(event, Played))

    @property
    def tricks(self) -> tuple[Taken, ...]:
        """Every trick taken, in order."""
        return tuple(event for event in self.events if isinstance(event, Taken))

    @property
    def said(self) -> tuple[Declared, ...]:
        """Every declaration made, in order."""
        return tuple(event for event in self.events if isinstance(event, Declared))

    @property
    def points(self) -> tuple[int, ...]:
        """Every seat's present points, which perfect recall can count."""
        return points_of(self.rule_table, self.position)

    @property
    def result(self) -> Result | None:
        """None while the partie goes on."""
        last = self.events[-1]
        return last.result if isinstance(last, Ended) else None

    @property
    def unseen(self) -> CardSet:
        """Cards in unknown places: in the talon or in a hand, but not known to be in one."""
        located = fallen_cards(self.events)
        for hand in self.position.hands:
            located |= hand
        if self.position.turnup >= 0:
            located |= 1 << self.position.turnup
        return CardSet(ALL_CARDS & ~located)

    def __str__(self) -> str:
        """What the seat knows, as lines of text."""
        return str(self.seen_position)

    def svg(self, language: Language = "en", text: str = "") -> str:
        """A drawing of what the seat knows, an SVG with its own hand nearest; notebooks show it.

        `text` is said to whoever does not see it (default: `str`); the language is that of the letters on the cards.
        """
        from chouine.partie.picture import draw_position

        check_type("text", text, str, "a text")
        return draw_position(
            self.seen_position, text=text or str(self), near=self.observer or 0, language=language
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def seen_position(self) -> SeenPosition:
        """What its text and its drawing show."""
        hands = [self.held(seat) for seat in range(self.rules.seats)]
        table = [played.card for played in self.table]
        return SeenPosition(self.rules, self.position, hands, table, self.talon, self.result)

    def held(self, seat: int) -> SeenHand:
        """A seat's hand as far as known."""
        check_seat("seat", seat, self.rules.seats)
        known = CardSet(self.position.hands[seat])
        drawn = sum(isinstance(event, Drawn) and event.seat == seat for event in self.events)
        laid = sum(isinstance(event, Played) and event.seat == seat for event in self.events)
        return SeenHand(known, self.rule_table.hand + drawn - laid - len(known))


def fold(rules: Rules, events: Sequence[Event]) -> Position:
    """The position after these events."""
    rule_table = rule_table_of(rules)
    deal = first_event(tuple(events))
    p = start(
        rule_table, four_hands([hand.known for hand in deal.hands]), turnup_number(deal.turnup), deal.dealer
    )
    return go_on(rule_table, p, tuple(events), 1)


def go_on(rule_table: RuleTable, p: Position, events: tuple[Event, ...], known: int) -> Position:
    """The position after all events, from the one after the first event."""
    talon: tuple[int, ...] = ()
    for place, event in enumerate(events[known:], known):
        match event:
            case Declared(declaration=declaration):
                p = declare(rule_table, p, declaration)
            case Played(card=card):
                if (
                    not talon and (p.turn + 1) % rule_table.seats == p.leader
                ):  # the trick is full, and cards are drawn
                    talon = drawing_order(seen_talon(events))
                p = lay(rule_table, talon, p, card)
            case Exchanged(seat=seat):
                p = exchange(p, NONE if seat is None else seat)
            case Shown(seat=seat, cards=cards) if cards is not None:
                held = cards.mask & ~fallen_cards(events[:place])
                p = p._replace(hands=put(p.hands, seat, p.hands[seat] | held))
            case _:
                pass
    return p


@dataclass(frozen=True, slots=True)
class AllowedView:
    """What §14 lets a player look at, less than perfect recall: the default of screens.

    One's own tricks, the last trick of each other seat, and points that may be counted.
    """

    observer: int | None
    turn: int | None
    hand: CardSet
    legal: tuple[Action, ...]
    trump: Suit | None
    turnup: Card | None
    talon: int
    table: tuple[Played, ...]
    said: tuple[Declared, ...]
    own_tricks: tuple[Taken, ...]
    last_tricks: tuple[Taken | None, ...]
    """The last trick each seat has taken."""
    declared: tuple[int, ...]
    """Declaration points of every seat, which are public."""
    own_points: int | None
    """Points of one's own cards and declarations; None for a spectator."""

    @classmethod
    def of(cls, view: View) -> Self:
        """The screen of a view."""
        observer, p = view.observer, view.position
        tricks = view.tricks
        return cls(
            observer=observer,
            turn=view.turn,
            hand=view.hand,
            legal=view.legal,
            trump=view.trump,
            turnup=view.turnup,
            talon=view.talon,
            table=view.table,
            said=view.said,
            own_tricks=tuple(trick for trick in tricks if trick.seat == observer),
            last_tricks=tuple(
                next((trick for trick in reversed(tricks) if trick.seat == seat), None)
                for seat in range(view.rules.seats)
            ),
            declared=p.declared[: view.rules.seats],
            own_points=None if observer is None else view.points[observer],
        )
