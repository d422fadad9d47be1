"""The player of one ply that other programs of Chouine are: no counting of cards, no looking ahead. Kernel Python."""

from __future__ import annotations

from chouine.cards import ALL_CARDS, POINTS
from chouine.fast.bits import highest
from chouine.fast.compiler import kernel
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.heuristic import spoken
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, DECLARATIONS, FIGURE_VALUES, MARIAGE
from chouine.rules.play import beats, companions, legal
from chouine.rules.position import NONE, Position

STAKE = 10
"""Card points for which it takes a trick at any price."""
CHEAP = 8
"""What it gives for less."""
TRUMP_WORTH = 10
"""How much dearer than another card a trump is to it."""


class GreedyPlayer:
    """Exchanges and declares whenever it can, takes what pays, and otherwise lets its least card go."""

    def act(self, view: View) -> Action | None:
        may = view.legal
        if not may:
            return None
        if Exchange() in may:
            return Exchange()
        return spoken(*greedy_card(view.book, view.position))


@kernel
def greedy_card(book: Book, p: Position) -> tuple[int, int]:
    """The card that the seat on turn lays, and what it declares with it, or NONE."""
    actions = legal(book, p)
    most = 0
    for number in range(MARIAGE, ACTIONS):
        if actions & DECLARATIONS & 1 << number:
            most = max(most, worth_said(number))
    least, taker = NONE, NONE
    said_with_least, said_with_taker = NONE, NONE
    for number in range(MARIAGE - 1, ACTIONS):
        cards, said = actions & ALL_CARDS, NONE
        if number >= MARIAGE:
            cards &= companions(book, number) if actions >> number & 1 else 0
            said = number
        if worth_said(said) != most:
            continue
        while cards:
            card = highest(cards)
            cards ^= 1 << card
            if cheaper(card, least, p.trump):
                least, said_with_least = card, said
            if p.table and beats(card, p.best, p.trump) and cheaper(card, taker, p.trump):
                taker, said_with_taker = card, said
    if taker >= 0 and (p.pot + POINTS[taker & 7] >= STAKE or dearness(taker, p.trump) < CHEAP):
        return taker, said_with_taker
    return least, said_with_least


@kernel
def worth_said(declaration: int) -> int:
    """What is declared; a chouine is above all."""
    return (FIGURE_VALUES[declaration - MARIAGE] or 1000) if declaration >= 0 else 0


@kernel
def cheaper(card: int, than: int, trump: int) -> bool:
    """Whether it parts with a card more gladly than with another, or NONE; of two alike, with the later suit's."""
    dear, other = dearness(card, trump), dearness(than, trump)
    return than < 0 or dear < other or (dear == other and card > than)


@kernel
def dearness(card: int, trump: int) -> float:
    """How loath it is to part with a card: its points, its rank, and more for a trump."""
    return POINTS[card & 7] + (card & 7) / 10 + (TRUMP_WORTH if card >> 3 == trump else 0)
