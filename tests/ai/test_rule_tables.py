"""The lookup tables of solvers and evaluations agree with the rules, under every preset."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.equilibrium.payoffs import (
    best_declaration,
    closed_after,
    closed_by,
    declarable_bits,
)
from chouine.arena.luck import CHOUINE as CHOUINE_FEATURE
from chouine.arena.luck import FIGURE, POINT, suit_features
from chouine.fast.double_dummy import TAKERS, TRUMPS, legal_answers, table_offset
from chouine.players.heuristic import figure_potential
from chouine.rules import PRESETS, Rules, rule_table_of
from chouine.rules.combinations import (
    ACTIONS,
    CHOUINE,
    CHOUINE_MARGIN,
    CHOUINES,
    FIGURE_VALUES,
    MARIAGE,
    QUARTERON,
    QUINTE,
    SUIT_FIGURES,
    TIERCE,
)
from chouine.rules.explain import exists as known_here
from chouine.rules.explain import holds
from chouine.rules.play import (
    beats,
    closed_figures,
    companions,
    declarable,
    declare,
    figure_suit,
    playable,
    start,
)
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

BOOKS = {preset: rule_table_of(Rules.of_preset(preset)) for preset in PRESETS}
TWO_SEATS = [preset for preset, rule_table in BOOKS.items() if rule_table.seats == 2]


def on_lead(rule_table: RuleTable, hand: int, trump: int, said: int = 0) -> Position:
    """A position with seat a to lead with this hand and an empty talon."""
    p = start(rule_table, (hand, 0, 0, 0), NONE, rule_table.seats - 1)
    return p._replace(trump=trump, tricks=rule_table.drawing, said=(said, 0, 0, 0))


def some_hand(rng: Random, cards: int) -> int:
    """A random hand; half of them come from few suits or high cards and contain more figures."""
    pack = list(range(32))
    if rng.random() < 0.5:
        suits = rng.sample(range(4), rng.randint(1, 2))
        pack = [card for card in pack if card >> 3 in suits and card & 7 > 2]
    elif rng.random() < 0.3:
        pack = [card for card in pack if card & 7 > 5]
    return sum(1 << card for card in rng.sample(pack, cards))


@pytest.mark.parametrize("preset", TWO_SEATS)
def test_what_an_ending_declares(preset: str) -> None:
    """§9, §10: The best declaration for each card, and the declarations that it excludes."""
    rule_table, rng, seen = BOOKS[preset], Random(preset), set[int]()
    for _ in range(3_000):
        hand, trump = some_hand(rng, rng.randint(1, 5)), rng.randrange(4)
        said = sum({1 << rng.randrange(MARIAGE, CHOUINE) for _ in range(rng.randrange(3))})
        p, shut = on_lead(rule_table, hand, trump, said), closed_by(closed_figures(rule_table, said))
        may = declarable(rule_table, p, hand)
        expected = {n for n in range(MARIAGE, ACTIONS) if may >> n & 1 and n != QUINTE + 1}
        bits = declarable_bits(hand, shut)
        assert bits == sum({16 if n == QUINTE else 1 << figure_suit(n) for n in expected})
        for card in (card for card in range(32) if hand >> card & 1):
            worth = {n: worth_of(rule_table, p, n) for n in expected if companions(rule_table, n) >> card & 1}
            found = best_declaration(hand, card, shut, trump)
            assert found == max(worth.values(), default=0)
            seen.add(found)
            if 0 < found < CHOUINE_MARGIN:
                best = max(worth, key=lambda n: worth[n])
                assert closed_after(shut, card, found) == closed_by(
                    closed_figures(rule_table, said | 1 << best)
                )
    assert seen >= {0, 20, 30, 40, 50, 60, 80, CHOUINE_MARGIN, 3 * CHOUINE_MARGIN}


def worth_of(rule_table: RuleTable, p: Position, declaration: int) -> int:
    """The value of a declaration by the rules; a chouine is above all others, the trump chouine highest."""
    if 1 << declaration & CHOUINES:
        return CHOUINE_MARGIN * (3 if figure_suit(declaration) == p.trump else 1)
    return declare(rule_table, p, declaration).declared[0]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("head", ["trumps", "always"])
def test_what_answers_a_lead(preset: str, head: str) -> None:
    """§6, §8: Legal answers and winners of a lead, with and without a trump. Endings are tabled for two seats only."""
    rule_table = rule_table_of(Rules.parse(f"{preset};head={head}"))
    rng = Random(preset + head)
    for trump in TRUMPS:
        offset = table_offset(rule_table, trump)
        for lead in range(32):
            assert all(
                bool(TAKERS[offset + lead] >> card & 1) == beats(card, lead, trump) for card in range(32)
            )
            if rule_table.seats == 2:
                hand = some_hand(rng, rng.randint(1, 5)) & ~(1 << lead)
                p = start(rule_table, (0, hand, 0, 0), NONE, 1)
                p = p._replace(
                    trump=trump, turn=1, table=lead + 1, best=lead, taker=0, tricks=rule_table.drawing
                )
                assert not hand or legal_answers(offset, lead, hand) == playable(rule_table, p)


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_suit_promises(preset: str) -> None:
    """§9: With unit weight on one figure, a hand's potential is 1 if the rules know the figure and it is held."""
    rule_table = BOOKS[preset]
    for place, figure in enumerate((MARIAGE, TIERCE, QUARTERON, CHOUINE)):
        values = [0.0] * 5
        values[place] = 1.0
        for held in range(32):
            hand = held << 3
            expected = known_here(rule_table, figure) and holds(rule_table, hand, figure)
            assert figure_potential(rule_table, values, 0, 0, 1, held, 0) == float(expected)


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_position_is_worth_counts(preset: str) -> None:
    """§9: A position's features include the best figure of a suit, and a chouine."""
    rule_table = BOOKS[preset]
    for cards in range(256):
        held = [
            n for n in range(MARIAGE, ACTIONS) if known_here(rule_table, n) and holds(rule_table, cards, n)
        ]
        suited = [n for n in held if 1 << n & SUIT_FIGURES]
        features = dict(suit_features(rule_table, cards, closed=False))
        best = max((FIGURE_VALUES[n - MARIAGE] for n in suited), default=0)
        assert features.get(FIGURE, 0) == pytest.approx(POINT * best)
        assert (CHOUINE_FEATURE in features) == any(1 << n & CHOUINES for n in held)
        assert FIGURE not in dict(suit_features(rule_table, cards, closed=True))
