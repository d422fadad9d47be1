"""How likely a player with each of many hands does what was done: what beliefs are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.cards import ALL_CARDS
from chouine.fast.bits import how_many
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.seats import seated
from chouine.partie.actions import Action, Play
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import EXCHANGE, EXCHANGING, MARIAGE
from chouine.rules.options import Rules
from chouine.rules.play import companions, legal_for
from chouine.rules.position import NONE, Four, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

LETTING_PASS = -1
TEMPER = 0.5
"""How far a model is believed where players may be unlike it: the power that its likelihoods are raised to."""


class Moment(NamedTuple):
    """Something a seat did, as all saw it."""

    rules: Rules
    p: Position
    """Before the act, as an onlooker knows it: of the hands, the cards that all know. With its own hand put in it is
    what the seat that acted knew of the position."""
    seat: int
    played: Four
    """The cards that each seat has laid before."""
    act: Action | None
    """None: at "au sept" it let the exchange pass (§11), though on turn was another."""


class Model(Protocol):
    """A player, as another imagines it."""

    def likelihood(self, moment: Moment, hands: Ints) -> Floats:
        """By hand, how likely it is that its holder does this; 0 where it may not.

        What is not done counts: a declaration not made, a seven kept. An exchange is an act by itself, after which
        the same seat plays.
        """


@dataclass(frozen=True, slots=True)
class Uniform:
    """Everything a hand may do is as likely."""

    def likelihood(self, moment: Moment, hands: Ints) -> Floats:
        shares = np.zeros(len(hands))
        card, declaration = numbers_of(moment.act)
        share_out(book_of(moment.rules), seated(moment.p), moment.seat, card, declaration, hands, shares)
        return shares


UNIFORM = Uniform()


@dataclass(frozen=True, slots=True)
class Wavering:
    """A model whose player now and then does anything."""

    model: Model
    at_random: float = 0.05
    """How often."""

    def likelihood(self, moment: Moment, hands: Ints) -> Floats:
        anything = UNIFORM.likelihood(moment, hands)
        told = np.maximum(np.nan_to_num(self.model.likelihood(moment, hands)), 0)
        return np.where(anything > 0, self.at_random * anything + (1 - self.at_random) * told, 0.0)


def numbers_of(act: Action | None) -> tuple[int, int]:
    """An act as the number of its card, exchange or letting pass, and of its declaration."""
    if isinstance(act, Play):
        return int(act.card), NONE if act.declaration is None else int(act.declaration)
    return (LETTING_PASS if act is None else EXCHANGE), NONE


@compiled
def share_out(
    book: Book, p: Position, seat: int, card: int, declaration: int, hands: Any, shares: Any
) -> None:
    """By hand, one part in as many as it has acts; 0 where this act is not one of them."""
    for row in range(len(hands)):
        own = Position(put(p.hands, seat, hands[row]), *p[1:])
        actions = legal_for(book, own, seat)
        cards = actions & ALL_CARDS
        acts = how_many(cards) + (actions >> EXCHANGE & 1)
        done = actions >> card & 1 if card >= 0 else 1
        if seat != p.turn:
            acts = 1 + (actions >> EXCHANGE & 1)
            done = 1 if card < 0 else actions >> EXCHANGE & 1
        if actions > EXCHANGING | ALL_CARDS:
            for number in range(MARIAGE, 51):
                if actions >> number & 1:
                    acts += how_many(cards & companions(book, number))
        if declaration >= 0:
            with_it = companions(book, declaration)
            done = done & actions >> declaration & with_it >> card
        shares[row] = done / acts if done & 1 else 0.0
