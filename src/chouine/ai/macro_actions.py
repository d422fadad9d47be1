"""Macro-actions as ints: everything a seat does on its turn or when asked at "au sept".

Bits 0-5: the card, or 63 for none; bits 6-11: its declaration, or 0; bit 12: whether it exchanges the seven first.

>>> from chouine import Card, Declaration
>>> act = act_of(Play(Card("Qd"), Declaration("20d")))
>>> act & 63 == Card("Qd"), act >> DECLARATION_SHIFT == Declaration("20d"), str(action_of(act))
(True, True, 'Qd+20d')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest_bit
from chouine.fast.kernels import kernel
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.players.base import as_play
from chouine.rules.combinations import ACTIONS, EXCHANGING, MARIAGE
from chouine.rules.play import companions, declare, exchange, lay, legal_for
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

NO_CARD, DECLARATION_SHIFT, EXCHANGE_BIT = 63, 6, 1 << 12
MAX_ACTS = 100
"""Upper bound on the acts of one hand."""


@kernel
def apply_act(rule_table: RuleTable, talon: Sequence[int], p: Position, seat: int, act: int) -> Position:
    """The position after a seat's act."""
    card, declaration = act & 63, act >> DECLARATION_SHIFT & 63
    if act & EXCHANGE_BIT:
        p = exchange(p, seat)
    if declaration:
        p = declare(rule_table, p, declaration)
    if card != NO_CARD:
        p = lay(rule_table, talon, p, card)
    return p


@kernel
def list_acts(rule_table: RuleTable, p: Position, seat: int, acts: Any) -> int:
    """Write the acts of the seat on turn to `acts: int64[...]`, up to its length; returns their number.

    Includes acts after an exchange, since the turnup is public.
    """
    count = 0
    actions = legal_for(rule_table, p, seat)
    for after_exchange in range(2):
        for declaration in range(MARIAGE - 1, ACTIONS):
            if declaration >= MARIAGE and not actions >> declaration & 1:
                continue
            cards = actions & ALL_CARDS
            if declaration >= MARIAGE:
                cards &= companions(rule_table, declaration)
            said = declaration << DECLARATION_SHIFT if declaration >= MARIAGE else 0
            while cards and count < len(acts):
                card = lowest_bit(cards)
                cards &= cards - 1
                acts[count] = card | said | after_exchange * EXCHANGE_BIT
                count += 1
        if not actions & EXCHANGING:
            break
        actions = legal_for(rule_table, exchange(p, seat), seat)
    return count


def legal_acts(rule_table: RuleTable, p: Position, seat: int) -> list[int]:
    """Every act open to a seat, on turn or asked at "au sept"."""
    if seat != p.turn:
        return [NO_CARD | EXCHANGE_BIT, NO_CARD] if legal_for(rule_table, p, seat) & EXCHANGING else []
    acts = [0] * MAX_ACTS
    return acts[: list_acts(rule_table, p, seat, acts)]


def action_of(act: int) -> Action | None:
    """The first action of an act, as players return it; None to decline at "au sept"."""
    if act & EXCHANGE_BIT:
        return Exchange()
    if act == NO_CARD:
        return None
    return as_play(act & 63, (act >> DECLARATION_SHIFT & 63) or NONE)


def act_of(action: Action | None) -> int:
    """The act that consists of this action alone."""
    match action:
        case Play(card=card, declaration=declaration):
            return int(card) | (declaration or 0) << DECLARATION_SHIFT
        case Exchange():
            return NO_CARD | EXCHANGE_BIT
        case _:
            return NO_CARD


def own_seat(view: View) -> int:
    """The seat of a view. Raises `ValueError` for a spectator's."""
    if view.observer is None:
        raise ValueError("a spectator has no hand to play from")
    return view.observer
