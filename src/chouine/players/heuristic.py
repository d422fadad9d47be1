"""A player with a tuned linear evaluation: it counts cards, scores each play, and solves the last tricks exactly.

The evaluation is a linear function of hand-made features, its weights tuned by evolution strategies: weight tables
perturbed in opposite directions played each other. It is kernel Python and uses the player's own hand, the table, the
cards played and the declarations made; no function here reads another hand. The player exchanges as soon as it may
(§11) and declares what it can (§9). Weights live in one flat table, `float64[...]`, in points; the constants below are
offsets into it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from chouine.cards import ALL_CARDS, BRISQUES, POINTS, SUIT_CARDS
from chouine.fast.bits import highest_bit, popcount
from chouine.fast.driver import best_with
from chouine.fast.kernels import kernel
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import fallen_cards
from chouine.partie.view import View
from chouine.players.base import as_play
from chouine.players.endgame import MarginTable, best_action, known_position
from chouine.rules.combinations import (
    CHOUINE,
    CHOUINE_MARGIN,
    CHOUINES,
    DECLARATIONS,
    EXCHANGE,
    EXCHANGING,
    FIGURE_VALUES,
    MARIAGE,
    QUARTERON,
    QUINTE,
    QUINTE_BRISQUES,
    SUIT_FIGURES,
    TIERCE,
    TRENTE,
    TRENTE_BRISQUES,
)
from chouine.rules.explain import exists
from chouine.rules.options import Rules
from chouine.rules.play import (
    ABOVE,
    DIX_DE_DER,
    beats,
    closed_figures,
    declare,
    figure_suit,
    figure_value,
    legal,
    legal_for,
)
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

# Offsets into the weight table; all weights are points.
TRUMP, PLAIN, FREE = 0, 8, 16
"""Value of keeping a card, by rank: a trump, a plain card, a card while there is no trump (§17)."""
EARLY = 24
"""How much less a trump is worth keeping while the talon is full."""
FEW_BRISQUES = 25
"""Value of brisques held towards a quinte or trente: two missing, one missing, complete."""
TAKEN, LOST, DISCARDED, CASHED = 28, 29, 30, 31
"""Value of a point taken and of a point lost; points that an opponent adds to a trick it loses, or wins."""
LEAD = 32
"""Value of the lead."""
RUFFS, RUFFS_PER_POINT, HEADS = 33, 34, 35
"""How readily an opponent ruffs: a constant, a slope per point in the trick; and how readily it heads the suit."""
TURNUP = 36
"""The share of the turnup's value lost by drawing last (§5)."""
OWN_SUIT = 37
"""Value of each card in the suit that becomes trump (§17)."""
WEIGHTS = Path(__file__).with_name("weights.json")
PHASE = 38
"""Number of weights per phase: the talon serves, or §8 binds."""

FIGURES = 5
"""Weights of figures: mariage, tierce, quarteron and chouine held, and the factor for each missing card."""
POTENTIALS = 2 * PHASE + FIGURES
TABLE = POTENTIALS + 2 * 12 * 2 * 32 * 32
"""Offset of figure potentials, and where they end. They are indexed by: suit closed, draws left, trump or not,
cards held, cards still to come."""


@cache
def weight_table(rules: Rules) -> Any:
    """The table for these rules, with tuned weights: `float64` memoryview."""
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))[rules.preset]
    return memoryview(array("d", expand_weights(weights, rule_table_of(rules))))


def expand_weights(weights: Sequence[float], rule_table: RuleTable) -> list[float]:
    """The weights followed by the potential of every combination of a suit's cards, for lookup in kernels."""
    values = weights[2 * PHASE : POTENTIALS]
    table = list(weights[:POTENTIALS])
    for closed_suit in (0, 1):
        for draws in range(12):
            for doubled in (1, 2):
                for held in range(32):
                    table += [
                        figure_potential(rule_table, values, closed_suit, draws, doubled, held, alive)
                        for alive in range(32)
                    ]
    return table


