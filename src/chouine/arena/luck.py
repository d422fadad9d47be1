"""The luck of the cards dealt and drawn, by AIVAT (Burch et al. 2018) with a small value model, to tell skill from it.

A card's luck is the position's value with it, minus the mean value over all cards that could have come. Its
expectation is 0 under any value model, so a score minus its luck is an unbiased estimate of skill; a better model
gives less variance. The model is fixed before the parties are played.

It reads positions with all cards open: a seat's win probability is a softmax of its strength, which is linear in the
cards and figures it holds and in its points; the weights are interpolated from the deal to the empty talon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Self

from chouine.cards import BRISQUES
from chouine.notation.lines import actions_of
from chouine.partie.deal import Deal, turnup_number
from chouine.partie.state import State
from chouine.rules.combinations import BRISQUE_FIGURES, FIGURE_VALUES, MARIAGE, QUARTERON, TIERCE
from chouine.rules.combinations import CHOUINE as CHOUINE_ACTION
from chouine.rules.explain import exists
from chouine.rules.options import Rules
from chouine.rules.play import start, total
from chouine.rules.position import Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

Value = Callable[[Position, int, Sequence[int]], list[list[float]]]
"""A value model: by card that a seat may get, every seat's win probability then. It uses cards that no player sees."""

RANKS = 8
FIGURE, CHOUINE = RANKS, RANKS + 1
SIDE = RANKS + 2
"""Number of weights of a suit: ranks, the points of its best figure, a chouine; first plain, then trumps."""
BRISQUE_COUNTS = 6
"""Number of weights for brisques held while a quinte or trente may still be declared."""
LEAD, POINTS = 2 * SIDE + BRISQUE_COUNTS, 2 * SIDE + BRISQUE_COUNTS + 1
FEATURES = POINTS + 1
POINT = 0.01
"""Scale of points in the features."""

Features = list[tuple[int, float]]
"""Features that are not 0, each with its place among the weights."""


def features(suits: Sequence[Features], p: Position, seat: int) -> Iterator[tuple[int, float]]:
    """The `Features` of a seat's strength. `suits`: the `features_by_suit` of the rules."""
    hand, said = p.hands[seat], p.said[seat]
    for suit in range(4):
        if cards := hand >> 8 * suit & 0xFF:
            first, closed = SIDE if suit == p.trump else 0, said & figures_of(suit) != 0
            for nth, value in suits[closed << 8 | cards]:
                yield first + nth, value
    if not said & BRISQUE_FIGURES:
        yield 2 * SIDE + min((hand & BRISQUES).bit_count(), BRISQUE_COUNTS - 1), 1.0
    if p.leader == seat:
        yield LEAD, 1.0
    yield POINTS, POINT * total(p, seat)


@cache
def figures_by_suit(rule_table: RuleTable) -> tuple[tuple[int, int], ...]:
    """Combinations of a suit that exist under these rules, best first: a mask of eight cards, and its points (§9)."""
    known = [figure for figure in (QUARTERON, TIERCE, MARIAGE) if exists(rule_table, figure)]
    return tuple(
        (rule_table.figure_cards[figure - MARIAGE], FIGURE_VALUES[figure - MARIAGE]) for figure in known
    )


def features_by_suit(rule_table: RuleTable) -> list[Features]:
    """`suit_features` of every set of a suit's cards, then of each once a figure of the suit was declared."""
    return [
        suit_features(rule_table, cards, closed=closed) for closed in (False, True) for cards in range(256)
    ]


def suit_features(rule_table: RuleTable, cards: int, *, closed: bool) -> Features:
    """Features of the cards of a suit: ranks, the best figure unless one was declared (§9.4), a chouine."""
    held = [(rank, 1.0) for rank in range(RANKS) if cards >> rank & 1]
    for figure, counts in figures_by_suit(rule_table):
        if cards & figure == figure and not closed:
            held.append((FIGURE, POINT * counts))
            break
    chouine = rule_table.figure_cards[CHOUINE_ACTION - MARIAGE]
    if cards & chouine == chouine:
        held.append((CHOUINE, 1.0))
    return held


def figures_of(suit: int) -> int:
    """The mariage, tierce and quarteron of a suit, as actions."""
    return (1 << MARIAGE | 1 << TIERCE | 1 << QUARTERON) << suit


