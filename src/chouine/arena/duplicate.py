"""Seat-fixed draws: in both parties of a pair a seat draws the same cards, whoever takes the tricks.

The hidden talon is dealt out beforehand: of each trick's draws one card is for each seat. The cards of one trick's
draws lie in an order nobody knows and any order is as likely, so putting them into the order in which the seats
will draw changes no chance and tells nobody anything. What the seats then have drawn is an ordinary deal, which
replays as any other. A draw that ends with the turnup is left as it lies: that card is known (§5, §11).
"""

from __future__ import annotations

from dataclasses import replace

from chouine.partie.actions import Action, Play
from chouine.partie.state import State
from chouine.rules.book import Book
from chouine.rules.play import beats
from chouine.rules.position import Position


def fixed(book: Book) -> int:
    """The number of first tricks after which each seat draws cards fixed for it, whoever took the trick."""
    return min(book.drawing, book.hidden // book.seats)


def arranged(state: State, action: Action) -> State:
    """The state, with the coming draw in the talon reordered so that each seat draws its own cards.

    Only an action that completes a trick, and is thus followed by a draw, changes anything.
    """
    p, book = state.position, state.book
    if not isinstance(action, Play) or p.tricks >= fixed(book) or not completes(book, p):
        return state
    taker = p.turn if beats(action.card, p.best, p.trump) else p.taker
    first = p.tricks * book.seats
    talon = state.deal.talon
    own = talon[first : first + book.seats]
    drawn = (*own[taker:], *own[:taker])
    talon = (*talon[:first], *drawn, *talon[first + book.seats :])
    return state._replace(deal=replace(state.deal, talon=talon))


def completes(book: Book, p: Position) -> bool:
    """Whether the next card is the trick's last."""
    return (p.turn + 1) % book.seats == p.leader
