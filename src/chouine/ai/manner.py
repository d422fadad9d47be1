"""How somebody plays: by a network, by rules of thumb, or greedily. Kernel Python."""

from __future__ import annotations

from typing import Any, NamedTuple

from chouine.ai.network import NOBODY, Network, network_card
from chouine.fast.compiler import kernel
from chouine.fast.seen import Seen, all_played
from chouine.players.greedy import greedy_card
from chouine.players.thumb import thumb_card, thumb_table
from chouine.rules.book import Book
from chouine.rules.options import Rules
from chouine.rules.position import Position


class Manner(NamedTuple):
    """How somebody plays, as compiled code takes it."""

    network: Network
    """Whose best acts it does; `NOBODY`: rules of thumb."""
    weights: Any
    """Of the rules of thumb."""
    greedy: int
    """1: takes what pays, otherwise lets its least card go, whatever the others are."""


def by_network(rules: Rules, network: Network) -> Manner:
    """A network's best acts; of `NOBODY`, rules of thumb."""
    return Manner(network, thumb_table(rules), 0)


def by_thumb(rules: Rules) -> Manner:
    """Rules of thumb."""
    return by_network(rules, NOBODY)


def greedily(rules: Rules) -> Manner:
    """What other programs do, and many who learn."""
    return by_thumb(rules)._replace(greedy=1)


@kernel
def card_by(book: Book, manner: Manner, p: Position, seen: Seen) -> tuple[int, int]:
    """What the seat on turn lays, and what it declares with it, or NONE."""
    if manner.greedy:
        return greedy_card(book, p)
    if len(manner.network.one):
        return network_card(book, manner.network, p, seen)
    return thumb_card(book, manner.weights, p, all_played(seen))
