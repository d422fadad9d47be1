"""A partie for OpenSpiel: chance nodes deal cards one by one when they are needed; each seat's information is kept.

Chance deals the hands, each in rising order so that a hand arises in one way only, then the turnup. Talon cards are
chosen when they are drawn.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple, Self

from chouine.cards import BRISQUES, PACK, CardSet
from chouine.envs.agent_selection import LET_PASS, actor, choices
from chouine.fast.driver import step_publicly
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.partie.actions import Declaration
from chouine.partie.deal import SEATS
from chouine.rules.combinations import EXCHANGE
from chouine.rules.play import bound_cards, start
from chouine.rules.position import NONE, Four, Position, put
from chouine.rules.rule_table import RuleTable

NOTHING: Four = (0, 0, 0, 0)


class Setting(NamedTuple):
    """The rules' table and the pack, as a set of cards."""

    rule_table: RuleTable
    pack: int


class TimedAction(NamedTuple):
    """An action and when it was done."""

    seat: int
    action: int
    trick: int
    place: int
    """Cards on the table before it."""
    drawn: int
    """Talon cards drawn before it."""


class Partie(NamedTuple):
    """The immutable state of a partie."""

    setting: Setting
    p: Position
    seen: PublicKnowledge = PublicKnowledge(NOTHING, NOTHING, NOTHING)
    let_pass: bool = False
    dealt: tuple[int, ...] = ()
    """Cards dealt: hand after hand, then the turnup."""
    drawn: tuple[int, ...] = ()
    """Talon cards drawn, in order."""
    drawers: tuple[int, ...] = ()
    """The seat that drew each."""
    awaited: int = NONE
    """The card that completes a trick, until the draws after it have been chosen."""
    acts: tuple[TimedAction, ...] = ()
    shown: Four = NOTHING
    """Brisques that each seat has shown for a quinte or trente (§9.5)."""
    barred: Four = NOTHING
    """Cards that each seat cannot hold, given its answers (§8)."""
    information_states: tuple[str, ...] = ()
    """Perfect-recall information states: one for each seat, and the public one last."""

    @classmethod
    def begin(cls, setting: Setting) -> Self:
        """A partie before the deal. The last seat deals, so that the first leads."""
        seats = setting.rule_table.seats
        p = start(setting.rule_table, NOTHING, NONE, seats - 1)
        return cls(setting, p, information_states=(*(f"{seat}:" for seat in SEATS[:seats]), "all:"))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def dealing(self) -> int:
        """The seat that gets the next card; the number of seats if the turnup is next."""
        return len(self.dealt) // self.setting.rule_table.hand

    @property
    def to_deal(self) -> int:
        """Cards still to be dealt before anything is played."""
        rule_table = self.setting.rule_table
        return rule_table.seats * rule_table.hand + rule_table.turned - len(self.dealt)

    @property
    def by_chance(self) -> bool:
        """Whether the next event is a card and not a decision."""
        return self.to_deal > 0 or self.awaited >= 0

    @property
    def undealt(self) -> int:
        """The cards of the talon, in undetermined order."""
        return self.setting.pack & ~sum(1 << card for card in self.dealt + self.drawn)

    @property
    def deciding(self) -> int:
        """The seat whose decision it is, or NONE."""
        return actor(self.setting.rule_table, self.p, self.let_pass)

    @property
    def actions(self) -> int:
        """The legal actions, as a set."""
        return choices(self.setting.rule_table, self.p, self.deciding)

    def outcomes(self) -> list[tuple[int, float]]:
        """The possible next cards with their probabilities."""
        free = self.undealt
        hand = self.setting.rule_table.hand
        if not self.to_deal or self.dealing == self.setting.rule_table.seats:
            return [(card, 1 / free.bit_count()) for card in members(free)]
        in_hand = len(self.dealt) % hand
        if in_hand:
            free &= -2 << self.dealt[-1]
        left, many = hand - in_hand, free.bit_count()
        ways = comb(many, left)
        return [
            (card, comb(many - 1 - nth, left - 1) / ways)
            for nth, card in enumerate(members(free))
            if many - nth >= left
        ]

    def deal_card(self, card: int) -> Self:
        """The state after chance gives a card."""
        if not self.to_deal:
            return self._replace(drawn=(*self.drawn, card)).complete()
        dealt = (*self.dealt, card)
        if self.dealing == self.setting.rule_table.seats:
            p = self.p._replace(turnup=card, trump=card >> 3)
            return self._replace(p=p, dealt=dealt).with_information(f" {PACK[card]}=")
        seat = self.dealing
        p = self.p._replace(hands=put(self.p.hands, seat, self.p.hands[seat] | 1 << card))
        return self._replace(p=p, dealt=dealt).with_information(f" {PACK[card]}", seat)

    def do(self, action: int) -> Self:
        """The state after the deciding seat's action."""
        p, seat = self.p, self.deciding
        place = cards_on(p.table)
        acts = (*self.acts, TimedAction(seat, action, p.tricks, place, len(self.drawn)))
        partie = self._replace(acts=acts)
        if action == LET_PASS:
            return partie._replace(let_pass=True).with_information(" pass", seat)
        partie = partie.with_information(f" {spell_action(seat, action)}")
        if action >= EXCHANGE:
            return partie.step(seat, action)
        partie = partie._replace(
            barred=put(self.barred, seat, self.barred[seat] | excluded_cards(self, action))
        )
        if place + 1 == self.setting.rule_table.seats:
            return partie._replace(awaited=action).complete()
        return partie.step(seat, action)

    def complete(self) -> Self:
        """The state after a complete trick, once its draws have been made."""
        rule_table = self.setting.rule_table
        draws = self.p.tricks < rule_table.drawing and self.p.chouine < 0
        if draws and len(self.drawn) < min((self.p.tricks + 1) * rule_table.seats, rule_table.hidden):
            return self
        partie = self._replace(awaited=NONE).step(self.p.turn, self.awaited).laying_open(self.seen.to_show)
        for place in range(len(self.drawers), len(self.drawn)):
            seat = (partie.p.leader + place) % rule_table.seats
            partie = partie._replace(drawers=(*partie.drawers, seat))
            partie = partie.with_information(f" +{PACK[self.drawn[place]]}", seat)
        return partie

    def step(self, seat: int, action: int) -> Self:
        """The state after a step of the rules, with its information appended."""
        p, seen = step_publicly(self.setting.rule_table, self.drawn, self.p, self.seen, seat, action)
        return self._replace(p=p, seen=seen)

    def laying_open(self, showing: Four) -> Self:
        """The state after the brisques of a quinte or trente are shown; other figures are known by name (§9.5)."""
        partie = self
        for seat, cards in enumerate(showing):
            if cards and not cards & ~BRISQUES:
                partie = partie._replace(shown=put(partie.shown, seat, cards))
                partie = partie.with_information(f" {SEATS[seat]}={CardSet(cards)}")
        return partie

    def with_information(self, text: str, seat: int | None = None) -> Self:
        """The state with a text appended to a seat's information, or to everybody's."""
        return self._replace(
            information_states=tuple(
                before + text if seat is None or seat == each else before
                for each, before in enumerate(self.information_states)
            )
        )


def members(cards: int) -> list[int]:
    return [card for card in range(32) if cards >> card & 1]


def cards_on(table: int) -> int:
    """The number of cards on the table."""
    return (table.bit_length() + 5) // 6


def spell_action(seat: int, action: int) -> str:
    """An action as text; an exchange names its seat, which need not be on turn (§11)."""
    if action == LET_PASS:
        return "pass"
    if action == EXCHANGE:
        return f"{SEATS[seat]}7x"
    return str(PACK[action]) if action < EXCHANGE else f"{Declaration(action)}+"


def excluded_cards(partie: Partie, card: int) -> int:
    """Cards that a seat cannot hold after this answer, since §8 would have obliged it to lay one of them."""
    rule_table, p = partie.setting.rule_table, partie.p
    if p.table == 0 or p.tricks < rule_table.drawing:
        return 0
    others = partie.setting.pack & ~(1 << card)
    return sum(
        1 << other
        for other in members(others)
        if not bound_cards(rule_table, p, 1 << card | 1 << other) >> card & 1
    )
