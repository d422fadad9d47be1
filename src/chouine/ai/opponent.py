"""Models of players: how likely a hand is to do what was done, if its holder played as the network, or in a manner."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.features import SPOKEN, renamed
from chouine.ai.likelihood import Moment, numbers_of
from chouine.ai.manner import Manner, card_by
from chouine.ai.network import Network, consult
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.playout import NOTHING, best_with
from chouine.fast.seats import seated, seats
from chouine.fast.seen import Seen
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import DECLARATIONS, EXCHANGE
from chouine.rules.play import companions, legal_for
from chouine.rules.position import Four, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

TEMPERATURE = 0.06
"""By how much an act must be worth more, in shares of a partie, to be done e times as often."""
SEVEN_KEPT = 0.05
"""How likely a seat that may exchange the seven does not."""


@dataclass(frozen=True, slots=True)
class NetworkModel:
    """Acts as likely as the network's values make them: ten times likelier for about 2.3 `temperature` more."""

    network: Network
    temperature: float = TEMPERATURE

    def likelihood(self, moment: Moment, hands: Ints) -> Floats:
        shares = np.zeros(len(hands))
        network_shares(*as_compiled(moment), self.network, 1 / self.temperature, hands, shares)
        return shares


@dataclass(frozen=True, slots=True)
class MannerModel:
    """Always does what its manner of play says, but keeps a seven now and then."""

    manner: Manner

    def likelihood(self, moment: Moment, hands: Ints) -> Floats:
        shares = np.zeros(len(hands))
        manner_shares(*as_compiled(moment), self.manner, hands, shares)
        return shares


def as_compiled(moment: Moment) -> tuple[Book, Position, int, Four, int, int]:
    """A moment as compiled code takes it: its act as the numbers of its card and declaration."""
    return (
        book_of(moment.rules),
        seated(moment.p),
        moment.seat,
        seats(moment.played),
        *numbers_of(moment.act),
    )


@kernel
def seven_share(actions: int, card: int) -> float:
    """How likely a seat, its actions told, exchanges the seven, if that is what it does, or else keeps it."""
    may_exchange = actions >> EXCHANGE & 1
    if card == EXCHANGE:
        return (1.0 - SEVEN_KEPT) * may_exchange
    return SEVEN_KEPT if may_exchange else 1.0


@kernel
def share_of(
    book: Book,
    network: Network,
    p: Position,
    known: Four,
    seat: int,
    played: Four,
    card: int,
    declaration: int,
    sharpness: float,
) -> float:
    """How likely a seat, its hand told, does this; 0 where it may not.

    `known`, `played`: what all know each seat to hold, and the cards it has laid.
    """
    actions = legal_for(book, p, seat)
    kept = seven_share(actions, card)
    if not 0 <= card < EXCHANGE or seat != p.turn:
        return kept
    cards = actions & ALL_CARDS
    if not cards >> card & 1:
        return 0.0
    if declaration >= 0 and not (actions >> declaration & companions(book, declaration) >> card) & 1:
        return 0.0
    order = consult(book.seats, network, p, seat, known, played)
    slot = renamed(card, order)
    best = best_with(book, actions & DECLARATIONS, card)
    done = network.told[SPOKEN + slot] if declaration >= 0 else network.told[slot]
    total = 0.0
    while cards:
        other = lowest(cards)
        cards &= cards - 1
        place = renamed(other, order)
        total += exp((network.told[place] - done) * sharpness)
        if best_with(book, actions & DECLARATIONS, other) >= 0:
            total += exp((network.told[SPOKEN + place] - done) * sharpness)
    return kept / total * (1.0 if declaration == best or declaration < 0 else 0.1)


@compiled
def network_shares(
    book: Book,
    p: Position,
    seat: int,
    played: Four,
    card: int,
    declaration: int,
    network: Network,
    sharpness: float,
    hands: Any,
    shares: Any,
) -> None:
    """By hand, how likely its holder does this; 0 where it may not."""
    for row in range(len(hands)):
        own = Position(put(p.hands, seat, hands[row]), *p[1:])
        shares[row] = share_of(book, network, own, p.hands, seat, played, card, declaration, sharpness)


@compiled
def manner_shares(
    book: Book,
    p: Position,
    seat: int,
    played: Four,
    card: int,
    declaration: int,
    manner: Manner,
    hands: Any,
    shares: Any,
) -> None:
    """By hand, how likely its holder does this, playing in a manner."""
    seen = Seen(p.hands, seats(NOTHING), played)
    for row in range(len(hands)):
        own = Position(put(p.hands, seat, hands[row]), *p[1:])
        actions = legal_for(book, own, seat)
        shares[row] = seven_share(actions, card)
        if 0 <= card < EXCHANGE and seat == p.turn:
            laid, said = card_by(book, manner, own, seen)
            shares[row] *= 1.0 if laid == card and said == declaration else 0.0
