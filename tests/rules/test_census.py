"""A census of all hands: the number that holds each combination equals the combinatorial count."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

from chouine.rules.combinations import (
    CHOUINE,
    FIGURE_CARDS,
    FIGURE_CARDS_OF_THREE,
    MARIAGE,
    QUARTERON,
    QUINTE,
    TIERCE,
    TRENTE,
    brisques_held,
    figures_of_five,
    figures_of_three,
)

CARDS = [1 << card for card in range(32)]


def holding(size: int, needed: int) -> int:
    """Hands of `size` that hold `needed` given cards of one suit, in at least one suit."""
    of_one = comb(32 - needed, size - needed)
    of_two = comb(32 - 2 * needed, size - 2 * needed) if 2 * needed <= size else 0
    return 4 * of_one - comb(4, 2) * of_two


def figures_in(held: int) -> set[int]:
    """The figures in an action set, suits aside."""
    groups = (MARIAGE, TIERCE, QUARTERON, CHOUINE)
    found = {group for group in groups if held >> group & 0b1111}
    return found | {group for group in (QUINTE, TRENTE) if held >> group & 1}


def test_hands_of_five() -> None:
    """§9: Of 201,376 hands of five, 56 hold a quinte and 4 a chouine."""
    census: Counter[int] = Counter()
    hands = 0
    for hand in combinations(CARDS, 5):
        hands += 1
        held = figures_of_five(sum(hand))
        if held:
            census.update(figures_in(held))
    assert hands == comb(32, 5) == 201_376
    assert census == {
        MARIAGE: holding(5, 2),
        TIERCE: holding(5, 3),
        QUARTERON: holding(5, 4),
        QUINTE: comb(8, 5),
        CHOUINE: holding(5, 5),
    }
    assert (census[QUINTE], census[CHOUINE]) == (56, 4)


def test_hands_of_three() -> None:
    """§9: Of 4,960 hands of three, each figure (mariage, trente, chouine K Q J) has its combinatorial count."""
    census: Counter[int] = Counter()
    hands = list(combinations(CARDS, 3))
    for hand in hands:
        census.update(figures_in(figures_of_three(sum(hand))))
    assert len(hands) == comb(32, 3) == 4_960
    assert census == {MARIAGE: holding(3, 2), TRENTE: comb(8, 3), CHOUINE: holding(3, 3)}
    assert (census[TRENTE], census[CHOUINE]) == (56, 4)


def test_each_suit_has_its_own_figures() -> None:
    """§9: A figure needs all its cards, and is found in its suit alone."""
    for cards_of, held_by, numbers in (
        (FIGURE_CARDS, figures_of_five, [*range(MARIAGE, QUINTE), *range(CHOUINE, CHOUINE + 4)]),
        (FIGURE_CARDS_OF_THREE, figures_of_three, [*range(MARIAGE, TIERCE), *range(CHOUINE, CHOUINE + 4)]),
    ):
        for number in numbers:
            cards = cards_of[number - MARIAGE]
            assert held_by(cards) >> number & 1
            for card in CARDS:
                assert not card & cards or not held_by(cards ^ card) >> number & 1


def test_brisques_are_counted() -> None:
    """§9: Five brisques make a quinte, three a trente."""
    aces = 0x80808080
    assert brisques_held(aces, 4)
    assert not brisques_held(aces, 5)
    assert brisques_held(aces | 0x40, 5)
    assert not brisques_held(0x3F3F3F3F, 1)