def figure_potential(
    rule_table: RuleTable,
    values: Sequence[float],
    closed_suit: int,
    draws: int,
    doubled: int,
    held: int,
    alive: int,
) -> float:
    """Expected points of one suit's figures, from its J Q K 10 A held and still to come, five bits each.

    Figures and the order in which they contain each other come from `rules.combinations` (§9).
    """
    figures = [
        rule_table.figure_cards[figure - MARIAGE] >> 3 if exists(rule_table, figure) else 0
        for figure in (MARIAGE, TIERCE, QUARTERON, CHOUINE)
    ]
    expected = best = 0.0
    for nth, figure in enumerate(figures):
        if not figure or (closed_suit and nth < 3):
            continue
        missing = figure & ~held
        if missing & ~alive or missing.bit_count() > draws:
            continue
        worth = values[nth] * (doubled if nth < 3 else 1)
        chance = (values[4] * draws / 11) ** missing.bit_count()
        if nth < 3:  # nested figures: each counts only what it adds (§9.4)
            expected += max(0.0, worth - best) * chance
            best = max(best, worth)
        else:
            expected += worth * chance
    return expected


@kernel
def potential(
    weights: Sequence[float], closed_suit: int, draws: int, trumps: int, held: int, alive: int
) -> float:
    """Look `figure_potential` up, from a suit's eight cards held and still to come."""
    return weights[
        POTENTIALS + ((((closed_suit * 12 + draws) * 2 + trumps) * 32 + (held >> 3)) * 32 + (alive >> 3))
    ]


@kernel
def hit_probability(wanted: int, unseen: int, held: int) -> float:
    """Approximate probability that one of `held` cards drawn from the unseen is one of the wanted."""
    if unseen == 0:
        return 0.0
    none = 1.0 - wanted / unseen
    chance = 1.0
    for _ in range(held):
        chance *= none
    return 1.0 - chance


@kernel
def take_probability(
    rule_table: RuleTable, weights: Sequence[float], at: int, p: Position, card: int, trump: int, unseen: int
) -> float:
    """Approximate probability that a card takes the trick."""
    if p.table and not beats(card, p.best, trump):
        return 0.0
    behind = (p.leader - p.turn - 1) % rule_table.seats
    if behind == 0:
        return 1.0
    many = popcount(unseen)
    held = min(rule_table.hand, rule_table.tricks - p.tricks)
    higher = hit_probability(popcount(unseen & ABOVE[card]), many, held)
    trumped = 0.0
    stake = p.pot + POINTS[card & 7]
    ruff_chance = min(1.0, max(0.0, weights[at + RUFFS] + weights[at + RUFFS_PER_POINT] * stake))
    if trump >= 0 and card >> 3 != trump:
        trumped = ruff_chance * hit_probability(popcount(unseen & SUIT_CARDS[trump]), many, held)
        higher *= min(1.0, max(0.0, weights[at + HEADS]))
    elif trump >= 0:
        higher *= ruff_chance
    holds = (1.0 - higher) * (1.0 - trumped)
    chance = holds
    for _ in range(behind - 1):
        chance *= holds
    return chance


@kernel
def retention_value(
    rule_table: RuleTable, weights: Sequence[float], at: int, card: int, trump: int, draws: int
) -> float:
    """Value of keeping a card, without its figures."""
    rank = card & 7
    if trump < 0:
        return weights[at + FREE + rank]
    if card >> 3 == trump:
        return weights[at + TRUMP + rank] * (1.0 - weights[at + EARLY] * draws / rule_table.drawing)
    return weights[at + PLAIN + rank]


@kernel
def evaluate_play(
    rule_table: RuleTable, weights: Sequence[float], p: Position, unseen: int, card: int, declaration: int
) -> float:
    """Score, in points, of laying a card with a declaration (or NONE)."""
    seat, rank = p.turn, card & 7
    hand = p.hands[seat]
    draws = max(0, rule_table.drawing - p.tricks)
    at = 0 if draws else PHASE
    trump = p.trump
    said = p.said[seat]
    value = 0.0
    if declaration >= 0:
        if 1 << declaration & CHOUINES:
            return 1.0 * CHOUINE_MARGIN
        said |= 1 << declaration
        fixing = trump < 0 and 1 << declaration & SUIT_FIGURES != 0
        if fixing:
            trump = figure_suit(declaration)
        counts = figure_value(rule_table, declaration, trump, fixing)
        value = 1.0 * counts
        if fixing:
            times = counts // FIGURE_VALUES[declaration - MARIAGE]
            value += times * weights[at + OWN_SUIT] * popcount(hand & SUIT_CARDS[trump])
        value *= weights[at + TAKEN]
    take = take_probability(rule_table, weights, at, p, card, trump, unseen)
    stake = p.pot + POINTS[rank] + (DIX_DE_DER if p.tricks == rule_table.tricks - 1 else 0)
    behind = (p.leader - p.turn - 1) % rule_table.seats
    gain = stake + behind * weights[at + DISCARDED]
    cost = stake + (weights[at + CASHED] if behind else 0.0)
    value += take * weights[at + TAKEN] * gain - (1.0 - take) * weights[at + LOST] * cost / (
        rule_table.seats - 1
    )
    value -= retention_value(rule_table, weights, at, card, trump, draws)
    if draws:
        coming = unseen | (1 << p.turnup if p.turnup >= 0 else 0)
        value += potential_change(rule_table, weights, p, coming, card, said, trump)
        value += take * weights[at + LEAD]
        if draws == 1 and p.turnup >= 0 and rule_table.seats != 3:
            lost = weights[at + TRUMP + (p.turnup & 7)] + POINTS[p.turnup & 7]
            value -= take * weights[at + TURNUP] * lost / (rule_table.seats - 1)
    return value