class LinearValue:
    """The model's weights at the deal and at the empty talon."""

    def __init__(self, rule_table: RuleTable, first: Sequence[float], last: Sequence[float]) -> None:
        self.rule_table, self.suits = rule_table, features_by_suit(rule_table)
        shares = [tricks / rule_table.drawing for tricks in range(rule_table.drawing + 1)]
        self.weights = [
            [(1 - done) * one + done * other for one, other in zip(first, last, strict=True)]
            for done in shares
        ]

    @classmethod
    @cache
    def of(cls, rules: Rules) -> Self:
        """The weights fitted for a preset (`python -m chouine.arena.fitting`)."""
        weights = json.loads(files("chouine.arena").joinpath("value.json").read_text(encoding="utf-8"))
        return cls(rule_table_of(rules), *weights[rules.preset])

    def __call__(self, p: Position, seat: int, cards: Sequence[int]) -> list[list[float]]:
        strengths, chances = [self.strength(p, each) for each in range(self.rule_table.seats)], []
        for card in cards:
            strengths[seat] = self.strength(with_card(p, seat, card), seat)
            chances.append(softmax(strengths))
        return chances

    def strength(self, p: Position, seat: int) -> float:
        """A seat's strength."""
        weights = self.weights[min(p.tricks, self.rule_table.drawing)]
        return sum([weights[place] * value for place, value in features(self.suits, p, seat)])


def softmax(strengths: Sequence[float]) -> list[float]:
    top = max(strengths)
    powers = [exp(strength - top) for strength in strengths]
    total_power = sum(powers)
    return [power / total_power for power in powers]


Coming = tuple[Position, int, int, Sequence[int]]
"""A position before a card is dealt or drawn, the seat that gets it, the card, and all cards it could have been."""


def luck(state: State, value: Value) -> list[float]:
    """By seat, the change in win probability caused by the cards dealt and drawn; the sum over the seats is 0."""
    return [dealt + drawn for dealt, drawn in zip(*luck_by_source(state, value), strict=True)]


def luck_by_source(state: State, value: Value) -> tuple[list[float], list[float]]:
    """`luck` in two parts, each by seat: by the cards dealt, and by the cards drawn."""
    seats, in_deal = range(state.rules.seats), state.rules.seats * state.rule_table.hand
    sources = [0.0 for _ in seats], [0.0 for _ in seats]
    for nth, (p, seat, card, cards) in enumerate(cards_coming(state)):
        lucky = sources[nth >= in_deal]
        values = value(p, seat, cards)
        came = values[cards.index(card)]
        for each in seats:
            lucky[each] += came[each] - sum(chances[each] for chances in values) / len(values)
    return sources


def cards_coming(state: State) -> Iterator[Coming]:
    """Every card dealt or drawn in a partie, dealt ones first."""
    rule_table, talon = state.rule_table, state.deal.drawing_order
    yield from dealing_chances(rule_table, state.deal)
    here = State.new(state.rules, state.deal)
    for action in actions_of(state.events):
        tricks, here = here.position.tricks, here.play(action)
        if tricks < min(here.position.tricks, rule_table.drawing):
            yield from draw_chances(rule_table, talon, tricks, here.position)


def dealing_chances(rule_table: RuleTable, deal: Deal) -> Iterator[Coming]:
    """The cards of the hands in dealing order, with the turnup known."""
    p = start(rule_table, (0, 0, 0, 0), turnup_number(deal.turnup), deal.dealer)
    hands = [list(map(int, hand)) for hand in deal.hands]
    left = [card for card in range(32) if card != deal.turnup]
    for nth in range(rule_table.hand):
        for seat in range(rule_table.seats):
            card = hands[seat][nth]
            yield p, seat, card, tuple(left)
            left.remove(card)
            p = with_card(p, seat, card)


def draw_chances(rule_table: RuleTable, talon: Sequence[int], tricks: int, p: Position) -> Iterator[Coming]:
    """The hidden cards drawn after a trick that `p.leader` took (§5), without the talon's last, which is certain."""
    places = range(tricks * rule_table.seats, min((tricks + 1) * rule_table.seats, rule_table.hidden))
    drawn = [((p.leader + nth) % rule_table.seats, place) for nth, place in enumerate(places)]
    for seat, place in drawn:
        p = p._replace(hands=put(p.hands, seat, p.hands[seat] & ~(1 << talon[place])))
    for seat, place in drawn:
        yield p, seat, talon[place], talon[place:]
        p = with_card(p, seat, talon[place])


def with_card(p: Position, seat: int, card: int) -> Position:
    return p._replace(hands=put(p.hands, seat, p.hands[seat] | 1 << card))
