"""Parse what a person types as an action."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chouine.cards import Card
from chouine.errors import ChouineError, NotationError
from chouine.notation.tokens import CARDS, read_card, read_declaration
from chouine.partie import Action, Declaration, Exchange, Play

EXCHANGES = ("7", "7x")


def read_entry(text: str, hand: Sequence[Card], legal: Sequence[Action]) -> Action:
    """`2`, `Qd`, `D♦`, with `+` and a declaration if any, or `7`; `ChouineError` for anything else.

    `hand` is numbered from 1.
    """
    if text.lower() in EXCHANGES:
        return Exchange()
    named, plus, said = (part.strip() for part in text.partition("+"))
    card = _card(named, hand)
    if not plus:
        return Play(card)
    return Play(card, _declaration(said) if said else _only_declaration(card, legal))


def number(text: str) -> int:
    """A short whole number; 0 for anything else."""
    return int(text) if re.fullmatch("[0-9]{1,3}", text) else 0


def _card(text: str, hand: Sequence[Card]) -> Card:
    if text.isdecimal():
        if not 1 <= number(text) <= len(hand):
            raise ChouineError("terminal/no-such-number", most=len(hand))
        return hand[number(text) - 1]
    if text not in CARDS:
        text = text[:-1].upper() + text[-1:].lower()
    try:
        return read_card(text)
    except NotationError:
        raise ChouineError("terminal/not-understood", text=text) from None


def _declaration(text: str) -> Declaration:
    try:
        return read_declaration(text.lower())
    except NotationError:
        raise ChouineError("terminal/not-understood", text=text) from None


def _only_declaration(card: Card, legal: Sequence[Action]) -> Declaration:
    """The only declaration possible with this card, which a bare `+` means."""
    may = [
        action.declaration
        for action in legal
        if isinstance(action, Play) and action.card == card and action.declaration is not None
    ]
    if not may:
        raise ChouineError("terminal/nothing-to-declare")
    if len(may) > 1:
        raise ChouineError("terminal/which-declaration", tokens=", ".join(map(str, may)))
    return may[0]
