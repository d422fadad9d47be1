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
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.playout import best_with
from chouine.fast.seats import seated
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import DECLARATIONS, EXCHANGE
from chouine.rules.play import companions, legal_for
from chouine.rules.position import Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

SEVEN_KEPT = 0.05
"""How likely a seat that may exchange the seven does not."""


@dataclass(frozen=True, slots=True)
class NetworkModel:
    """Acts as likely as the network's values make them: ten times likelier for about 2.3 `temperature` more."""

    network: Network
    temperature: float = 0.06

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
    known = p.hands
    for row in range(len(hands)):
        own = Position(put(p.hands, seat, hands[row]), *p[1:])
        actions = legal_for(book, own, seat)
        may_exchange = actions >> EXCHANGE & 1
        kept = SEVEN_KEPT if may_exchange else 1.0
        if card == EXCHANGE:
            shares[row] = (1.0 - SEVEN_KEPT) * may_exchange
            continue
        if card == LETTING_PASS or seat != p.turn:
            shares[row] = kept
            continue
        cards = actions & ALL_CARDS
        if not cards >> card & 1:
            shares[row] = 0.0
            continue
        if declaration >= 0 and not (actions >> declaration & companions(book, declaration) >> card) & 1:
            shares[row] = 0.0
            continue
        order = consult(book.seats, network, own, seat, known, gone)
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
        shares[row] = kept / total * (1.0 if declaration == best or declaration < 0 else 0.1)
