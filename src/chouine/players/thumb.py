"""Rules of thumb as numbers: what speaks for a card, weighed by what tuning found, quick enough to play out parties.

Kernel Python. A player by rules of thumb sees its own hand, the table, what has fallen and what has been said: no
function here reads another hand. It exchanges as soon as it may (§11) and declares what it can (§9).
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from chouine.cards import ALL_CARDS, BRISQUES, POINTS, SUIT_CARDS
from chouine.fast.bits import highest, how_many
from chouine.fast.compiler import kernel
from chouine.fast.playout import best_with
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import CHOUINES, DECLARATIONS, FIGURE_VALUES, MARIAGE, SUIT_FIGURES
from chouine.rules.options import Rules
from chouine.rules.play import ABOVE, DIX_DE_DER, beats, closed, figure_suit, legal
from chouine.rules.position import NONE, Position

# Places in a table of weights, which all are points.
TRUMP, PLAIN, FREE = 0, 8, 16
"""What a card is worth kept, by rank: a trump, another, one while there is no trump (§17)."""
EARLY = 24
"""How much less a trump is worth kept while the talon is whole."""
FEW_BRISQUES = 25
"""Brisques held towards a quinte or trente: all but two, all but one, all."""
TAKEN, LOST, DISCARDED, CASHED = 28, 29, 30, 31
"""What a point taken is worth, or lost; what another adds to a trick it lets go, or takes."""
LEAD = 32
"""What being on lead is worth."""
EAGER, EAGER_A_POINT, EAGER_IN_SUIT = 33, 34, 35
"""How ready another is to trump a trick, that and so much a point of it, and to head it."""
TURNUP = 36
"""Of what the turnup is worth, the part lost to who draws last (§5)."""
OWN_SUIT = 37
"""A card in the suit that becomes trump (§17)."""
WEIGHTS = Path(__file__).with_name("weights.json")
PHASE = 38
"""Weights of one phase: the talon serves, or §8 binds."""

FIGURES = 5
"""Weights of figures: mariage, tierce, quarteron and chouine held, and how much of it is left a missing card."""
KEPT = 2 * PHASE + FIGURES
"""Where what suits promise begins: by what is closed, draws left, trump or not, figure cards held and to come."""


@cache
def thumb_table(rules: Rules) -> Any:
    """The table for these rules, its weights found by tuning against themselves."""
    weights = json.loads(WEIGHTS.read_text())[rules.preset]
    return memoryview(array("d", table_of(weights, book_of(rules))))


def table_of(weights: Sequence[float], book: Book) -> list[float]:
    """Weights with what suits promise worked out, as the functions here take them."""
    values = weights[2 * PHASE : KEPT]
    table = list(weights[:KEPT])
    for shut in (0, 1):
        for draws in range(12):
            for doubled in (1, 2):
                for held in range(32):
                    table += [promise(book, values, shut, draws, doubled, held, alive) for alive in range(32)]
    return table


def promise(
    book: Book, values: Sequence[float], shut: int, draws: int, doubled: int, held: int, alive: int
) -> float:
    """What figures of one suit are worth in hand, from its J Q K 10 A held and those still to come as five bits."""
    figures = (0b00110, 0b00111, 0b10111, 0b11111) if book.seats == 2 else (0b00110, 0, 0, 0b00111)
    hoped = best = 0.0
    for nth, figure in enumerate(figures):
        if not figure or (shut and nth < 3):
            continue
        missing = figure & ~held
        if missing & ~alive or missing.bit_count() > draws:
            continue
        worth = values[nth] * (doubled if nth < 3 else 1)
        likely = (values[4] * draws / 11) ** missing.bit_count()
        if nth < 3:  # of figures one within the other only what each adds counts (§9.4)
            hoped += max(0.0, worth - best) * likely
            best = max(best, worth)
        else:
            hoped += worth * likely
    return hoped


@kernel
def promised(weights: Sequence[float], shut: int, draws: int, trumps: int, held: int, alive: int) -> float:
    """`promise`, from a suit's eight cards held and those to come."""
    return weights[KEPT + ((((shut * 12 + draws) * 2 + trumps) * 32 + (held >> 3)) * 32 + (alive >> 3))]


@kernel
def chance_of(wanted: int, unseen: int, held: int) -> float:
    """About how likely one of `held` cards out of the unseen is one of the wanted."""
    if unseen == 0:
        return 0.0
    none = 1.0 - wanted / unseen
    chance = 1.0
    for _ in range(held):
        chance *= none
    return 1.0 - chance


