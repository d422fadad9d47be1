"""The cards of an exercise, as a position of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.cards import Card, CardSet, Suit
from chouine.notation.tokens import read_cards
from chouine.partie.actions import Action, check, spell_actions
from chouine.rules.options import Rules
from chouine.rules.play import beats, lay, legal_for, start
from chouine.rules.position import NONE, Position, put
from chouine.rules.rule_table import rule_table_of


@dataclass(frozen=True, slots=True)
class LessonBoard:
    """What the learner sees; they play after the cards of `trick`."""

    rules: Rules
    hand: CardSet
    trick: tuple[Card, ...] = ()
    """In the order played, the lead first."""
    trump: Suit | None = None
    turnup: Card | None = None
    """Only while it still lies by the talon."""
    tricks: int = 0
    """Tricks completed: from `drawing` on, §8 binds."""
    other: CardSet | None = None
    """The opponent's hand, in exercises with all cards open."""
    points: tuple[int, int] = (0, 0)
    """Points so far of the learner and of the opponent."""

    @property
    def seat(self) -> int:
        """The learner's seat; seat 0 leads."""
        return len(self.trick)

    @property
    def position(self) -> Position:
        """The position for the rules, with the learner on turn."""
        rule_table = rule_table_of(self.rules)
        turnup = NONE if self.turnup is None else int(self.turnup)
        p = start(rule_table, (0, 0, 0, 0), turnup, rule_table.seats - 1)
        hands = p.hands
        for seat, card in enumerate(self.trick):
            hands = put(hands, seat, 1 << card)
        if self.other:
            rival = 1 - self.seat
            hands = put(hands, rival, hands[rival] | self.other.mask)
        mine, theirs = self.points
        points = (theirs, mine, 0, 0) if self.seat == 1 else (mine, theirs, 0, 0)
        p = p._replace(
            hands=put(hands, self.seat, self.hand.mask),
            trump=NONE if self.trump is None else int(self.trump),
            tricks=self.tricks,
            points=points,
        )
        for card in self.trick:
            p = lay(rule_table, (), p, card)
        return p

    @property
    def acts(self) -> tuple[Action, ...]:
        """The learner's legal acts, sorted by text (§7-§11)."""
        rule_table, p = rule_table_of(self.rules), self.position
        return spell_actions(rule_table, legal_for(rule_table, p, self.seat))

    def check(self, act: Action) -> None:
        """Raise `IllegalAction`, which carries the reason, if the learner may not do this."""
        check(rule_table_of(self.rules), self.position, self.seat, act)

    @property
    def talon(self) -> int:
        """Cards left in the talon, the turnup included (§3)."""
        rule_table = rule_table_of(self.rules)
        drawn = min(self.tricks, rule_table.drawing) * rule_table.seats
        return rule_table.hidden + rule_table.turned - drawn if self.tricks < rule_table.drawing else 0


def cards_of(text: str) -> tuple[Card, ...]:
    """The cards of a text such as `As Td 7c`. Raises `NotationError`."""
    read = read_cards("".join(text.split()))
    return tuple(card for card in read if card is not None)


def taker(trick: Sequence[Card], trump: Suit | None) -> int:
    """The place in the trick of the card that takes it (§6)."""
    best = 0
    for place, card in enumerate(trick):
        if place and beats(card, trick[best], NONE if trump is None else int(trump)):
            best = place
    return best
