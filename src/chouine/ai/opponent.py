"""The network as a model of players: how likely a hand is to do what was done, if its holder played much as it does."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from chouine.ai.features import SPOKEN, renamed
from chouine.ai.likelihood import LETTING_PASS, Floats, Ints, Moment, numbers_of
from chouine.ai.network import Network, consult
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.playout import best_with
from chouine.fast.seats import seated
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
        card, declaration = numbers_of(moment.act)
        network_shares(
            book_of(moment.rules),
            self.network,
            seated(moment.p),
            moment.seat,
            moment.gone,
            card,
            declaration,
            1 / self.temperature,
            hands,
            shares,
        )
        return shares


@kernel
def share_of(
    book: Book,
    network: Network,
    p: Position,
    known: Four,
    seat: int,
    gone: int,
    card: int,
    declaration: int,
    sharpness: float,
) -> float:
    """How likely a seat, its hand told, does this; 0 where it may not. `known`: what all know each seat to hold."""
    actions = legal_for(book, p, seat)
    may_exchange = actions >> EXCHANGE & 1
    kept = SEVEN_KEPT if may_exchange else 1.0
    if card == EXCHANGE:
        return (1.0 - SEVEN_KEPT) * may_exchange
    if card == LETTING_PASS or seat != p.turn:
        return kept
    cards = actions & ALL_CARDS
    if not cards >> card & 1:
        return 0.0
    if declaration >= 0 and not (actions >> declaration & companions(book, declaration) >> card) & 1:
        return 0.0
    order = consult(book.seats, network, p, seat, known, gone)
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
    network: Network,
    p: Position,
    seat: int,
    gone: int,
    card: int,
    declaration: int,
    sharpness: float,
    hands: Any,
    shares: Any,
) -> None:
    """By hand, how likely its holder does this; 0 where it may not."""
    for row in range(len(hands)):
        own = Position(put(p.hands, seat, hands[row]), *p[1:])
        shares[row] = share_of(book, network, own, p.hands, seat, gone, card, declaration, sharpness)
