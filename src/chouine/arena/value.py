"""A small value model of positions with all cards open, to separate luck from skill.

A seat's win probability is a softmax of its strength. Strength is linear in the cards and figures it holds and in
its points; the weights are interpolated from the deal to the empty talon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Self

from chouine.cards import BRISQUES
from chouine.rules.combinations import BRISQUE_FIGURES, FIGURE_VALUES, MARIAGE, QUARTERON, TIERCE
from chouine.rules.combinations import CHOUINE as CHOUINE_ACTION
from chouine.rules.explain import exists
from chouine.rules.options import Rules
from chouine.rules.play import total
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable, rule_table_of

Value = Callable[[Sequence[Position]], list[list[float]]]
"""A value model: for each position every seat's win probability. It uses cards that no player sees."""

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


def features(rule_table: RuleTable, p: Position, seat: int) -> list[float]:
    """The features of strength at the empty talon; for earlier positions see `LinearValue`."""
    inputs = [0.0] * FEATURES
    hand, said = p.hands[seat], p.said[seat]
    for suit in range(4):
        first = SIDE if suit == p.trump else 0
        cards, closed = hand >> 8 * suit & 0xFF, said & figures_of(suit) != 0
        for nth, value in suit_features(rule_table, cards, closed=closed):
            inputs[first + nth] += value
    if not said & BRISQUE_FIGURES:
        inputs[2 * SIDE + min((hand & BRISQUES).bit_count(), BRISQUE_COUNTS - 1)] = 1
    inputs[LEAD] = float(p.leader == seat)
    inputs[POINTS] = POINT * total(p, seat)
    return inputs


@cache
def figures_by_suit(rule_table: RuleTable) -> tuple[tuple[int, int], ...]:
    """Combinations of a suit that exist under these rules, best first: a mask of eight cards, and its points (§9)."""
    known = [figure for figure in (QUARTERON, TIERCE, MARIAGE) if exists(rule_table, figure)]
    return tuple(
        (rule_table.figure_cards[figure - MARIAGE], FIGURE_VALUES[figure - MARIAGE]) for figure in known
    )


def suit_features(rule_table: RuleTable, cards: int, *, closed: bool) -> list[tuple[int, float]]:
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
        self.rule_table = rule_table
        shares = [tricks / rule_table.drawing for tricks in range(rule_table.drawing + 1)]
        self.weights = [
            [(1 - done) * one + done * other for one, other in zip(first, last, strict=True)]
            for done in shares
        ]
        self.suits: dict[int, float] = {}
        """Cached strength of a suit's cards."""

    @classmethod
    @cache
    def of(cls, rules: Rules) -> Self:
        """The weights fitted for a preset (`python -m chouine.arena.fitting`)."""
        weights = json.loads(files("chouine.arena").joinpath("value.json").read_text(encoding="utf-8"))
        return cls(rule_table_of(rules), *weights[rules.preset])

    def __call__(self, positions: Sequence[Position]) -> list[list[float]]:
        seats = range(self.rule_table.seats)
        return [softmax([self.strength(p, seat) for seat in seats]) for p in positions]

    def strength(self, p: Position, seat: int) -> float:
        """A seat's strength."""
        tricks = min(p.tricks, self.rule_table.drawing)
        weights, hand, said = self.weights[tricks], p.hands[seat], p.said[seat]
        strength = weights[POINTS] * POINT * total(p, seat)
        for suit in range(4):
            cards = hand >> 8 * suit & 0xFF
            if cards:
                closed = said & figures_of(suit) != 0
                key = ((tricks * 2 + (suit == p.trump)) * 2 + closed) << 8 | cards
                worth = self.suits.get(key)
                if worth is None:
                    first = SIDE if suit == p.trump else 0
                    held = suit_features(self.rule_table, cards, closed=closed)
                    worth = self.suits[key] = sum(weights[first + nth] * value for nth, value in held)
                strength += worth
        if not said & BRISQUE_FIGURES:
            strength += weights[2 * SIDE + min((hand & BRISQUES).bit_count(), BRISQUE_COUNTS - 1)]
        return strength + weights[LEAD] if p.leader == seat else strength


def softmax(strengths: Sequence[float]) -> list[float]:
    top = max(strengths)
    powers = [exp(strength - top) for strength in strengths]
    return [power / sum(powers) for power in powers]
