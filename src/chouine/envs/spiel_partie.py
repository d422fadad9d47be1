"""A partie for OpenSpiel: chance nodes deal cards one by one when they are needed; each seat's information is kept.

Chance deals the hands, each in rising order so that a hand arises in one way only, then the turnup. Talon cards are
chosen when they are drawn.

`another_world` samples a world that a seat cannot distinguish from the true one (§14), with its probability under the
deal. Only the seat's information is used: its own cards and public actions. Cards that another seat has shown must have
come to it before; the cards it keeps are uniform among those that its answers allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from typing import NamedTuple, Self

from chouine.cards import ALL_CARDS, BRISQUES, PACK, CardSet
from chouine.envs.encode import LET_PASS, actor, choices
from chouine.fast.driver import step_publicly
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.partie.actions import Declaration
from chouine.partie.deal import SEATS
from chouine.rules.combinations import BRISQUE_FIGURES, EXCHANGE, MARIAGE
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

    def allows(self, action: int) -> bool:
        """Whether this is an action of the deciding seat, or a card that chance may give."""
        if self.by_chance:
            return bool(self.undealt >> action & 1)
        return self.deciding >= 0 and bool(self.actions >> action & 1)

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


Chance = Callable[[], float]
"""A number from 0 to 1."""
AS_DEALT = -1


class World(NamedTuple):
    """The outcomes of chance."""

    hands: list[int]
    """Hands as dealt, by seat."""
    drawn: list[int]


class Sighting(NamedTuple):
    """A card, the seat known to hold it, and the number of talon cards drawn when that became known."""

    card: int
    seat: int
    drawn: int


def world_of(partie: Partie) -> World:
    """The true world, as far as chance has decided it."""
    hand, seats = partie.setting.rule_table.hand, partie.setting.rule_table.seats
    hands = [union(partie.dealt[seat * hand : (seat + 1) * hand]) for seat in range(seats)]
    return World(hands, list(partie.drawn))


def another_world(partie: Partie, seat: int, chance: Chance) -> World:
    """Sample a world with the same information for this seat."""
    world = world_of(partie)
    others = [other for other in range(partie.setting.rule_table.seats) if other != seat]
    seen = sightings(partie, seat)
    places = {other: places_of(partie, other) for other in others}
    hidden = partie.setting.pack & ~known_to(partie, seat) & ~union([sight.card for sight in seen])
    rooms = [len(places[other]) - sum(sight.seat == other for sight in seen) for other in others]
    rooms.append(hidden.bit_count() - sum(rooms))
    barred = [*(cannot_hold(partie, other) for other in others), 0]
    kept = shared_out(shuffle_numbers(members(hidden), chance), rooms, barred, chance)
    for other, cards in zip(others, kept, strict=False):
        own = [sight for sight in seen if sight.seat == other]
        came = origins(places[other], own, cards, chance)
        world.hands[other] = union([card for card, place in came.items() if place == AS_DEALT])
        for card, place in came.items():
            if place != AS_DEALT:
                world.drawn[place] = card
    return world


def union(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def known_to(partie: Partie, seat: int) -> int:
    """The cards whose origin the seat knows: its own, and the turnup."""
    hand, seats = partie.setting.rule_table.hand, partie.setting.rule_table.seats
    drawn = zip(partie.drawn, partie.drawers, strict=False)
    own = [card for card, drawer in drawn if drawer == seat]
    return union([*own, *partie.dealt[seat * hand : (seat + 1) * hand], *partie.dealt[seats * hand :]])


def places_of(partie: Partie, seat: int) -> list[int]:
    """Where a seat's cards came from: a place of the talon, or `AS_DEALT`."""
    hand = partie.setting.rule_table.hand
    dealt = len(partie.dealt[seat * hand : (seat + 1) * hand])
    return [AS_DEALT] * dealt + [place for place, drawer in enumerate(partie.drawers) if drawer == seat]


def sightings(partie: Partie, seat: int) -> list[Sighting]:
    """Cards that others have shown and whose origin the seat does not know, earliest first."""
    known, found = known_to(partie, seat), list[Sighting]()
    for act in partie.acts:
        if act.seat != seat:
            cards = let_see(partie, act) & ~known
            found += [Sighting(card, act.seat, act.drawn) for card in members(cards)]
            known |= cards
    return found


def let_see(partie: Partie, act: TimedAction) -> int:
    """The cards that an action shows to be in its seat's hand: the card laid, or those of a declaration (§9.5)."""
    if act.action < EXCHANGE:
        return 1 << act.action
    if act.action == EXCHANGE:
        return 1 << 8 * partie.p.trump
    if act.action == LET_PASS:
        return 0
    if 1 << act.action & BRISQUE_FIGURES:
        return partie.shown[act.seat]
    return partie.setting.rule_table.figure_cards[act.action - MARIAGE]


def cannot_hold(partie: Partie, seat: int) -> int:
    """Cards that a seat cannot hold: by its answers (§8), or because a quinte or trente shows all of its brisques."""
    said = any(act.seat == seat and 1 << act.action & BRISQUE_FIGURES for act in partie.acts)
    others = ALL_CARDS & ~BRISQUES if said and not partie.shown[seat] else 0
    return partie.barred[seat] | others


def origins(places: list[int], seen: list[Sighting], kept: list[int], chance: Chance) -> dict[int, int]:
    """Assign an origin to each sighted card, uniformly over all assignments."""
    free, came = list(places), dict[int, int]()
    for sight in seen:
        place = any_of([place for place in free if place < sight.drawn], chance)
        free.remove(place)
        came[sight.card] = place
    return came | dict(zip(kept, shuffle_numbers(free, chance), strict=True))


def shuffle_numbers(numbers: list[int], chance: Chance) -> list[int]:
    return [number for _, number in sorted((chance(), number) for number in numbers)]


def any_of(numbers: list[int], chance: Chance) -> int:
    return numbers[min(int(chance() * len(numbers)), len(numbers) - 1)]


def with_one_less(left: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*left[:seat], left[seat] - 1, *left[seat + 1 :])


def shared_out(cards: list[int], rooms: list[int], barred: list[int], chance: Chance) -> list[list[int]]:
    """Deal the cards to seats with room, uniformly over the assignments that no bar excludes."""

    @cache
    def ways(nth: int, left: tuple[int, ...]) -> int:
        if nth == len(cards):
            return 1
        return sum(ways(nth + 1, with_one_less(left, seat)) for seat in open_to(nth, left))

    def open_to(nth: int, left: tuple[int, ...]) -> list[int]:
        return [seat for seat, room in enumerate(left) if room and not barred[seat] >> cards[nth] & 1]

    left = tuple(rooms)
    shares: list[list[int]] = [[] for _ in rooms]
    if not any(barred):
        rest = iter(cards)
        return [[next(rest) for _ in range(room)] for room in rooms]
    for nth, card in enumerate(cards):
        turn = chance() * ways(nth, left)
        seats = open_to(nth, left)
        for seat in seats:
            turn -= ways(nth + 1, with_one_less(left, seat))
            if turn < 0:
                break
        shares[seat].append(card)
        left = with_one_less(left, seat)
    return shares
