"""The combinations of §9 and the 51 action numbers.

Actions: 0-31 play that card · 32 exchange the seven · 33-50 declare, a figure of four suits taking four numbers
in suit order. A declaration is followed by its card, nobody acting between. A set of actions is one 51-bit int.
"""

from __future__ import annotations

from chouine.cards import BRISQUES

EXCHANGE = 32
MARIAGE, TIERCE, QUARTERON, QUINTE, TRENTE, CHOUINE = 33, 37, 41, 45, 46, 47
ACTIONS = 51

EXCHANGING = 1 << EXCHANGE
QUINTES = 1 << QUINTE
TRENTES = 1 << TRENTE
BRISQUE_FIGURES = QUINTES | TRENTES
CHOUINES = 0b1111 << CHOUINE
SUIT_FIGURES = 0xFFF << MARIAGE
"""Mariage, tierce and quarteron of every suit: those that count double in trumps and fix trump (§17)."""
DECLARATIONS = SUIT_FIGURES | BRISQUE_FIGURES | CHOUINES

QUEENS = 0x10101010

_KING_QUEEN, _JACK, _TEN, _ACE = 0x30, 0x08, 0x40, 0x80
_TIERCE = _KING_QUEEN | _JACK
_BY_SUIT = (_KING_QUEEN, _TIERCE, _TIERCE | _ACE)


def _each_suit(ranks: int) -> tuple[int, ...]:
    return tuple(ranks << 8 * suit for suit in range(4))


def _figure_cards(chouine: int) -> tuple[int, ...]:
    """Cards of each declaration, from number 33: all of them for a suit, the eight brisques for §9's quinte, trente."""
    suited = tuple(cards for ranks in _BY_SUIT for cards in _each_suit(ranks))
    return (*suited, BRISQUES, BRISQUES, *_each_suit(chouine))


FIGURE_CARDS = _figure_cards(_TIERCE | _ACE | _TEN)
"""Two seats: a chouine is A 10 K Q J (§9)."""
FIGURE_CARDS_OF_THREE = _figure_cards(_TIERCE)
"""Three and four seats, hands of three cards: a chouine is K Q J (§9)."""

QUINTE_BRISQUES, TRENTE_BRISQUES = 5, 3
"""Brisques that a quinte or a trente takes (§9)."""
FIGURE_VALUES = (20,) * 4 + (30,) * 4 + (40,) * 4 + (50, 30) + (0,) * 4
"""What each declaration counts, from number 33, outside trumps (§9)."""
CHOUINE_MARGIN = 1000
"""A margin above any point difference, for a chouine, which wins the partie (§10)."""


def one_bit_a_suit(queens: int) -> int:
    """Gather the queens' bits of a hand into four bits, one a suit in order."""
    return (queens >> 4) * 0x10204080 >> 28 & 0b1111


def figures_of_five(hand: int) -> int:
    """Declarations in a hand of two seats (§9): mariage, tierce, quarteron, quinte, chouine, as an action set."""
    held = 0
    mariages = hand & hand >> 1 & QUEENS
    if mariages:
        tierces = mariages & hand << 1
        quarterons = tierces & hand >> 3
        chouines = quarterons & hand >> 2
        held = (
            one_bit_a_suit(mariages) << MARIAGE
            | one_bit_a_suit(tierces) << TIERCE
            | one_bit_a_suit(quarterons) << QUARTERON
            | one_bit_a_suit(chouines) << CHOUINE
        )
    if brisques_held(hand, QUINTE_BRISQUES):
        held |= QUINTES
    return held


def figures_of_three(hand: int) -> int:
    """Declarations in a hand of three or four seats (§9): mariage, trente, chouine, as an action set."""
    held = 0
    mariages = hand & hand >> 1 & QUEENS
    if mariages:
        chouines = mariages & hand << 1
        held = one_bit_a_suit(mariages) << MARIAGE | one_bit_a_suit(chouines) << CHOUINE
    if brisques_held(hand, TRENTE_BRISQUES):
        held |= TRENTES
    return held


def brisques_needed(declaration: int) -> int:
    """How many brisques a quinte or a trente takes (§9)."""
    return QUINTE_BRISQUES if declaration == QUINTE else TRENTE_BRISQUES


def brisques_held(hand: int, many: int) -> bool:
    """Whether a hand holds at least this many brisques (§9)."""
    return (hand & BRISQUES).bit_count() >= many
