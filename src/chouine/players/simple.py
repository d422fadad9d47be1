"""Players that count no cards and do not search: random, eager, greedy. Their choices are kernel Python."""

from __future__ import annotations

from random import Random

from chouine.cards import ALL_CARDS, POINTS
from chouine.fast.bits import highest_bit
from chouine.fast.driver import eager_card
from chouine.fast.kernels import kernel
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.base import as_play
from chouine.rules.combinations import (
    ACTIONS,
    CHOUINE_MARGIN,
    DECLARATIONS,
    EXCHANGING,
    FIGURE_VALUES,
    MARIAGE,
)
from chouine.rules.play import beats, companions, legal, legal_for
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable


class RandomPlayer:
    """Choose among the legal actions with equal probability."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, view: View) -> Action | None:
        legal = view.legal
        return self.rng.choice(legal) if legal else None


class EagerPlayer:
    """Exchanges the seven when it may; lays any legal card, each as likely, with the best declaration it allows."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, view: View) -> Action | None:
        seat = view.observer
        actions = 0 if seat is None or view.result else legal_for(view.rule_table, view.position, seat)
        if not actions:
            return None
        if actions & EXCHANGING:
            return Exchange()
        return as_play(*eager_card(view.rule_table, view.position, self.rng.getrandbits(32)))


STAKE = 10
"""Card points from which it takes a trick at any price."""
CHEAP = 8
"""The highest cost at which it takes a smaller trick."""
TRUMP_WORTH = 10
"""The extra cost of spending a trump."""


class GreedyPlayer:
    """Exchange and declare whenever possible, take tricks that pay, otherwise lay the cheapest card."""

    def act(self, view: View) -> Action | None:
        may = view.legal
        if not may:
            return None
        if Exchange() in may:
            return Exchange()
        return as_play(*greedy_card(view.rule_table, view.position))


@kernel
def greedy_card(rule_table: RuleTable, p: Position) -> tuple[int, int]:
    """The card that the seat on turn lays, and its declaration or NONE."""
    actions = legal(rule_table, p)
    most = 0
    for number in range(MARIAGE, ACTIONS):
        if actions & DECLARATIONS & 1 << number:
            most = max(most, declared_value(number))
    least, taker = NONE, NONE
    said_with_least, said_with_taker = NONE, NONE
    for number in range(MARIAGE - 1, ACTIONS):
        cards, said = actions & ALL_CARDS, NONE
        if number >= MARIAGE:
            cards &= companions(rule_table, number) if actions >> number & 1 else 0
            said = number
        if declared_value(said) != most:
            continue
        while cards:
            card = highest_bit(cards)
            cards ^= 1 << card
            if is_cheaper(card, least, p.trump):
                least, said_with_least = card, said
            if p.table and beats(card, p.best, p.trump) and is_cheaper(card, taker, p.trump):
                taker, said_with_taker = card, said
    if taker >= 0 and (p.pot + POINTS[taker & 7] >= STAKE or card_cost(taker, p.trump) < CHEAP):
        return taker, said_with_taker
    return least, said_with_least


@kernel
def declared_value(declaration: int) -> int:
    """Points of a declaration; a chouine ranks above all."""
    return (FIGURE_VALUES[declaration - MARIAGE] or CHOUINE_MARGIN) if declaration >= 0 else 0


@kernel
def is_cheaper(card: int, than: int, trump: int) -> bool:
    """Whether `card` costs less than `than` (or `than` is NONE); ties go to the later suit."""
    dear, other = card_cost(card, trump), card_cost(than, trump)
    return than < 0 or dear < other or (dear == other and card > than)


@kernel
def card_cost(card: int, trump: int) -> float:
    """The cost of spending a card: its points, its rank, and a surcharge for trumps."""
    return POINTS[card & 7] + (card & 7) / 10 + (TRUMP_WORTH if card >> 3 == trump else 0)