@kernel
def potential_change(
    rule_table: RuleTable,
    weights: Sequence[float],
    p: Position,
    coming: int,
    card: int,
    said: int,
    trump: int,
) -> float:
    """Change in the hand's potential when it lays a card: figures of its suit, and brisques."""
    suit, hand, draws = card >> 3, p.hands[p.turn], rule_table.drawing - p.tricks
    was, now = p.said[p.turn], said
    shut_before = closed_figures(rule_table, was) >> MARIAGE + suit & 1
    closed_suit = closed_figures(rule_table, now) >> MARIAGE + suit & 1
    held, alive = hand >> 8 * suit & 0xFF, coming >> 8 * suit & 0xFF
    after = held & ~(1 << (card & 7))
    change = potential(weights, closed_suit, draws - 1, int(suit == trump), after, alive)
    change -= potential(weights, shut_before, draws, int(suit == p.trump), held, alive)
    if 1 << card & BRISQUES:
        brisques = QUINTE_BRISQUES if rule_table.seats == 2 else TRENTE_BRISQUES
        count = popcount(hand & BRISQUES) + 2 - brisques
        declared = now >> (QUINTE if rule_table.seats == 2 else TRENTE) & 1
        if 0 <= count <= 2 and not declared:
            change -= weights[FEW_BRISQUES + count]
            if count:
                change += weights[FEW_BRISQUES + count - 1]
    return change


@kernel
def heuristic_card(
    rule_table: RuleTable, weights: Sequence[float], p: Position, gone: int
) -> tuple[int, int]:
    """The best card by `evaluate_play`, and its declaration or NONE. `gone`: cards already played, as a set."""
    hand = p.hands[p.turn]
    seen = hand | gone | (1 << p.turnup if p.turnup >= 0 else 0)
    unseen = ALL_CARDS & ~seen
    actions = legal(rule_table, p)
    cards, declarations = actions & ALL_CARDS, actions & DECLARATIONS
    best, chosen, said = -1e9, NONE, NONE
    while cards:
        card = highest_bit(cards)
        cards ^= 1 << card
        declaration = best_with(rule_table, declarations, card)
        value = evaluate_play(rule_table, weights, p, unseen, card, declaration)
        if value > best:
            best, chosen, said = value, card, declaration
    return chosen, said


class HeuristicPlayer:
    """Deterministic: the same view gives the same action."""

    def __init__(self) -> None:
        self.solved: MarginTable = {}
        self.rules: Rules | None = None

    def act(self, view: View) -> Action | None:
        seat, p = view.observer, view.position
        actions = 0 if seat is None or view.result else legal_for(view.rule_table, p, seat)
        if not actions:
            return None
        if actions & EXCHANGING:  # always better: the turnup beats the seven and costs nothing (§11)
            return Exchange()
        whole = known_position(view)
        if whole is None or view.rules != self.rules:
            self.solved, self.rules = {}, view.rules
        if whole is not None:
            return self.solve(view.rule_table, whole)
        return as_play(
            *heuristic_card(view.rule_table, weight_table(view.rules), p, fallen_cards(view.events))
        )

    def solve(self, rule_table: RuleTable, p: Position) -> Play:
        """The best play when all cards are known. Results are cached for the next tricks."""
        action = best_action(rule_table, p, self.solved)
        if action < EXCHANGE:
            return as_play(action, NONE)
        return as_play(best_action(rule_table, declare(rule_table, p, action), self.solved), action)
