"""Worlds: deals consistent with a view, sampled uniformly (§14).

    uniform_worlds(view, 1_000, seed)      # current hands, and the talon in drawing order

All pack orders are equally likely, so all arrangements of the hidden cards that the view allows are too.
`ai.opponent_model` samples by what the opponents' actions reveal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.cards import ALL_CARDS, BRISQUES
from chouine.fast.bits import as_int64, low_half, next_state, scale_to, splitmix64
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.partie.course import current_trick
from chouine.partie.events import Declared, Drawn, Played, Shown
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.combinations import BRISQUE_FIGURES
from chouine.rules.play import bound, declare, lay, start
from chouine.rules.position import NONE, UNKNOWN, Position

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


def every(worlds: Worlds, step: int, first: int = 0) -> Worlds:
    """Each `step`-th world; in C order, as kernels have worlds: other strides would compile them once more."""
    return Worlds(*(np.ascontiguousarray(each[first::step]) for each in worlds))


class HiddenCards(NamedTuple):
    """The unseen cards of a view and where they may lie."""

    cards: int
    """Unseen cards, as a set."""
    hands: tuple[int, ...]
    """By seat, the cards known to be in its hand."""
    vacancies: tuple[int, ...]
    """By seat, how many unseen cards its hand holds."""
    excluded: tuple[int, ...]
    """By seat, unseen cards that its hand cannot contain."""
    drawn: int
    """Talon places already drawn; unseen cards fill the places from here on."""


def hidden(view: View) -> HiddenCards:
    """What this view does not show."""
    held = [view.held(seat) for seat in range(view.rules.seats)]
    drawn = sum(isinstance(event, Drawn) and not event.turnup for event in view.events)
    announced = [announced_cards(view, seat) & ~hand.known.mask for seat, hand in enumerate(held)]
    known = tuple(hand.known.mask | cards for hand, cards in zip(held, announced, strict=True))
    vacancies = tuple(hand.unknown - cards.bit_count() for hand, cards in zip(held, announced, strict=True))
    return HiddenCards(view.unseen.mask & ~sum(announced), known, vacancies, excluded_cards(view), drawn)


def announced_cards(view: View, seat: int) -> int:
    """Cards of declarations in the current trick: public before they are shown (§9.5)."""
    cards, laid = 0, 0
    for event in current_trick(view.events):
        match event:
            case Declared(seat=who, declaration=declaration) if who == seat:
                cards |= 0 if 1 << declaration & BRISQUE_FIGURES else declaration.cards(view.book).mask
            case Played(card=card):
                laid |= 1 << card
            case _:
                pass
    return cards & ~laid


def excluded_cards(view: View) -> tuple[int, ...]:
    """By seat, the cards it cannot hold, given its answers (§8) and figures announced but not yet shown (§9.5)."""
    book, excluded = view.book, [0] * view.rules.seats
    turnup, unknown = view.deal.turnup, (UNKNOWN,) * view.book.hidden
    p = start(book, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer)
    for event in view.events:
        match event:
            case Declared(seat=seat, declaration=declaration):
                p = declare(book, p, declaration)
                if 1 << declaration & BRISQUE_FIGURES:
                    excluded[seat] |= ALL_CARDS & ~BRISQUES
            case Shown(seat=seat, declaration=declaration) if 1 << declaration & BRISQUE_FIGURES:
                excluded[seat] &= BRISQUES
            case Played(seat=seat, card=card):
                if p.table and p.tricks >= book.drawing:
                    excluded[seat] |= ruled_out(book, p, card)
                p = lay(book, unknown, p, card)
            case _:
                pass
    return tuple(excluded)


def ruled_out(book: Book, p: Position, card: int) -> int:
    """Cards that the seat does not hold, since §8 would have required one of them instead of this card."""
    ruled = 0
    while True:
        first = bound(book, p, ALL_CARDS & ~ruled)
        if first >> card & 1:
            return ruled
        ruled |= first


def uniform_worlds(view: View, count: int, seed: int) -> Worlds:
    """`count` worlds sampled uniformly, with replacement, from those the view allows."""
    given = hidden(view)
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
    return not excluded >> seat & 1 and vacancies % strides[seat + 1] >= strides[seat]


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


@compiled
def sample_deals(table: DealTable, drawn: int, stream: int, worlds: Worlds) -> None:
    """Fill each row's hands uniformly among all allowed ways, and shuffle the rest into its talon."""
    cards, excluded, strides, ways = table
    hands, talons = worlds
    for row in range(len(hands)):
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
                hands[row, owner] |= 1 << cards[nth]
            else:
                stream = next_state(stream)
                other = drawn + scale_to(low_half(splitmix64(stream)), place - drawn + 1)
                talons[row, place] = talons[row, other]
                talons[row, other] = cards[nth]
                place += 1
