"""Worlds: deals consistent with a view, sampled uniformly (§14).

    uniform_worlds(view, 1_000, seed)      # current hands, and the talon in drawing order

All pack orders are equally likely, so all arrangements of the hidden cards that the view allows are too.
`ai.search_kernels` weighs these by what the opponents' actions reveal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.deduced import HiddenCards, hidden_cards
from chouine.fast.bits import as_int64, low_half, lowest_bit, next_state, scale_to, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.partie.view import View

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements


TALON_PLACES = 32
"""Columns of a talon array; unused places are 0."""


class Worlds(NamedTuple):
    """Sampled worlds, one per row, equally weighted."""

    hands: Ints
    """`int64[worlds, 4]`: the cards each seat holds, as sets."""
    talons: Ints
    """`int64[worlds, TALON_PLACES]`: the hidden talon in drawing order; places already drawn are meaningless."""


def uniform_worlds(view: View, count: int, seed: int) -> Worlds:
    """`count` worlds sampled uniformly, with replacement, from those the view allows."""
    given = hidden_cards(view)
    worlds = Worlds(np.zeros((count, 4), np.int64), np.zeros((count, TALON_PLACES), np.int64))
    worlds.hands[:, : len(given.hands)] = given.hands
    sample_deals(DealTable.of(given), given.drawn, as_int64(splitmix64(seed)), worlds)
    return worlds


class DealTable(NamedTuple):
    """Counts of all ways to distribute unseen cards among hands and talon, for exact sampling (dynamic programming)."""

    cards: Ints
    excluded: Ints
    """`int64[cards]`: the seats that cannot hold each card, as a set."""
    strides: Ints
    """`int64[seats + 1]`: vacancies are encoded in mixed radix; giving a card to a seat subtracts its stride."""
    ways: Floats
    """`float64[cards + 1, states]`: ways to distribute the cards from this one on, by encoded vacancies."""

    @classmethod
    def of(cls, given: HiddenCards) -> DealTable:
        cards = [card for card in range(32) if given.cards >> card & 1]
        excluded = [
            sum((given.excluded[seat] >> card & 1) << seat for seat in range(len(given.vacancies)))
            for card in cards
        ]
        strides = np.cumprod([1, *[room + 1 for room in given.vacancies]])
        ways = np.zeros((len(cards) + 1, strides[-1]))
        sharing = cls(np.array(cards, np.int64), np.array(excluded, np.int64), strides.astype(np.int64), ways)
        fill_ways(sharing.excluded, sharing.strides, ways)
        return sharing


@kernel
def can_take(excluded: int, strides: Any, vacancies: int, seat: int) -> bool:
    """Whether a seat has a vacancy and may hold the card."""
    if strides[seat] == strides[seat + 1]:
        return False  # its hand is known
    last = seat + 2 == len(strides)  # all that is left is its own: divisions are slow
    rest = vacancies if last else vacancies % strides[seat + 1]
    return not excluded >> seat & 1 and rest >= strides[seat]


@compiled
def fill_ways(excluded: Any, strides: Any, ways: Any) -> None:
    """Fill `ways` from the last card backwards; at the end no hand has a vacancy."""
    ways[len(excluded), 0] = 1.0
    for nth in range(len(excluded) - 1, -1, -1):
        for vacancies in range(strides[-1]):
            found = ways[nth + 1, vacancies]
            for seat in range(len(strides) - 1):
                if can_take(excluded[nth], strides, vacancies, seat):
                    found += ways[nth + 1, vacancies - strides[seat]]
            ways[nth, vacancies] = found


@kernel
def uniform_float(stream: int) -> float:
    """A float in [0, 1) from a stream's state."""
    return (splitmix64(stream) >> 11 & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@kernel
def shuffle_in(cards: Any, first: int, place: int, card: int, stream: int) -> int:
    """Add a card to those from `first` on, shuffled, of which `place` is the end; returns the stream's state."""
    stream = next_state(stream)
    other = first + scale_to(low_half(splitmix64(stream)), place - first + 1)
    cards[place] = cards[other]
    cards[other] = card
    return stream


@kernel
def sample_deal(table: DealTable, drawn: int, stream: int, hands: Any, talon: Any) -> int:
    """Fill hands uniformly among all allowed ways, and shuffle the rest into the talon; returns the stream's state."""
    cards, excluded, strides, ways = table
    vacancies, place = strides[-1] - 1, drawn
    for nth in range(len(cards)):
        stream = next_state(stream)
        threshold = uniform_float(stream) * ways[nth, vacancies]
        owner = -1
        for seat in range(len(strides) - 1):
            if can_take(excluded[nth], strides, vacancies, seat):
                threshold -= ways[nth + 1, vacancies - strides[seat]]
                if threshold < 0:
                    owner = seat
                    break
        if owner >= 0:
            vacancies -= strides[owner]
            hands[owner] |= 1 << cards[nth]
        else:
            stream = shuffle_in(talon, drawn, place, cards[nth], stream)
            place += 1
    return stream


@kernel
def shuffle_deal(table: DealTable, drawn: int, stream: int, hands: Any, talon: Any) -> int:
    """`sample_deal` where no seat is `barred`, with fewer random numbers: shuffle, and fill the hands from the end."""
    cards, _, strides, _ = table
    for nth in range(len(cards)):
        stream = shuffle_in(talon, drawn, drawn + nth, cards[nth], stream)
    place = drawn + len(cards)
    for seat in range(len(strides) - 1):
        for _ in range(strides[seat + 1] // strides[seat] - 1):
            place -= 1
            hands[seat] |= 1 << talon[place]
    return stream


@compiled
def sample_deals(table: DealTable, drawn: int, stream: int, worlds: Worlds) -> None:
    """Fill each row's hands and talon."""
    for row in range(len(worlds.hands)):
        stream = sample_deal(table, drawn, stream, worlds.hands[row], worlds.talons[row])


@compiled
def shuffle_rest(unseen: int, hands: Ints, drawn: int, stream: int, talons: Ints) -> None:
    """Shuffle each row's remaining unseen cards into its talon."""
    for row in range(len(hands)):
        rest, place = unseen & ~hands[row], drawn
        while rest:
            stream = shuffle_in(talons[row], drawn, place, lowest_bit(rest), stream)
            rest &= rest - 1
            place += 1
