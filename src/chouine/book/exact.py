"""Odds that need no play: counted over every hand, or in closed form.

>>> quinte = chance_dealt("quinte")
>>> quinte.numerator, quinte.denominator, round(1 / quinte)
(1, 3596, 3596)
>>> round(1 / chance_dealt("chouine"))
50344
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from chouine.book.tallies import FAMILIES
from chouine.rules.combinations import CHOUINE, MARIAGE, QUARTERON, QUINTE, TIERCE, figures_of_five

HANDS = comb(32, 5)
"""Hands of five cards."""
_SETS = {
    "mariage": 0xF << MARIAGE,
    "tierce": 0xF << TIERCE,
    "quarteron": 0xF << QUARTERON,
    "quinte": 1 << QUINTE,
    "chouine": 0xF << CHOUINE,
}


@cache
def count_hands() -> dict[str, int]:
    """The number of five-card hands that hold each family of figures, counted with the rules' own function (§9)."""
    many = dict.fromkeys(FAMILIES, 0)
    for cards in combinations([1 << card for card in range(32)], 5):
        held = figures_of_five(sum(cards))
        if held:
            for family, members in _SETS.items():
                many[family] += held & members != 0
    return many


def chance_dealt(family: str) -> Fraction:
    """The probability that a player's first five cards hold a figure of the family."""
    return Fraction(count_hands()[family], HANDS)


def dealt_seven() -> Fraction:
    """The probability that a player is dealt the seven of trumps and another card is turned up (§11)."""
    return Fraction(7, 8) * Fraction(5, 31)


def chance_to_come(trick: int) -> Fraction:
    """The probability that an unseen card comes to a player by the end of the talon, from a trick counted from 0.

    It is neither the turnup nor a shown card, and equally likely in each unseen place. Of the two cards of the last
    draw one is the turnup, which loses half a place.
    """
    unseen, places = 26 - 2 * trick, Fraction(21 - 2 * trick, 2)
    return places / unseen
