"""Acts as ints, for compiled code: all that a seat does on its turn, or when it is asked at "au sept".

A card or 63 for none, the declaration it is played with or 0, and whether the seven is exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chouine.cards import ALL_CARDS, PACK
from chouine.fast.bits import lowest
from chouine.fast.compiler import kernel
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, EXCHANGING, MARIAGE
from chouine.rules.play import companions, declare, exchange, lay, legal_for
from chouine.rules.position import Position

NO_CARD, SAID, SWAP = 63, 6, 1 << 12
MOST = 100
"""More acts than a hand ever has."""


@kernel
def done(book: Book, talon: Sequence[int], p: Position, seat: int, act: int) -> Position:
    """The position after an act by a seat."""
    card, declaration = act & 63, act >> SAID & 63
    if act & SWAP:
        p = exchange(p, seat)
    if declaration:
        p = declare(book, p, declaration)
    if card != NO_CARD:
        p = lay(book, talon, p, card)
    return p


@kernel
def list_acts(book: Book, p: Position, seat: int, acts: Any) -> int:
    """Write the acts of the seat on turn, as many as there is room for; how many.

    Cards, declarations with them, and both as they could be once it has exchanged, which tells it nothing.
    """
    many = 0
    actions = legal_for(book, p, seat)
    for swap in range(2):
        for declaration in range(MARIAGE - 1, ACTIONS):
            if declaration >= MARIAGE and not actions >> declaration & 1:
                continue
            cards = actions & ALL_CARDS
            if declaration >= MARIAGE:
                cards &= companions(book, declaration)
            said = declaration << SAID if declaration >= MARIAGE else 0
            while cards and many < len(acts):
                card = lowest(cards)
                cards &= cards - 1
                acts[many] = card | said | swap * SWAP
                many += 1
        if not actions & EXCHANGING:
            break
        actions = legal_for(book, exchange(p, seat), seat)
    return many


def acts_open(book: Book, p: Position, seat: int) -> list[int]:
    """Every act open to a seat, on turn or asked at "au sept"."""
    if seat != p.turn:
        return [NO_CARD | SWAP, NO_CARD] if legal_for(book, p, seat) & EXCHANGING else []
    acts = [0] * MOST
    return acts[: list_acts(book, p, seat, acts)]


def action_of(act: int) -> Action | None:
    """The first thing that an act does, as players are asked for it; None for letting "au sept" pass."""
    if act & SWAP:
        return Exchange()
    if act == NO_CARD:
        return None
    declaration = act >> SAID & 63
    return Play(PACK[act & 63], Declaration(declaration) if declaration else None)


def act_of(action: Action | None) -> int:
    """The act that does this and no more."""
    match action:
        case Play(card=card, declaration=declaration):
            return int(card) | (declaration or 0) << SAID
        case Exchange():
            return NO_CARD | SWAP
        case _:
            return NO_CARD


def own_seat(view: View) -> int:
    """The seat whose view it is."""
    if view.observer is None:
        raise ValueError("a spectator has no hand to play from")
    return view.observer