@kernel
def taking(
    book: Book, weights: Sequence[float], at: int, p: Position, card: int, trump: int, unseen: int
) -> float:
    """About how likely a card is to take the trick."""
    if p.table and not beats(card, p.best, trump):
        return 0.0
    behind = (p.leader - p.turn - 1) % book.seats
    if behind == 0:
        return 1.0
    many = how_many(unseen)
    held = min(book.hand, book.tricks - p.tricks)
    higher = chance_of(how_many(unseen & ABOVE[card]), many, held)
    trumped = 0.0
    stake = p.pot + POINTS[card & 7]
    eager = min(1.0, max(0.0, weights[at + EAGER] + weights[at + EAGER_A_POINT] * stake))
    if trump >= 0 and card >> 3 != trump:
        trumped = eager * chance_of(how_many(unseen & SUIT_CARDS[trump]), many, held)
        higher *= min(1.0, max(0.0, weights[at + EAGER_IN_SUIT]))
    elif trump >= 0:
        higher *= eager
    left = (1.0 - higher) * (1.0 - trumped)
    chance = left
    for _ in range(behind - 1):
        chance *= left
    return chance


@kernel
def kept(book: Book, weights: Sequence[float], at: int, card: int, trump: int, draws: int) -> float:
    """What a card is worth kept, its figures aside."""
    rank = card & 7
    if trump < 0:
        return weights[at + FREE + rank]
    if card >> 3 == trump:
        return weights[at + TRUMP + rank] * (1.0 - weights[at + EARLY] * draws / book.drawing)
    return weights[at + PLAIN + rank]


@kernel
def worth(
    book: Book, weights: Sequence[float], p: Position, unseen: int, card: int, declaration: int
) -> float:
    """What speaks for laying a card, a declaration (or NONE) made with it, in points."""
    seat, rank = p.turn, card & 7
    hand = p.hands[seat]
    draws = max(0, book.drawing - p.tricks)
    at = 0 if draws else PHASE
    trump = p.trump
    said = p.said[seat]
    value = 0.0
    if declaration >= 0:
        if 1 << declaration & CHOUINES:
            return 1000.0
        said |= 1 << declaration
        value = 1.0 * FIGURE_VALUES[declaration - MARIAGE]
        if 1 << declaration & SUIT_FIGURES:
            own = figure_suit(declaration)
            if trump < 0:
                trump = own
                value += weights[at + OWN_SUIT] * how_many(hand & SUIT_CARDS[own])
                value += 0.0 if book.fixing_double == 0 else value
            elif own == trump:
                value *= 2.0
        value *= weights[at + TAKEN]
    take = taking(book, weights, at, p, card, trump, unseen)
    stake = p.pot + POINTS[rank] + (DIX_DE_DER if p.tricks == book.tricks - 1 else 0)
    behind = (p.leader - p.turn - 1) % book.seats
    gain = stake + behind * weights[at + DISCARDED]
    cost = stake + (weights[at + CASHED] if behind else 0.0)
    value += take * weights[at + TAKEN] * gain - (1.0 - take) * weights[at + LOST] * cost / (book.seats - 1)
    value -= kept(book, weights, at, card, trump, draws)
    if draws:
        coming = unseen | (1 << p.turnup if p.turnup >= 0 else 0)
        value += figures_left(book, weights, p, hand, coming, card, said, trump, draws)
        value += take * weights[at + LEAD]
        if draws == 1 and p.turnup >= 0 and book.seats != 3:
            lost = weights[at + TRUMP + (p.turnup & 7)] + POINTS[p.turnup & 7]
            value -= take * weights[at + TURNUP] * lost / (book.seats - 1)
    return value


@kernel
def figures_left(
    book: Book,
    weights: Sequence[float],
    p: Position,
    hand: int,
    coming: int,
    card: int,
    said: int,
    trump: int,
    draws: int,
) -> float:
    """What laying a card changes in what the hand promises: its suit's figures, and the brisques'."""
    suit = card >> 3
    was, now = p.said[p.turn], said
    shut_before = closed(book, was) >> MARIAGE + suit & 1
    shut = closed(book, now) >> MARIAGE + suit & 1
    held, alive = hand >> 8 * suit & 0xFF, coming >> 8 * suit & 0xFF
    after = held & ~(1 << (card & 7))
    change = promised(weights, shut, draws - 1, int(suit == trump), after, alive)
    change -= promised(weights, shut_before, draws, int(suit == p.trump), held, alive)
    if 1 << card & BRISQUES:
        many = 5 if book.seats == 2 else 3
        count = how_many(hand & BRISQUES) + 2 - many
        declared = now >> (MARIAGE + 12 if book.seats == 2 else MARIAGE + 13) & 1
        if 0 <= count <= 2 and not declared:
            change -= weights[FEW_BRISQUES + count]
            if count:
                change += weights[FEW_BRISQUES + count - 1]
    return change


@kernel
def thumb_card(book: Book, weights: Sequence[float], p: Position, gone: int) -> tuple[int, int]:
    """The card to lay by rules of thumb, and the declaration to make with it, or NONE. `gone`: cards fallen or laid."""
    hand = p.hands[p.turn]
    seen = hand | gone | (1 << p.turnup if p.turnup >= 0 else 0)
    unseen = ALL_CARDS & ~seen
    actions = legal(book, p)
    cards, declarations = actions & ALL_CARDS, actions & DECLARATIONS
    best, chosen, said = -1e9, NONE, NONE
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        declaration = best_with(book, declarations, card)
        value = worth(book, weights, p, unseen, card, declaration)
        if value > best:
            best, chosen, said = value, card, declaration
    return chosen, said
