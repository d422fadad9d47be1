"""A seat's actions: play a card, with a declaration or without, or exchange the seven.

At the table a declaration and its card are one act (§9.1), and one token: `Qd+20d`. `rules` takes them as two steps, so
that each of a learner's actions is one number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Self

from chouine.cards import CARDS_OF_SUIT, PACK, Card, CardSet, Suit, index_of
from chouine.errors import IllegalAction, check_type
from chouine.plaintext import repr_of
from chouine.rules.combinations import (
    ACTIONS,
    DECLARATIONS,
    EXCHANGE,
    EXCHANGING,
    FIGURE_VALUES,
    MARIAGE,
)
from chouine.rules.explain import explain
from chouine.rules.play import companions, figure_suit, led_suit
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


class Figure(Enum):
    """The combinations of §9."""

    MARIAGE = "mariage"
    TIERCE = "tierce"
    QUARTERON = "quarteron"
    QUINTE = "quinte"
    TRENTE = "trente"
    CHOUINE = "chouine"


class Declaration(int):
    """A figure and its suit: `Declaration("20d")`, or by action number `Declaration(35)`."""

    __slots__ = ()

    def __new__(cls, declaration: str | int) -> Self:
        number = _NUMBERS.get(declaration, -1) if isinstance(declaration, str) else index_of(declaration)
        if not MARIAGE <= number < ACTIONS:
            raise ValueError(f"not a declaration: {repr_of(declaration)}")
        return super().__new__(cls, number)

    @property
    def figure(self) -> Figure:
        return _FIGURES[self - MARIAGE]

    @property
    def suit(self) -> Suit | None:
        """None for a quinte or trente."""
        suit = figure_suit(self)
        return Suit(suit) if suit >= 0 else None

    @property
    def value(self) -> int:
        """Its points outside trumps (§9)."""
        return FIGURE_VALUES[self - MARIAGE]

    def cards(self, rule_table: RuleTable) -> CardSet:
        """The figure's cards; for a quinte or trente the eight brisques."""
        check_type("rule_table", rule_table, RuleTable, "a RuleTable, such as State.rule_table")
        return CardSet(rule_table.figure_cards[self - MARIAGE])

    def __str__(self) -> str:
        return _TOKENS[self - MARIAGE]

    def __repr__(self) -> str:
        return f"Declaration({str(self)!r})"


_OF_A_SUIT = {Figure.MARIAGE: "20", Figure.TIERCE: "30", Figure.QUARTERON: "40"}
_FIGURES = (
    *[figure for figure in _OF_A_SUIT for _ in Suit],
    Figure.QUINTE,
    Figure.TRENTE,
    *[Figure.CHOUINE for _ in Suit],
)
_TOKENS = (
    *[value + suit.letter for value in _OF_A_SUIT.values() for suit in Suit],
    "50",
    "30",
    *["ch" + suit.letter for suit in Suit],
)
_NUMBERS = {token: number for number, token in enumerate(_TOKENS, MARIAGE)}


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card (§5), with a declaration or without (§9)."""

    card: Card
    declaration: Declaration | None = None

    def __post_init__(self) -> None:
        check_type("card", self.card, Card, "a Card, such as Card('As')")
        if self.declaration is not None:
            check_type(
                "declaration", self.declaration, Declaration, "a Declaration, such as Declaration('20d')"
            )

    def __str__(self) -> str:
        return f"{self.card}+{self.declaration}" if self.declaration else str(self.card)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchange the seven of trumps for the turnup (§11)."""

    def __str__(self) -> str:
        return "7x"


Action = Play | Exchange


def spell_actions(rule_table: RuleTable, actions: int) -> tuple[Action, ...]:
    """A set of legal actions as acts, sorted by text. A declaration is combined with each card it may accompany."""
    spades, hearts, diamonds, clubs = _PLACES
    places = [
        *spades[actions & 0xFF],
        *hearts[actions >> 8 & 0xFF],
        *diamonds[actions >> 16 & 0xFF],
        *clubs[actions >> 24 & 0xFF],
    ]
    if actions >> EXCHANGE:
        places += places_of_others(rule_table, actions)
    places.sort()
    return tuple([_ACTS[place] for place in places])


def places_of_others(rule_table: RuleTable, actions: int) -> Iterator[int]:
    """Indices of the exchange and of cards laid with a declaration among all acts."""
    if actions & EXCHANGING:
        yield _EXCHANGE
    said = actions & DECLARATIONS
    while said:
        declaration = said.bit_length() - 1
        said ^= 1 << declaration
        for card in CardSet(actions & companions(rule_table, declaration)):
            yield _PLACE[card, declaration]


_PLAYS = [Play(card, said) for card in PACK for said in (None, *map(Declaration, range(MARIAGE, ACTIONS)))]
_ACTS: list[Action] = sorted([Exchange(), *_PLAYS], key=str)
"""All acts, sorted by text."""
_EXCHANGE = _ACTS.index(Exchange())
_PLACE: dict[tuple[Card, int | None], int] = {
    (act.card, act.declaration): place for place, act in enumerate(_ACTS) if isinstance(act, Play)
}
_PLACES = tuple(
    tuple(tuple(_PLACE[card, None] for card in cards) for cards in each_set) for each_set in CARDS_OF_SUIT
)
"""For each suit and each set of its cards, indices of these cards laid without a declaration."""


def refusal(rule_table: RuleTable, p: Position, seat: int, action: Action) -> str | None:
    """The code of the rule (`rules.explain`) that forbids a seat this action now; None if it is legal."""
    if isinstance(action, Exchange):
        return explain(rule_table, p, seat, EXCHANGE)
    code = explain(rule_table, p, seat, action.card)
    if code or action.declaration is None:
        return code
    code = explain(rule_table, p, seat, action.declaration)
    if not code and not companions(rule_table, action.declaration) >> action.card & 1:
        return "illegal/not-of-figure"
    return code


def check(rule_table: RuleTable, p: Position, seat: int, action: Action) -> None:
    """Raise `IllegalAction` if a seat may not do this now."""
    check_type("an act", action, (Play, Exchange), "a Play or an Exchange")
    code = refusal(rule_table, p, seat, action)
    if code:
        raise illegal_action(p, action, code)


def illegal_action(p: Position, action: object, code: str) -> IllegalAction:
    """The error of a refused action, with the suits that its sentence names and the seat on turn."""
    suit = Suit(led_suit(p)) if p.table else ""
    trump = Suit(p.trump) if p.trump >= 0 else ""
    return IllegalAction(action, code, suit=suit, trump=trump, turn=p.turn)
